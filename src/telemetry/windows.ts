// How a long period is cut into windows, each about as long as one answer should be. How much a vehicle sends is known only from
// what came before, so every window is measured and the next one made to fit.

/** Part of a period, in milliseconds since 1970; both ends belong to it. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** What an answer should be about. Some are several times as long, because a vehicle that rested sets off; two are in memory at a time. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** An answer longer than this is given up and asked for in smaller windows. */
export const TOO_LONG_BYTES = 4 * WINDOW_BYTES;

/** Windows share a second, so that a service that keeps no fractions of it loses nothing between them. */
export const OVERLAP_MS = 1000;
const SHORTEST_MS = 1000;
const FIRST_MS = 3_600_000;
const GROW_AT_MOST = 16;
/** Before the first row one cannot tell how much comes. */
const GROW_IN_SILENCE = 4;
/** Vehicles rest, and go on as before: of a busy time so much is remembered with every window. */
const REMEMBER = 0.75;
const SHRINK_WHEN_TOO_LONG = 8;

export class Windows {
  readonly #period: Window;
  #span = FIRST_MS;
  /** Bytes per millisecond when it was busiest of late. */
  #busiest = 0;

  constructor(period: Window) {
    this.#period = period;
  }

  first(): Window {
    const { from } = this.#period;
    return { from, to: this.#end(from) };
  }

  /** The window that follows one whose answer was so long; null when the period is over. */
  after({ from, to }: Window, bytes: number, rows: boolean): Window | null {
    if (to >= this.#period.to) return null;
    const span = Math.max(to - from, SHORTEST_MS);
    this.#busiest = Math.max(rows ? bytes / span : 0, this.#busiest * REMEMBER);
    const fitting = this.#busiest === 0 ? span * GROW_IN_SILENCE : WINDOW_BYTES / this.#busiest;
    this.#span = Math.max(SHORTEST_MS, Math.min(span * GROW_AT_MOST, fitting));
    return { from: to - OVERLAP_MS, to: this.#end(to) };
  }

  /** A shorter window in place of one whose answer was too long; null when it cannot be shorter. */
  shorter({ from, to }: Window): Window | null {
    const span = Math.floor((to - from) / SHRINK_WHEN_TOO_LONG);
    // With less, it would not reach beyond what it shares with the window before.
    if (span < OVERLAP_MS + SHORTEST_MS) return null;
    return { from, to: from + span };
  }

  #end(begin: number): number {
    return Math.min(this.#period.to, begin + Math.floor(this.#span));
  }
}
