// Decides when to pause a response whose rows arrive faster than they are read.
import type { Timers } from '../core/ports.js';

/** The response is paused at this many unread bytes, until half of them have been read. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** Limit for all pauses of a response, then buffered: a slow reader must not keep the turn. */
const MAX_HELD_MS = 5_000;

export class Backpressure {
  readonly #timers: Timers;
  #leftMs = MAX_HELD_MS;
  #isUnlimited = false;
  #held: { readonly until: Promise<void>; readonly release: () => void } | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Returns a promise that settles when reading may continue; undefined to continue at once. */
  pauseIfNeeded(unreadBytes: number): Promise<void> | undefined {
    if (this.#isUnlimited || unreadBytes <= MAX_UNREAD_BYTES) return undefined;
    this.#held ??= this.#begin();
    return this.#held.until;
  }

  read(unreadBytes: number): void {
    if (unreadBytes <= MAX_UNREAD_BYTES / 2) this.#held?.release();
  }

  /** Ends the pause and allows no other one. */
  stopPausing(): void {
    this.#isUnlimited = true;
    this.#held?.release();
  }

  #begin(): { readonly until: Promise<void>; readonly release: () => void } {
    const since = this.#timers.now();
    let settle = () => {};
    const until = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const cancel = this.#timers.after(this.#leftMs, () => this.stopPausing());
    const release = () => {
      cancel();
      this.#leftMs = Math.max(0, this.#leftMs - (this.#timers.now() - since));
      this.#held = null;
      settle();
    };
    return { until, release };
  }
}
