import { keyOf } from "../../auth/session.js";
import { errorCode } from "../../core/error-code.js";
import { CliError } from "../errors/cli-error.js";
import { forgetSoleUser } from "./sole-user-cache.js";
const REFRESH_WINDOW_MS = 12 * 60 * 60 * 1e3;
async function loginExpiry(store, baseUrl, username) {
  if (baseUrl === null || username === null) return null;
  const session = await store.load(keyOf(baseUrl, username));
  if (session === null) return null;
  const { refreshToken, refreshIssuedAt, accessIssuedAt, accessLifetimeMs } = session;
  const end = refreshToken === null ? accessIssuedAt + accessLifetimeMs : refreshIssuedAt + REFRESH_WINDOW_MS;
  return new Date(end).toISOString();
}
async function forgetLogin(login, store) {
  const key = keyOf(login.baseUrl, login.username);
  let cause;
  try {
    if (await store.load(key) === null) return;
    await store.withLock(key, () => store.clear(key));
    forgetSoleUser(login);
    if (await store.load(key) === null) return;
  } catch (error) {
    cause = error;
  }
  const code = errorCode(cause);
  throw new CliError("CONFIGURATION", `The stored session could not be removed${code ? ` (${code})` : ""}.`, {
    hint: `Give yourself write access to ${login.folder} (with --redis: check that Redis can be reached), then run the command again.`,
    cause
  });
}
export {
  forgetLogin,
  loginExpiry
};
