// The errors for a session that does not exist, has expired, or cannot be removed.
import { AuthenticationError, bareCause, InvalidInputError, SessionExpiredError } from '../core/errors.js';

/** Names the file of a file system error; anything else that a store throws may quote secrets. */
export function notRemoved(error: unknown): InvalidInputError {
  const { code, syscall, path } = Object(error) as { code?: unknown; syscall?: unknown; path?: unknown }; // only read
  const isFileError = typeof code === 'string' && typeof syscall === 'string' && typeof path === 'string';
  const place = isFileError ? ` in ${path} (${code})` : '';
  return new InvalidInputError(
    `The token store could not remove the session${place}: it is still there and can still be used. Make that place writable, or delete the session there yourself, then log out again.`,
    { operation: 'logout', cause: bareCause(error) },
  );
}

/** `wasInterrupted`: a process ended between the sending of a refresh and the storing of its tokens. */
export function sessionExpired(wasInterrupted: boolean): SessionExpiredError {
  const why = wasInterrupted
    ? 'The session has ended: an earlier refresh was interrupted before its tokens could be stored, and the service does not accept the old ones any more'
    : 'The session has expired: it can be refreshed for 12 hours after the login';
  return new SessionExpiredError(
    `${why}, and the client has no credentials. Log in again, or give the client credentials.`,
    { operation: 'refresh' },
  );
}

/** A refresh would spend the stored refresh token, and its new one would be lost. */
export function notRefreshed(): AuthenticationError {
  return new AuthenticationError(
    'The session was not refreshed, because the token store cannot be written: the new tokens would have been lost. Nothing was sent. Make the place of the session writable, or give the client credentials.',
    { operation: 'refresh' },
  );
}

export function notLoggedIn(): AuthenticationError {
  return new AuthenticationError(
    'Not logged in: the client has no credentials, and the token store holds no session for this base URL. Give the client credentials, or log in first.',
  );
}
