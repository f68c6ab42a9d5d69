// Whom the rule of one active request counts: a user as the contract says, or a login.
import type { MockVariant } from './variant.js';

/** Requests with the same key have one turn between them. */
export function turnKey({ turns }: MockVariant, username: string, userId: string): string {
  return turns === 'by-login' ? `login ${username}` : `user ${userId}`;
}
