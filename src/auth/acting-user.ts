// Which user a client acts for: the wish of the caller against the users of the login.
import { type FleetUser, UserSelectionError } from '../core/errors.js';

/** The user a client acts for, by the id of the user, or by the id or the name of the fleet. */
export type UserWish = { readonly userId: string } | { readonly fleetId: string } | { readonly fleetName: string };

/** How requests name the user, and what tells one user's requests from another's. */
export interface ActingUser {
  /** The header of the contract that names the user, and its value. */
  readonly header: { readonly userId: string } | { readonly fleetId: string };
  /** The part of the lane's and the gate's key that stands for the user. */
  readonly key: string;
}

/** A user named by id needs no question to the service. */
export function userById(userId: string): ActingUser {
  return { header: { userId }, key: userId };
}

/** The key under which those who act for this user take turns. */
export function turnKey(baseUrl: string, user: Pick<ActingUser, 'key'>): string {
  return `${baseUrl} user ${user.key}`;
}

/**
 * Finds the user among those of the login. Without a wish: the only one there is. A fleet id is also taken when userinfo
 * does not show it, because the contract does not name it there.
 */
export function chooseUser(wish: UserWish | undefined, users: readonly FleetUser[]): ActingUser {
  if (wish === undefined) {
    const [only] = users;
    if (only && users.length === 1) return userById(only.userId);
    throw new UserSelectionError(
      users.length === 0
        ? 'The login may act for no user: the service lists none. Ask whoever manages the account.'
        : `The login may act for ${users.length} users. Say which one with user: { userId }, { fleetId } or { fleetName }; error.choices lists them.`,
      users,
    );
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
  const wanted = wish.fleetName;
  const exact = users.filter((user) => user.fleetName === wanted);
  const matches =
    exact.length > 0 ? exact : users.filter((user) => user.fleetName?.toLowerCase() === wanted.toLowerCase());
  const [only] = matches;
  if (only && matches.length === 1) return userById(only.userId);
  throw new UserSelectionError(
    matches.length === 0
      ? 'No user of the login has a fleet of that name; error.choices lists those there are.'
      : `${matches.length} users of the login have a fleet of that name. Say which one with user: { userId }; error.choices lists them.`,
    matches.length === 0 ? users : matches,
  );
}
