import { messageOf } from "../core/error-messages.js";
import { AuthenticationError, bareCause, SessionExpiredError, TokenStoreError } from "../core/errors.js";
function notRemoved(error) {
  const { code, syscall, path } = Object(error);
  const isFileError = typeof code === "string" && typeof syscall === "string" && typeof path === "string";
  const place = isFileError ? ` in ${path} (${code})` : "";
  return new TokenStoreError(
    `The token store could not remove the session${place}: it is still there and can still be used. Make that place writable, or delete the session there yourself, then log out again.`,
    { operation: "logout", cause: bareCause(error) }
  );
}
function sessionExpired(wasInterrupted) {
  const facts = { kind: "sessionEnded", wasInterrupted };
  return new SessionExpiredError(messageOf(facts, {}), { operation: "refresh", facts });
}
function notRefreshed() {
  const facts = { kind: "notRenewed" };
  return new AuthenticationError(messageOf(facts, {}), { operation: "refresh", facts });
}
function notLoggedIn() {
  const facts = { kind: "notLoggedIn" };
  return new AuthenticationError(messageOf(facts, {}), { facts });
}
function severalSessions(count) {
  const facts = { kind: "severalSessions", count };
  return new AuthenticationError(messageOf(facts, {}), { facts });
}
export {
  notLoggedIn,
  notRefreshed,
  notRemoved,
  sessionExpired,
  severalSessions
};
