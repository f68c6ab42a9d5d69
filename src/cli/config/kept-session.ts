// The session of a login as it is kept in the config folder, where no client is at hand for it.
import { keyOf } from '../../auth/session.js';
import { fileTokenStore, type TokenStore } from '../../index.js';
import { CliError } from '../errors/cli-error.js';
import { codeOf } from './file-error.js';
import { forgetOnlyUser, type Login } from './only-user.js';

/** By contract a session can be refreshed for 12 hours from its login. */
const refreshWindowMs = 12 * 60 * 60 * 1000;

/** Until when commands work without another login, as RFC 3339; null when nobody is logged in. */
export async function loggedInUntil(
  store: TokenStore,
  baseUrl: string | null,
  username: string | null,
): Promise<string | null> {
  if (baseUrl === null || username === null) return null;
  const session = await store.load(keyOf(baseUrl, username));
  if (session === null) return null;
  const { refreshToken, refreshIssuedAt, accessIssuedAt, accessLifetimeMs } = session;
  const end = refreshToken === null ? accessIssuedAt + accessLifetimeMs : refreshIssuedAt + refreshWindowMs;
  return new Date(end).toISOString();
}

/** Removes the tokens of a login. @throws CliError CONFIGURATION when they are still there. */
export async function forgetLogin(login: Login): Promise<void> {
  const store = fileTokenStore({ directory: login.folder });
  const key = keyOf(login.baseUrl, login.username);
  let cause: unknown;
  try {
    if ((await store.load(key)) === null) return;
    await store.withLock(key, () => store.clear(key));
    forgetOnlyUser(login);
    if ((await store.load(key)) === null) return;
  } catch (error) {
    cause = error;
  }
  const code = codeOf(cause);
  throw new CliError(
    'CONFIGURATION',
    `The session kept in ${login.folder} could not be removed${code ? ` (${code})` : ''}.`,
    {
      hint: 'See to it that you may write there, then run the command again.',
      cause,
    },
  );
}
