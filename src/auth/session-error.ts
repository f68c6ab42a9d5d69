// What a caller is told when there is no session to use, or one that cannot be removed.
import { AuthenticationError, bareCause, InvalidInputError, SessionExpiredError } from '../core/errors.js';

/** The file is named where the failure comes from the file system; what else a store throws may quote anything. */
export function stillKept(error: unknown): InvalidInputError {
  const { code, syscall, path } = Object(error) as { code?: unknown; syscall?: unknown; path?: unknown }; // only read
  const isOfFiles = typeof code === 'string' && typeof syscall === 'string' && typeof path === 'string';
  const place = isOfFiles ? ` in ${path} (${code})` : '';
  return new InvalidInputError(
    `The token store could not remove the session${place}: it is still there and can still be used. Make that place writable, or delete the session there yourself, then log out again.`,
    { operation: 'logout', cause: bareCause(error) },
  );
}

export function expired(): SessionExpiredError {
  return new SessionExpiredError(
    'The session has expired: it can be refreshed for 12 hours after login and no credentials are at hand. Log in again, or give the client credentials.',
    { operation: 'refresh' },
  );
}

export function notLoggedIn(): AuthenticationError {
  return new AuthenticationError(
    'Nobody is logged in: no credentials were given and the token store holds no session for this base URL. Give the client credentials, or log in first.',
  );
}
