import { errorOf } from '../core/error-messages.js';
import { AuthenticationError, bareCause, SessionExpiredError, TokenStoreError } from '../core/errors.js';

/** Names only the file of a file system error; other errors of a store may quote secrets. */
export function removalError(error: unknown): TokenStoreError {
  const { code, syscall, path } = Object(error) as { code?: unknown; syscall?: unknown; path?: unknown };
  const isFileError = typeof code === 'string' && typeof syscall === 'string' && typeof path === 'string';
  const place = isFileError ? ` in ${path} (${code})` : '';
  return new TokenStoreError(
    `The token store could not remove the session${place}: it is still there and can still be used. Make that place writable, or delete the session there yourself, then log out again.`,
    { operation: 'logout', cause: bareCause(error) },
  );
}

/** `wasInterrupted`: a process ended between sending a refresh and storing its tokens. */
export function sessionExpiredError(wasInterrupted: boolean): SessionExpiredError {
  return errorOf(SessionExpiredError, { kind: 'sessionEnded', wasInterrupted }, { operation: 'refresh' });
}

/** The refresh was not sent: it would use up the refresh token, and the new one would be lost. */
export function refreshNotSentError(): AuthenticationError {
  return errorOf(AuthenticationError, { kind: 'notRenewed' }, { operation: 'refresh' });
}

export function notLoggedInError(): AuthenticationError {
  return errorOf(AuthenticationError, { kind: 'notLoggedIn' });
}

export function severalSessionsError(count: number): AuthenticationError {
  return errorOf(AuthenticationError, { kind: 'severalSessions', count });
}
