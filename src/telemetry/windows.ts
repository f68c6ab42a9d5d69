// Splits a long period into windows whose responses are about equally large. How much a vehicle sends is known only from its past, so
// the length of a window follows from the size of the responses before it.

/** A part of a period in milliseconds since 1970, including its start and its end. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Target size of a response. It can be several times larger when a parked vehicle starts to drive. Two are in memory at a time. */
const TARGET_BYTES = 4 * 1024 * 1024;
/** A larger response is cancelled and requested again in smaller windows. */
export const MAX_ANSWER_BYTES = 4 * TARGET_BYTES;

/** Windows overlap by a second, so that no row is lost when a service ignores fractions of a second. */
export const WINDOW_OVERLAP_MS = 1000;
const MIN_WINDOW_MS = 1000;
const FIRST_WINDOW_MS = 3_600_000;
const MAX_GROWTH = 16;
/** Growth after a window without rows, when nothing is known about the next rows. */
const EMPTY_WINDOW_GROWTH = 4;
/** Vehicles rest and then drive again, so the highest rate fades by this factor with every window. */
const PEAK_DECAY = 0.75;
const SHRINK_FACTOR = 8;
/** No service refuses periods as short as this for their length. */
const SHORTEST_REFUSED_MS = 6 * 3_600_000;

/** What a client has learnt about the longest window that its service accepts; all its streams share it. */
export interface WindowLimit {
  ms: number;
}

export class AdaptiveWindows {
  readonly #period: Window;
  #span = FIRST_WINDOW_MS;
  /** Highest recent rate, in bytes per millisecond. */
  #peakRate = 0;
  readonly #limit: WindowLimit;
  /** The longest window that the service accepted. */
  #accepted = 0;
  #wasRefused = false;

  constructor(period: Window, limit: WindowLimit) {
    this.#period = period;
    this.#limit = limit;
  }

  first(): Window {
    const { from } = this.#period;
    return { from, to: this.#endOf(from) };
  }

  /** The window after one whose response had this size; null at the end of the period. */
  after({ from, to }: Window, bytes: number, hasRows: boolean): Window | null {
    this.#accepted = Math.max(this.#accepted, to - from);
    if (this.#wasRefused) this.#limit.ms = Math.max(SHORTEST_REFUSED_MS / 2, this.#accepted);
    this.#wasRefused = false;
    if (to >= this.#period.to) return null;
    const span = Math.max(to - from, MIN_WINDOW_MS);
    this.#peakRate = Math.max(hasRows ? bytes / span : 0, this.#peakRate * PEAK_DECAY);
    const fittingSpan = this.#peakRate === 0 ? span * EMPTY_WINDOW_GROWTH : TARGET_BYTES / this.#peakRate;
    this.#span = Math.max(MIN_WINDOW_MS, Math.min(span * MAX_GROWTH, fittingSpan));
    return { from: to - WINDOW_OVERLAP_MS, to: this.#endOf(to) };
  }

  /** A shorter window in place of one whose response was too large; null when it cannot be shorter. */
  shorter({ from, to }: Window): Window | null {
    const span = Math.floor((to - from) / SHRINK_FACTOR);
    // A shorter window would not reach beyond the overlap with the window before.
    if (span < WINDOW_OVERLAP_MS + MIN_WINDOW_MS) return null;
    return { from, to: from + span };
  }

  /** A shorter window in place of one that the service refused; null when its length is not the reason. */
  afterRefusal({ from, to }: Window): Window | null {
    const span = to - from;
    if (span <= Math.max(this.#accepted, SHORTEST_REFUSED_MS)) return null;
    this.#wasRefused = true;
    return { from, to: from + Math.max(this.#accepted, Math.floor(span / 2)) };
  }

  #endOf(begin: number): number {
    return Math.min(this.#period.to, begin + Math.floor(Math.min(this.#span, this.#limit.ms)));
  }
}
