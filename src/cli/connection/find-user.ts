// Finds a user of the login by id or name.
import type { LoginUser } from '../../core/errors.js';
import { didYouMean } from '../../core/suggestions.js';
import { type Choice, CliError } from '../errors/cli-error.js';
import { isSameText } from '../records/names.js';

function userChoices(users: readonly LoginUser[]): readonly Choice[] {
  return users.map(({ userName, userId, fleetName }) => ({ userId, userName, fleetName }));
}

/** Finds by userId, `fleet:<fleetId>`, userName or fleetName. Exactly one must match. */
export function findUser(name: string, users: readonly LoginUser[]): LoginUser {
  const isName = (text: string | null) => text !== null && isSameText(text, name, 'text');
  const criteria: readonly ((user: LoginUser) => boolean)[] = [
    (user) => user.userId === name || (user.fleetId !== null && `fleet:${user.fleetId}` === name),
    (user) => isName(user.userId),
    (user) => user.userName === name || user.fleetName === name,
    (user) => isName(user.userName) || isName(user.fleetName),
  ];
  const matches = criteria.map((matches) => users.filter(matches)).find((found) => found.length > 0) ?? [];
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError('USER_SELECTION', `${matches.length} users of the login have the name "${name}".`, {
      choices: userChoices(matches),
      hint: 'Select one by its userId.',
    });
  }
  const names = users.flatMap((user) => [user.userName, user.fleetName]).filter((text) => text !== null);
  throw new CliError('USER_SELECTION', `The login has no user "${name}".`, {
    choices: userChoices(users),
    hint: didYouMean(name, names) ?? 'Select one of these by userId, userName or fleetName.',
  });
}
