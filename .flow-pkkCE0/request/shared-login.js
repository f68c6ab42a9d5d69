import { adviceOnTurns } from "../core/error-messages.js";
import { DegradedMode } from "./degraded-mode.js";
const FIRST_QUIET_MS = 6e4;
const MAX_QUIET_MS = 60 * 6e4;
const ENDED = {
  code: "SHARED_LOGIN_ENDED",
  message: "The service has answered no 429 for a while: each user of this login has turns of its own again."
};
class SharedLogin {
  #mode;
  #turns;
  #warn;
  constructor(turns, timers, warn) {
    this.#turns = turns;
    this.#warn = warn;
    const quiet = { firstMs: FIRST_QUIET_MS, longestMs: MAX_QUIET_MS };
    this.#mode = new DegradedMode(timers, quiet, () => warn(ENDED));
  }
  /** Whether all users of the login take turns. */
  get isOn() {
    return this.#mode.isOn;
  }
  /** The service answered 429 to the only active request of a user. */
  rateLimited() {
    if (!this.#mode.begin()) return;
    const seconds = Math.round(this.#mode.quietMs / 1e3);
    this.#warn({
      code: "SHARED_LOGIN",
      message: `The service answered 429 although this client had no other request of the user active. All users of this login take turns here until there was no 429 for ${seconds} s. ${adviceOnTurns(this.#turns)}`
    });
  }
}
export {
  SharedLogin
};
