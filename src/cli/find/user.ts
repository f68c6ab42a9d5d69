// Finds one of the users of a login by any of the names people have for it.
import type { FleetUser } from '../../core/errors.js';
import { didYouMean } from '../../core/suggestions.js';
import { type Choice, CliError } from '../errors/cli-error.js';

function userChoices(users: readonly FleetUser[]): readonly Choice[] {
  return users.map(({ userName, userId, fleetName }) => ({ userId, userName, fleetName }));
}

/** By userId, `fleet:<fleetId>`, userName or fleetName; names without regard to case. Throws unless exactly one fits. */
export function userNamed(name: string, users: readonly FleetUser[]): FleetUser {
  const wanted = name.toLowerCase();
  const same = (text: string | null) => text?.toLowerCase() === wanted;
  const ways: readonly ((user: FleetUser) => boolean)[] = [
    (user) => user.userId === name || (user.fleetId !== null && `fleet:${user.fleetId}` === name),
    (user) => same(user.userId),
    (user) => user.userName === name || user.fleetName === name,
    (user) => same(user.userName) || same(user.fleetName),
  ];
  const matches = ways.map((way) => users.filter(way)).find((found) => found.length > 0) ?? [];
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError('USER_SELECTION', `${matches.length} users of the login are called "${name}".`, {
      choices: userChoices(matches),
      hint: 'Say which one by its userId.',
    });
  }
  const names = users.flatMap((user) => [user.userName, user.fleetName]).filter((text) => text !== null);
  throw new CliError('USER_SELECTION', `The login has no user "${name}".`, {
    choices: userChoices(users),
    hint: didYouMean(name, names) ?? 'Choose one of these by userId, userName or fleetName.',
  });
}
