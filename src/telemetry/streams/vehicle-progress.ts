// One vehicle of a stream: which part of its time comes next, how far it has been read, and its rows without repeats.
import { OverlapDedup } from '../overlap-dedup.js';
import type { Period } from '../period.js';
import { WINDOW_OVERLAP_MS, type Window } from '../window.js';
import { MAX_PART_BYTES, PART_BYTES } from './answer-sizes.js';
import type { VehicleInPeriod } from './vehicles-in-period.js';

/** A part of the period of a vehicle, as it is asked for. */
export interface Part {
  readonly vehicle: VehicleProgress;
  readonly window: Window;
  /** A larger answer is given up. */
  readonly maxBytes: number;
  /** It is asked for in a request of its own. */
  readonly isAlone: boolean;
  /** Up to here the vehicle had been requested before; null: not at all. */
  readonly after: number | null;
}

const SHRINK_FACTOR = 8;
const MIN_PART_MS = 1000;

export class VehicleProgress {
  readonly vehicleId: string;
  /** Rows that were delivered. */
  given = 0;
  /** A part of it failed in a request with others. */
  isAlone = false;
  /** The last parts that had no rows, one after the other. */
  silentParts = 0;
  /** Nothing more of it is asked for. */
  isEnded = false;
  /** Nothing more of it is delivered. */
  isTold = false;
  readonly #period: Period;
  readonly #dedup = new OverlapDedup();
  /** Everything before has been requested. */
  #requestedTo: number | null = null;
  #readTo: number | null = null;
  /** The service can have no more rows of before; of a row that is later than its clock nobody knows. */
  #completeTo: number | null = null;
  #longestMs = Number.POSITIVE_INFINITY;
  #maxBytes = MAX_PART_BYTES;

  constructor({ vehicleId, period }: VehicleInPeriod) {
    this.vehicleId = vehicleId;
    this.#period = period;
  }

  /** Milliseconds that have not been requested; at least 1 for a vehicle of which nothing has been. */
  get remainingMs(): number {
    if (this.#requestedTo === null) return Math.max(1, this.#period.to - this.#period.from);
    return this.#period.to - this.#requestedTo;
  }

  get isRead(): boolean {
    return this.#readTo !== null && this.#readTo >= this.#period.to;
  }

  /** A longer part failed. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** A time of the period as text. */
  text(time: number): string {
    return this.#period.text(time);
  }

  /** The next part of the period, of about this length. */
  request(ms: number): Part {
    const after = this.#requestedTo;
    const begin = after ?? this.#period.from;
    this.#requestedTo = Math.min(this.#period.to, begin + Math.max(WINDOW_OVERLAP_MS, Math.ceil(ms)));
    const window = { from: after === null ? begin : begin - WINDOW_OVERLAP_MS, to: this.#requestedTo };
    this.#longestMs = Number.POSITIVE_INFINITY;
    // After a silence a part is long, and the vehicle may drive in all of it.
    const maxBytes = this.silentParts > 0 ? PART_BYTES : this.#maxBytes;
    return { vehicle: this, window, maxBytes, isAlone: this.isAlone, after };
  }

  answered(isSilent: boolean): void {
    this.silentParts = isSilent ? this.silentParts + 1 : 0;
  }

  /** The request of a part failed: it is requested again, not longer than `spanMs`. */
  requestAgain({ after }: Part, spanMs = Number.POSITIVE_INFINITY): void {
    this.#requestedTo = after;
    this.silentParts = 0;
    this.#longestMs = after === null ? spanMs : spanMs - WINDOW_OVERLAP_MS;
  }

  /** The answer to a part was too large: a shorter one is requested, or the same without a limit. False when that has been done. */
  requestLess(part: Part): boolean {
    const { window, maxBytes } = part;
    const span = Math.floor((window.to - window.from) / SHRINK_FACTOR);
    // A shorter part would not reach beyond the overlap with the one before.
    const canBeShorter = span >= WINDOW_OVERLAP_MS + MIN_PART_MS;
    if (!canBeShorter && maxBytes === Number.POSITIVE_INFINITY) return false;
    if (!canBeShorter) this.#maxBytes = Number.POSITIVE_INFINITY;
    this.requestAgain(part, canBeShorter ? span : Number.POSITIVE_INFINITY);
    return true;
  }

  /** Its rows come next. */
  beginPart({ to }: Window): void {
    this.#dedup.beginWindow(to);
  }

  /** The rows without those that the part before had too. `areInOrder`: as `isInOrder` of a WindowOrder says. */
  withoutRepeats(rows: readonly unknown[], areInOrder: boolean): readonly unknown[] {
    return this.#dedup.withoutRepeats(rows, areInOrder);
  }

  /** All rows of the part have been taken. `askedAt`: the service's time when it was asked for. */
  endPart({ to }: Window, askedAt: number): void {
    this.#readTo = to;
    this.#completeTo = Math.max(this.#period.from, Math.min(to, askedAt));
    this.#maxBytes = MAX_PART_BYTES;
  }

  /**
   * Up to when all rows have been taken, as text; null when there is no such time yet. A whole millisecond: rows are numbered within it, and
   * who reads on from there needs all of its rows.
   */
  get completeUntil(): string | null {
    return this.#completeTo === null ? null : new Date(this.#completeTo).toISOString();
  }

  /** From when the vehicle can be read again, as text. */
  get resumeFrom(): string {
    return this.completeUntil ?? this.#period.text(this.#period.from);
  }
}
