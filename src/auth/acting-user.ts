// Chooses the user that a client acts for, among the users of the login.
import { messageOf } from '../core/error-messages.js';
import { type LoginUser, UserSelectionError } from '../core/errors.js';

/** The user a client acts for, by the id of the user, or by the id or the name of the fleet. */
export type UserSelection = { readonly userId: string } | { readonly fleetId: string } | { readonly fleetName: string };

/** A user as requests name it. */
export interface ActingUser {
  /** The header that names the user. */
  readonly header: { readonly userId: string } | { readonly fleetId: string };
  /** Identifies the user in the keys of queues and gates. */
  readonly key: string;
}

/** Which service a client calls, and for whom. */
export interface ClientIdentity {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The id of the user; `fleet:` and the id of the fleet when the service does not tell which user of the login that is. */
  readonly user: string;
}

/** For an id the service does not have to be asked. */
export function userById(userId: string): ActingUser {
  return { header: { userId }, key: userId };
}

/** The key of the gate for this user's requests. */
export function turnKey(baseUrl: string, user: Pick<ActingUser, 'key'>): string {
  return `${baseUrl} user ${user.key}`;
}

/**
 * Without a wish: the only user of the login. A fleet id is accepted even if userinfo does not list it, because the contract does not
 * promise it there.
 */
export function chooseUser(wish: UserSelection | undefined, users: readonly LoginUser[]): ActingUser {
  if (wish === undefined) {
    const [only] = users;
    if (only && users.length === 1) return userById(only.userId);
    const facts = { kind: 'userNotChosen', users: users.length } as const;
    throw new UserSelectionError(messageOf(facts, {}), users, { facts });
  }
  if ('userId' in wish) return userById(wish.userId);
  if ('fleetId' in wish) {
    const matches = users.filter((user) => user.fleetId === wish.fleetId);
    const [only] = matches;
    return {
      header: { fleetId: wish.fleetId },
      key: only && matches.length === 1 ? only.userId : `fleet:${wish.fleetId}`,
    };
  }
  const name = wish.fleetName;
  const exact = users.filter((user) => user.fleetName === name);
  const matches =
    exact.length > 0 ? exact : users.filter((user) => user.fleetName?.toLowerCase() === name.toLowerCase());
  const [only] = matches;
  if (only && matches.length === 1) return userById(only.userId);
  const facts = { kind: 'fleetNotFound', matches: matches.length, users: users.length } as const;
  throw new UserSelectionError(messageOf(facts, {}), matches.length === 0 ? users : matches, { facts });
}
