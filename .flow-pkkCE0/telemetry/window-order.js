import { Moments } from "./moments.js";
import { inTimeOrder } from "./time-order.js";
import { TimestampReader } from "./timestamp-reader.js";
import { finerTimeOf, timestampMs, timestampOf } from "./timestamps.js";
const ROUNDING_MS = 1e3;
const LETTER_Z = 90;
class WindowOrder {
  #window;
  #timestamps = new TimestampReader();
  #moments = new Moments();
  #batches = [];
  #last = "";
  #isOrdered = true;
  #allHaveTimes = true;
  constructor(window) {
    this.#window = window;
  }
  add(rows) {
    this.#batches.push(rows);
    for (const row of rows) {
      const timestamp = timestampOf(row);
      this.#moments.add(row, timestamp);
      if (timestamp === null) {
        this.#allHaveTimes = false;
        continue;
      }
      if (this.#isOrdered && !isAfter(timestamp, this.#last)) this.#isOrdered = false;
      this.#last = timestamp;
    }
  }
  /** Whether every row so far has a timestamp, and they came in order: each row lies between any two around it. */
  get isInOrder() {
    return this.#isOrdered && this.#allHaveTimes;
  }
  /** All rows in batches, each row with its `ordinal`. What has been taken is not kept. */
  *take() {
    this.#moments.end();
    if (!this.#isOrdered) this.#batches = [this.#sorted()];
    for (let next = this.#batches.shift(); next !== void 0; next = this.#batches.shift()) yield next;
  }
  #sorted() {
    const rows = inTimeOrder(
      this.#batches.flat(),
      (row) => this.#timeOf(row),
      (row) => finerTimeOf(timestampOf(row))
    );
    const moments = new Moments();
    for (const row of rows) moments.add(row, timestampOf(row));
    moments.end();
    return rows;
  }
  /** How many rows are from outside of the window, so that they are out of order with the rows of other windows. Call it before `take`. */
  countOutside() {
    const first = this.#batches.at(0)?.at(0);
    const last = this.#batches.at(-1)?.at(-1);
    if (this.#isOrdered && !this.#isOutside(first) && !this.#isOutside(last)) return 0;
    return this.#batches.flat().filter((row) => this.#isOutside(row)).length;
  }
  #isOutside(row) {
    const time = this.#timeOf(row);
    return time !== null && (time < this.#window.from - ROUNDING_MS || time > this.#window.to + ROUNDING_MS);
  }
  #timeOf(row) {
    return this.#timestamps.read(timestampOf(row));
  }
}
function isAfter(timestamp, last) {
  if (last === "" || timestamp === last) return true;
  if (typeof timestamp === "string" && typeof last === "string" && isUtc(timestamp) && isUtc(last)) {
    if (timestamp.length === last.length && timestamp > last) return true;
  }
  const [time, lastTime] = [timestampMs(timestamp) ?? 0, timestampMs(last) ?? 0];
  return time === lastTime ? finerTimeOf(timestamp) >= finerTimeOf(last) : time > lastTime;
}
function isUtc(timestamp) {
  return timestamp.charCodeAt(timestamp.length - 1) === LETTER_Z;
}
export {
  WindowOrder
};
