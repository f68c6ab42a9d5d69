import { OverlapDedup } from "../overlap-dedup.js";
import { WINDOW_OVERLAP_MS } from "../window.js";
import { MAX_PART_BYTES, PART_BYTES } from "./answer-sizes.js";
const SHRINK_FACTOR = 8;
const MIN_PART_MS = 1e3;
class VehicleProgress {
  vehicleId;
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
  #period;
  #dedup = new OverlapDedup();
  /** Everything before has been requested. */
  #requestedTo = null;
  #readTo = null;
  /** The service can have no more rows of before; of a row that is later than its clock nobody knows. */
  #completeTo = null;
  #longestMs = Number.POSITIVE_INFINITY;
  #maxBytes = MAX_PART_BYTES;
  constructor({ vehicleId, period }) {
    this.vehicleId = vehicleId;
    this.#period = period;
  }
  /** Milliseconds that have not been requested; at least 1 for a vehicle of which nothing has been. */
  get remainingMs() {
    if (this.#requestedTo === null) return Math.max(1, this.#period.to - this.#period.from);
    return this.#period.to - this.#requestedTo;
  }
  get isRead() {
    return this.#readTo !== null && this.#readTo >= this.#period.to;
  }
  /** A longer part failed. */
  get longestMs() {
    return this.#longestMs;
  }
  /** A time of the period as text. */
  text(time) {
    return this.#period.text(time);
  }
  /** The next part of the period, of about this length. */
  request(ms) {
    const after = this.#requestedTo;
    const begin = after ?? this.#period.from;
    this.#requestedTo = Math.min(this.#period.to, begin + Math.max(WINDOW_OVERLAP_MS, Math.ceil(ms)));
    const window = { from: after === null ? begin : begin - WINDOW_OVERLAP_MS, to: this.#requestedTo };
    this.#longestMs = Number.POSITIVE_INFINITY;
    const maxBytes = this.silentParts > 0 ? PART_BYTES : this.#maxBytes;
    return { vehicle: this, window, maxBytes, isAlone: this.isAlone, after };
  }
  answered(isSilent) {
    this.silentParts = isSilent ? this.silentParts + 1 : 0;
  }
  /** The request of a part failed: it is requested again, not longer than `spanMs`. */
  requestAgain({ after }, spanMs = Number.POSITIVE_INFINITY) {
    this.#requestedTo = after;
    this.silentParts = 0;
    this.#longestMs = after === null ? spanMs : spanMs - WINDOW_OVERLAP_MS;
  }
  /** The answer to a part was too large: a shorter one is requested, or the same without a limit. False when that has been done. */
  requestLess(part) {
    const { window, maxBytes } = part;
    const span = Math.floor((window.to - window.from) / SHRINK_FACTOR);
    const canBeShorter = span >= WINDOW_OVERLAP_MS + MIN_PART_MS;
    if (!canBeShorter && maxBytes === Number.POSITIVE_INFINITY) return false;
    if (!canBeShorter) this.#maxBytes = Number.POSITIVE_INFINITY;
    this.requestAgain(part, canBeShorter ? span : Number.POSITIVE_INFINITY);
    return true;
  }
  /** Its rows come next. */
  beginPart({ to }) {
    this.#dedup.beginWindow(to);
  }
  /** The rows without those that the part before had too. `areInOrder`: as `isInOrder` of a WindowOrder says. */
  withoutRepeats(rows, areInOrder) {
    return this.#dedup.withoutRepeats(rows, areInOrder);
  }
  /** All rows of the part have been taken. `askedAt`: the service's time when it was asked for. */
  endPart({ to }, askedAt) {
    this.#readTo = to;
    this.#completeTo = Math.max(this.#period.from, Math.min(to, askedAt));
    this.#maxBytes = MAX_PART_BYTES;
  }
  /**
   * Up to when all rows have been taken, as text; null when there is no such time yet. A whole millisecond: rows are numbered within it, and
   * who reads on from there needs all of its rows.
   */
  get completeUntil() {
    return this.#completeTo === null ? null : new Date(this.#completeTo).toISOString();
  }
  /** From when the vehicle can be read again, as text. */
  get resumeFrom() {
    return this.completeUntil ?? this.#period.text(this.#period.from);
  }
}
export {
  VehicleProgress
};
