import { didYouMean } from "../../core/suggestions.js";
import { CliError } from "../errors/cli-error.js";
import { isSameText } from "../records/names.js";
function userChoices(users) {
  return users.map(({ userName, userId, fleetName }) => ({ userId, userName, fleetName }));
}
function findUser(name, users) {
  const isName = (text) => text !== null && isSameText(text, name, "text");
  const criteria = [
    (user) => user.userId === name || user.fleetId !== null && `fleet:${user.fleetId}` === name,
    (user) => isName(user.userId),
    (user) => user.userName === name || user.fleetName === name,
    (user) => isName(user.userName) || isName(user.fleetName)
  ];
  const matches = criteria.map((matches2) => users.filter(matches2)).find((found) => found.length > 0) ?? [];
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError("USER_SELECTION", `${matches.length} users of the login have the name "${name}".`, {
      choices: userChoices(matches),
      hint: "Select one by its userId."
    });
  }
  const names = users.flatMap((user) => [user.userName, user.fleetName]).filter((text) => text !== null);
  throw new CliError("USER_SELECTION", `The login has no user "${name}".`, {
    choices: userChoices(users),
    hint: didYouMean(name, names) ?? "Select one of these by userId, userName or fleetName."
  });
}
export {
  findUser
};
