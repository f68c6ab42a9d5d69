// A way of working that costs time and that the service made necessary, for example taking turns with all users of a login. It ends after
// a quiet time, and then the faster way is tried again; when that fails soon, the next quiet time is twice as long.
import type { Timers } from '../core/ports.js';

export interface QuietTime {
  /** The first one, in milliseconds. */
  readonly firstMs: number;
  readonly longestMs: number;
}

export class DegradedMode {
  readonly #timers: Pick<Timers, 'now'>;
  readonly #quiet: QuietTime;
  readonly #onEnd: () => void;
  #quietMs: number;
  /** When it began, or when there was the last sign that it is still necessary; null when it is off. */
  #lastSign: number | null = null;
  #endedAt: number | null = null;

  /** `onEnd` is called when somebody asks for the mode after its quiet time: there is no timer. */
  constructor(timers: Pick<Timers, 'now'>, quiet: QuietTime, onEnd: () => void) {
    this.#timers = timers;
    this.#quiet = quiet;
    this.#onEnd = onEnd;
    this.#quietMs = quiet.firstMs;
  }

  get isOn(): boolean {
    if (this.#lastSign === null) return false;
    const now = this.#timers.now();
    if (now - this.#lastSign < this.#quietMs) return true;
    this.#lastSign = null;
    this.#endedAt = now;
    this.#onEnd();
    return false;
  }

  /** How long it lasts from the last sign on, in milliseconds. */
  get quietMs(): number {
    return this.#quietMs;
  }

  /** Another sign that it is necessary. True when it begins with this one. */
  begin(): boolean {
    const isOn = this.isOn;
    const now = this.#timers.now();
    if (!isOn) {
      // The faster way did well for at least as long as the last quiet time: what happens now is something new.
      const isNew = this.#endedAt === null || now - this.#endedAt >= this.#quietMs;
      this.#quietMs = isNew ? this.#quiet.firstMs : Math.min(this.#quiet.longestMs, this.#quietMs * 2);
    }
    this.#lastSign = now;
    return !isOn;
  }
}
