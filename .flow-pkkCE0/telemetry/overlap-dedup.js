import { timestampMs, timestampOf } from "./timestamps.js";
import { WINDOW_OVERLAP_MS } from "./window.js";
const ROUNDING_MS = 1e3;
const SECOND_MS = 1e3;
const SECONDS_LENGTH = "2026-03-01T12:00:00".length;
const TIME_LENGTH = "T12:00:00".length;
const LETTER_T = 84;
const LETTER_Z = 90;
class OverlapDedup {
  #previousEnd = Number.NEGATIVE_INFINITY;
  #currentEnd = Number.NEGATIVE_INFINITY;
  #previousTail = /* @__PURE__ */ new Map();
  #currentTail = /* @__PURE__ */ new Map();
  /** Rows with timestamps between these two are outside of both overlaps. */
  #uniqueFrom = "";
  #uniqueTo = "";
  /** Begins the next window, which ends at this time. */
  beginWindow(end) {
    this.#previousEnd = this.#currentEnd;
    this.#currentEnd = end;
    this.#previousTail = this.#currentTail;
    this.#currentTail = /* @__PURE__ */ new Map();
    this.#uniqueFrom = this.#previousEnd === Number.NEGATIVE_INFINITY ? "" : secondTextAfter(this.#previousEnd + ROUNDING_MS);
    this.#uniqueTo = secondText(this.#currentEnd - WINDOW_OVERLAP_MS - ROUNDING_MS);
  }
  /** The rows of the window without those that the window before had too. `areInOrder`: as `isInOrder` of a WindowOrder says. */
  withoutRepeats(rows, areInOrder) {
    if (areInOrder && this.#isOutsideOverlap(timestampOf(rows[0])) && this.#isOutsideOverlap(timestampOf(rows.at(-1)))) {
      return rows;
    }
    const firstRepeat = rows.findIndex((row) => this.#isRepeated(row));
    if (firstRepeat < 0) return rows;
    return [...rows.slice(0, firstRepeat), ...rows.slice(firstRepeat + 1).filter((row) => !this.#isRepeated(row))];
  }
  #isRepeated(row) {
    const timestamp = timestampOf(row);
    if (this.#isOutsideOverlap(timestamp)) return false;
    const time = timestampMs(timestamp) ?? Number.NaN;
    const isInTail = !(time < this.#currentEnd - WINDOW_OVERLAP_MS - ROUNDING_MS);
    const isInOverlap = this.#previousTail.size > 0 && !(time > this.#previousEnd + ROUNDING_MS);
    if (!isInOverlap && !isInTail) return false;
    const text = textOf(row);
    if (isInTail) this.#currentTail.set(text, (this.#currentTail.get(text) ?? 0) + 1);
    const remaining = isInOverlap ? this.#previousTail.get(text) ?? 0 : 0;
    if (remaining === 0) return false;
    this.#previousTail.set(text, remaining - 1);
    return true;
  }
  /** Compares text instead of times, which is enough for nearly every row: timestamps in UTC sort as text. */
  #isOutsideOverlap(timestamp) {
    return typeof timestamp === "string" && timestamp > this.#uniqueFrom && timestamp < this.#uniqueTo && timestamp.charCodeAt(SECONDS_LENGTH - TIME_LENGTH) === LETTER_T && timestamp.charCodeAt(timestamp.length - 1) === LETTER_Z;
  }
}
function textOf(row) {
  return JSON.stringify(row, (name, value) => name === "ordinal" ? void 0 : value);
}
function secondTextAfter(time) {
  return secondText(time + SECOND_MS);
}
function secondText(time) {
  return new Date(time).toISOString().slice(0, SECONDS_LENGTH);
}
export {
  OverlapDedup
};
