import { messageOf } from '../core/error-messages.js';
import { type LoginUser, UserSelectionError } from '../core/errors.js';

/** The user that a client acts for: by user id, fleet id or fleet name. */
export type UserSelection = { readonly userId: string } | { readonly fleetId: string } | { readonly fleetName: string };

export interface ActingUser {
  readonly header: { readonly userId: string } | { readonly fleetId: string };
  readonly key: string;
}

/** The service and the user of a client. */
export interface ClientIdentity {
  /** No trailing slash. */
  readonly baseUrl: string;
  /** The user id; `fleet:` and the fleet id when the service lists no user of that fleet. */
  readonly user: string;
}

export function userById(userId: string): ActingUser {
  return { header: { userId }, key: userId };
}

export function turnKey(baseUrl: string, user: Pick<ActingUser, 'key'>): string {
  return `${baseUrl} user ${user.key}`;
}

/**
 * Returns the selected user, or the login's only user when there is no selection. A fleet id that
 * userinfo does not list is accepted: the contract does not promise fleet ids there.
 */
export function chooseUser(selection: UserSelection | undefined, users: readonly LoginUser[]): ActingUser {
  if (selection === undefined) {
    const [only] = users;
    if (only && users.length === 1) return userById(only.userId);
    const facts = { kind: 'userNotChosen', users: users.length } as const;
    throw new UserSelectionError(messageOf(facts, {}), users, { facts });
  }
  if ('userId' in selection) return userById(selection.userId);
  if ('fleetId' in selection) {
    const matches = users.filter((user) => user.fleetId === selection.fleetId);
    const [only] = matches;
    return {
      header: { fleetId: selection.fleetId },
      key: only && matches.length === 1 ? only.userId : `fleet:${selection.fleetId}`,
    };
  }
  const name = selection.fleetName;
  const exact = users.filter((user) => user.fleetName === name);
  const matches =
    exact.length > 0 ? exact : users.filter((user) => user.fleetName?.toLowerCase() === name.toLowerCase());
  const [only] = matches;
  if (only && matches.length === 1) return userById(only.userId);
  const facts = { kind: 'fleetNotFound', matches: matches.length, users: users.length } as const;
  throw new UserSelectionError(messageOf(facts, {}), matches.length === 0 ? users : matches, { facts });
}
