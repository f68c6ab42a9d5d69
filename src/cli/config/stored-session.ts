// Reads and removes the stored session of a login without a client.
import { keyOf } from '../../auth/session.js';
import { errorCode } from '../../core/error-code.js';
import type { TokenStore } from '../../index.js';
import { CliError } from '../errors/cli-error.js';
import { type CachedLogin, forgetSoleUser } from './sole-user-cache.js';

/** By contract, a session can be refreshed for 12 hours after the login. */
const REFRESH_WINDOW_MS = 12 * 60 * 60 * 1000;

/** Returns the expiry of the login as RFC 3339; null when logged out. */
export async function loginExpiry(
  store: TokenStore,
  baseUrl: string | null,
  username: string | null,
): Promise<string | null> {
  if (baseUrl === null || username === null) return null;
  const session = await store.load(keyOf(baseUrl, username));
  if (session === null) return null;
  const { refreshToken, refreshIssuedAt, accessIssuedAt, accessLifetimeMs } = session;
  const end = refreshToken === null ? accessIssuedAt + accessLifetimeMs : refreshIssuedAt + REFRESH_WINDOW_MS;
  return new Date(end).toISOString();
}

/** Removes the tokens of a login. Throws CliError CONFIGURATION when they remain. */
export async function forgetLogin(login: CachedLogin, store: TokenStore): Promise<void> {
  const key = keyOf(login.baseUrl, login.username);
  let cause: unknown;
  try {
    if ((await store.load(key)) === null) return;
    await store.withLock(key, () => store.clear(key));
    forgetSoleUser(login);
    if ((await store.load(key)) === null) return;
  } catch (error) {
    cause = error;
  }
  const code = errorCode(cause);
  throw new CliError('CONFIGURATION', `The stored session could not be removed${code ? ` (${code})` : ''}.`, {
    hint: `Give yourself write access to ${login.folder} (with --redis: check that Redis can be reached), then run the command again.`,
    cause,
  });
}
