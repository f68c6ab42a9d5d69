// A slower mode that the service made necessary, for example one turn for all users of a login. It
// ends after a quiet time. If it is needed again soon, the next quiet time is twice as long.
import type { Timers } from '../core/ports.js';

export interface QuietTime {
  readonly firstMs: number;
  readonly longestMs: number;
}

export class DegradedMode {
  readonly #timers: Pick<Timers, 'now'>;
  readonly #quiet: QuietTime;
  readonly #onEnd: () => void;
  #quietMs: number;
  /** Time when the mode was last needed; null when it is off. */
  #lastNeededAt: number | null = null;
  #endedAt: number | null = null;

  /** `onEnd` is called on the first use of the mode after its quiet time: there is no timer. */
  constructor(timers: Pick<Timers, 'now'>, quiet: QuietTime, onEnd: () => void) {
    this.#timers = timers;
    this.#quiet = quiet;
    this.#onEnd = onEnd;
    this.#quietMs = quiet.firstMs;
  }

  get isOn(): boolean {
    if (this.#lastNeededAt === null) return false;
    const now = this.#timers.now();
    if (now - this.#lastNeededAt < this.#quietMs) return true;
    this.#lastNeededAt = null;
    this.#endedAt = now;
    this.#onEnd();
    return false;
  }

  /** Milliseconds for which the mode stays on after it was last needed. */
  get quietMs(): number {
    return this.#quietMs;
  }

  /** Records that the mode is needed. Returns true when this turns it on. */
  begin(): boolean {
    const isOn = this.isOn;
    const now = this.#timers.now();
    if (!isOn) {
      // The fast mode worked for at least the last quiet time, so this is a new problem.
      const isNew = this.#endedAt === null || now - this.#endedAt >= this.#quietMs;
      this.#quietMs = isNew ? this.#quiet.firstMs : Math.min(this.#quiet.longestMs, this.#quietMs * 2);
    }
    this.#lastNeededAt = now;
    return !isOn;
  }
}
