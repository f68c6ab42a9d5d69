import { messageOf } from "../core/error-messages.js";
import { UserSelectionError } from "../core/errors.js";
function userById(userId) {
  return { header: { userId }, key: userId };
}
function turnKey(baseUrl, user) {
  return `${baseUrl} user ${user.key}`;
}
function chooseUser(wish, users) {
  if (wish === void 0) {
    const [only2] = users;
    if (only2 && users.length === 1) return userById(only2.userId);
    const facts2 = { kind: "userNotChosen", users: users.length };
    throw new UserSelectionError(messageOf(facts2, {}), users, { facts: facts2 });
  }
  if ("userId" in wish) return userById(wish.userId);
  if ("fleetId" in wish) {
    const matches2 = users.filter((user) => user.fleetId === wish.fleetId);
    const [only2] = matches2;
    return {
      header: { fleetId: wish.fleetId },
      key: only2 && matches2.length === 1 ? only2.userId : `fleet:${wish.fleetId}`
    };
  }
  const name = wish.fleetName;
  const exact = users.filter((user) => user.fleetName === name);
  const matches = exact.length > 0 ? exact : users.filter((user) => user.fleetName?.toLowerCase() === name.toLowerCase());
  const [only] = matches;
  if (only && matches.length === 1) return userById(only.userId);
  const facts = { kind: "fleetNotFound", matches: matches.length, users: users.length };
  throw new UserSelectionError(messageOf(facts, {}), matches.length === 0 ? users : matches, { facts });
}
export {
  chooseUser,
  turnKey,
  userById
};
