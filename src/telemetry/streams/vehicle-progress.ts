// The progress of one vehicle in a stream: its next part, and its rows without duplicates.
import { OverlapDedup } from '../overlap-dedup.js';
import type { Period } from '../period.js';
import { WINDOW_OVERLAP_MS, type Window } from '../window.js';
import { MAX_PART_BYTES, PART_BYTES } from './answer-sizes.js';
import type { VehicleInPeriod } from './vehicles-in-period.js';

export interface Part {
  readonly vehicle: VehicleProgress;
  readonly window: Window;
  /** A larger answer is aborted. */
  readonly maxBytes: number;
  readonly isAlone: boolean;
  /** The end of the previous part; null for the first. */
  readonly after: number | null;
}

const SHRINK_FACTOR = 8;
const MIN_PART_MS = 1000;

export class VehicleProgress {
  readonly vehicleId: string;
  readonly period: Period;
  readonly dedup = new OverlapDedup();
  /** The limit of a part, after a longer one failed. */
  longestMs = Number.POSITIVE_INFINITY;
  deliveredCount = 0;
  /** True after a part failed in a shared request. */
  isAlone = false;
  /** Consecutive parts without rows. */
  silentParts = 0;
  /** True when no more parts are requested. */
  isEnded = false;
  /** True when no more rows are delivered. */
  isEndDelivered = false;
  /** The end of the requested parts. */
  #requestedTo: number | null = null;
  #readTo: number | null = null;
  /** The rows are complete up to here. Rows later than the service's clock may still come. */
  #completeTo: number | null = null;
  #maxBytes = MAX_PART_BYTES;

  constructor({ vehicleId, period }: VehicleInPeriod) {
    this.vehicleId = vehicleId;
    this.period = period;
  }

  /** Returns the milliseconds left to request; at least 1 before the first request. */
  get remainingMs(): number {
    if (this.#requestedTo === null) return Math.max(1, this.period.to - this.period.from);
    return this.period.to - this.#requestedTo;
  }

  get isRead(): boolean {
    return this.#readTo !== null && this.#readTo >= this.period.to;
  }

  /** Returns the next part of at most `ms`. It overlaps the part before it. */
  request(ms: number): Part {
    const after = this.#requestedTo;
    const begin = after ?? this.period.from;
    this.#requestedTo = Math.min(this.period.to, begin + Math.max(WINDOW_OVERLAP_MS, Math.ceil(ms)));
    const window = { from: after === null ? begin : begin - WINDOW_OVERLAP_MS, to: this.#requestedTo };
    this.longestMs = Number.POSITIVE_INFINITY;
    // After a silence the part is long, and the vehicle may drive in all of it.
    const maxBytes = this.silentParts > 0 ? PART_BYTES : this.#maxBytes;
    return { vehicle: this, window, maxBytes, isAlone: this.isAlone, after };
  }

  answered(isSilent: boolean): void {
    this.silentParts = isSilent ? this.silentParts + 1 : 0;
  }

  /** Returns to the start of a failed part. The new part has at most `spanMs`. */
  requestAgain({ after }: Part, spanMs = Number.POSITIVE_INFINITY): void {
    this.#requestedTo = after;
    this.silentParts = 0;
    this.longestMs = after === null ? spanMs : spanMs - WINDOW_OVERLAP_MS;
  }

  /**
   * Requests a shorter part after an answer that was too large. For the shortest part it removes
   * the size limit instead. Returns false when neither is possible.
   */
  requestLess(part: Part): boolean {
    const { window, maxBytes } = part;
    const span = Math.floor((window.to - window.from) / SHRINK_FACTOR);
    // A shorter part would not reach beyond the overlap.
    const canBeShorter = span >= WINDOW_OVERLAP_MS + MIN_PART_MS;
    if (!canBeShorter && maxBytes === Number.POSITIVE_INFINITY) return false;
    if (!canBeShorter) this.#maxBytes = Number.POSITIVE_INFINITY;
    this.requestAgain(part, canBeShorter ? span : Number.POSITIVE_INFINITY);
    return true;
  }

  /** Records that the part was delivered, with the service's time of its request. */
  endPart({ to }: Window, requestedAt: number): void {
    this.#readTo = to;
    this.#completeTo = Math.max(this.period.from, Math.min(to, requestedAt));
    this.#maxBytes = MAX_PART_BYTES;
  }

  /**
   * The time up to which rows are complete, as text, or null. A whole millisecond: the rows within
   * it are numbered, so a resumed stream needs all of them.
   */
  get completeUntil(): string | null {
    return this.#completeTo === null ? null : new Date(this.#completeTo).toISOString();
  }

  get resumeFrom(): string {
    return this.completeUntil ?? this.period.text(this.period.from);
  }
}
