// The errors for a session that does not exist, has expired, or cannot be removed.
import { messageOf } from '../core/error-messages.js';
import { AuthenticationError, bareCause, SessionExpiredError, TokenStoreError } from '../core/errors.js';

/** Names the file of a file system error; anything else that a store throws may quote secrets. */
export function notRemoved(error: unknown): TokenStoreError {
  const { code, syscall, path } = Object(error) as { code?: unknown; syscall?: unknown; path?: unknown }; // only read
  const isFileError = typeof code === 'string' && typeof syscall === 'string' && typeof path === 'string';
  const place = isFileError ? ` in ${path} (${code})` : '';
  return new TokenStoreError(
    `The token store could not remove the session${place}: it is still there and can still be used. Make that place writable, or delete the session there yourself, then log out again.`,
    { operation: 'logout', cause: bareCause(error) },
  );
}

/** `wasInterrupted`: a process ended between the sending of a refresh and the storing of its tokens. */
export function sessionExpired(wasInterrupted: boolean): SessionExpiredError {
  const facts = { kind: 'sessionEnded', wasInterrupted } as const;
  return new SessionExpiredError(messageOf(facts, {}), { operation: 'refresh', facts });
}

/** A refresh would spend the stored refresh token, and its new one would be lost. */
export function notRefreshed(): AuthenticationError {
  const facts = { kind: 'notRenewed' } as const;
  return new AuthenticationError(messageOf(facts, {}), { operation: 'refresh', facts });
}

export function notLoggedIn(): AuthenticationError {
  const facts = { kind: 'notLoggedIn' } as const;
  return new AuthenticationError(messageOf(facts, {}), { facts });
}

/** The store holds several sessions, and nothing says which one is meant. */
export function severalSessions(count: number): AuthenticationError {
  const facts = { kind: 'severalSessions', count } as const;
  return new AuthenticationError(messageOf(facts, {}), { facts });
}
