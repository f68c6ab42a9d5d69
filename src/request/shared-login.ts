// The mode after a 429 although the client sent one request at a time for each user. The service
// seems to count requests by login, so all users of the login take turns for a while.
import type { Turns } from '../core/error-facts.js';
import { adviceOnTurns } from '../core/error-messages.js';
import type { Warning } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import { DegradedMode } from './degraded-mode.js';

/** Time without a 429 until users take their own turns again; it doubles with each repetition. */
const FIRST_QUIET_MS = 60_000;

const MAX_QUIET_MS = 60 * 60_000;

const ENDED: Warning = {
  code: 'SHARED_LOGIN_ENDED',
  message: 'The service has answered no 429 for a while: each user of this login has turns of its own again.',
};

export class SharedLogin {
  readonly #mode: DegradedMode;
  readonly #turns: Turns;
  readonly #warn: (event: Warning) => void;

  constructor(turns: Turns, timers: Pick<Timers, 'now'>, warn: (event: Warning) => void) {
    this.#turns = turns;
    this.#warn = warn;
    const quiet = { firstMs: FIRST_QUIET_MS, longestMs: MAX_QUIET_MS };
    this.#mode = new DegradedMode(timers, quiet, () => warn(ENDED));
  }

  get isOn(): boolean {
    return this.#mode.isOn;
  }

  rateLimited(): void {
    if (!this.#mode.begin()) return;
    const seconds = Math.round(this.#mode.quietMs / 1000);
    this.#warn({
      code: 'SHARED_LOGIN',
      message: `The service answered 429 although this client had no other request of the user active. All users of this login take turns here until there was no 429 for ${seconds} s. ${adviceOnTurns(this.#turns)}`,
    });
  }
}
