// Decides when a response is held back because its rows are read more slowly than they arrive.
import type { Timers } from '../core/ports.js';

/** With this many bytes unread the response is held back, until half of them have been read. */
const MOST_UNREAD = 4 * 1024 * 1024;
/** How long a response is held back in all. After that the rest is taken into memory: a slow reader must not keep the turn. */
const MAX_HELD_MS = 5_000;

export class ReadingPace {
  readonly #timers: Timers;
  #leftMs = MAX_HELD_MS;
  #isHurried = false;
  #held: { readonly until: Promise<void>; readonly release: () => void } | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** A promise to wait for before more is read from the connection; undefined: go on. */
  hold(unreadBytes: number): Promise<void> | undefined {
    if (this.#isHurried || unreadBytes <= MOST_UNREAD) return undefined;
    this.#held ??= this.#begin();
    return this.#held.until;
  }

  /** Rows have been read. */
  read(unreadBytes: number): void {
    if (unreadBytes <= MOST_UNREAD / 2) this.#held?.release();
  }

  /** From now on nothing is held back. */
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
