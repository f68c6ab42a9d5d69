// Decides when to pause a response whose rows arrive faster than they are read.
import type { Timers } from '../core/ports.js';

/** The response is paused at this many unread bytes, until half of them have been read. */
const MOST_UNREAD = 4 * 1024 * 1024;
/** Limit for all pauses of a response, then buffered: a slow reader must not keep the turn. */
const MAX_HELD_MS = 5_000;

export class ReadingPace {
  readonly #timers: Timers;
  #leftMs = MAX_HELD_MS;
  #isHurried = false;
  #held: { readonly until: Promise<void>; readonly release: () => void } | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Returns a promise that settles when reading may continue; undefined to continue at once. */
  hold(unreadBytes: number): Promise<void> | undefined {
    if (this.#isHurried || unreadBytes <= MOST_UNREAD) return undefined;
    this.#held ??= this.#begin();
    return this.#held.until;
  }

  read(unreadBytes: number): void {
    if (unreadBytes <= MOST_UNREAD / 2) this.#held?.release();
  }

  /** Ends the pause and allows no other one. */
  hurry(): void {
    this.#isHurried = true;
    this.#held?.release();
  }

  #begin(): { readonly until: Promise<void>; readonly release: () => void } {
    const since = this.#timers.now();
    let settle = () => {};
    const until = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const cancel = this.#timers.after(this.#leftMs, () => this.hurry());
    const release = () => {
      cancel();
      this.#leftMs = Math.max(0, this.#leftMs - (this.#timers.now() - since));
      this.#held = null;
      settle();
    };
    return { until, release };
  }
}
