const defaultLateMs = 6e4;
class ReorderBuffer {
  #lateMs;
  #held = [];
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;
  /** A row that is far ahead of the others. It counts when the next one is far ahead too. */
  #ahead = null;
  /** Number of rows that were far ahead, and left out. */
  wrongAhead = 0;
  #lastTaken = Number.NEGATIVE_INFINITY;
  constructor(lateMs) {
    this.#lateMs = lateMs;
  }
  /** Adds a row. False when the row is older than one that has been taken, which is too late. */
  add(time, row) {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null && time > this.#newest + FAR_AHEAD_MS) this.#insert(ahead.time, ahead.row);
    else if (ahead !== null) this.wrongAhead++;
    if (time > this.#newest + FAR_AHEAD_MS && Number.isFinite(this.#newest)) {
      this.#ahead = { time, row };
      return true;
    }
    return this.#insert(time, row);
  }
  #insert(time, row) {
    if (time < this.#lastTaken) return false;
    const held = this.#held;
    let index = held.length;
    if (time >= this.#newest) this.#newest = time;
    else {
      while (index > this.#next && (held[index - 1]?.time ?? 0) > time) index--;
    }
    if (index === held.length) held.push({ time, row });
    else held.splice(index, 0, { time, row });
    return true;
  }
  /** The oldest row, once no earlier row can arrive any more; null when there is none. */
  take() {
    return this.#takeUntil(this.#newest - this.#lateMs);
  }
  /** The oldest row, when no more rows will arrive; null when there is none. */
  takeAny() {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null) this.wrongAhead++;
    return this.#takeUntil(Number.POSITIVE_INFINITY);
  }
  /** The time of the oldest row that is held back; null when there is none. */
  get oldest() {
    return this.#held[this.#next]?.time ?? this.#ahead?.time ?? null;
  }
  #takeUntil(time) {
    const first = this.#held[this.#next];
    if (first === void 0 || first.time > time) return null;
    this.#next++;
    this.#lastTaken = first.time;
    if (this.#next >= COMPACT_AFTER && this.#next * 2 > this.#held.length) {
      this.#held = this.#held.slice(this.#next);
      this.#next = 0;
    }
    return first;
  }
}
const FAR_AHEAD_MS = 30 * 24 * 36e5;
const COMPACT_AFTER = 256;
export {
  ReorderBuffer,
  defaultLateMs
};
