// The key of the limit of one active request: a user as in the contract, or a login.
import type { MockVariant } from './variant.js';

/** Returns the key that concurrent requests must not share. */
export function turnKeyOfVariant({ turns }: MockVariant, username: string, userId: string): string {
  return turns === 'by-login' ? `login ${username}` : `user ${userId}`;
}
