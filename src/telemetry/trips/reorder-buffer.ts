// Puts rows that arrive a little late in order. It holds back the rows of the last `lateMs`.

/** Default of `lateMs` in the options of trips and of tracks. */
export const defaultLateMs = 60_000;

export interface Timed<Row> {
  readonly time: number;
  readonly row: Row;
}

export class ReorderBuffer<Row> {
  readonly #lateMs: number;
  #held: Timed<Row>[] = [];
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;
  /** A row that is far ahead of the others. It counts when the next one is far ahead too. */
  #ahead: Timed<Row> | null = null;
  /** Number of rows that were far ahead, and left out. */
  wrongAhead = 0;
  #lastTaken = Number.NEGATIVE_INFINITY;

  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  /** Adds a row. False when the row is older than one that has been taken, which is too late. */
  add(time: number, row: Row): boolean {
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

  #insert(time: number, row: Row): boolean {
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
  take(): Timed<Row> | null {
    return this.#takeUntil(this.#newest - this.#lateMs);
  }

  /** The oldest row, when no more rows will arrive; null when there is none. */
  takeAny(): Timed<Row> | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null) this.wrongAhead++;
    return this.#takeUntil(Number.POSITIVE_INFINITY);
  }

  /** The time of the oldest row that is held back; null when there is none. */
  get oldest(): number | null {
    return this.#held[this.#next]?.time ?? this.#ahead?.time ?? null;
  }

  #takeUntil(time: number): Timed<Row> | null {
    const first = this.#held[this.#next];
    if (first === undefined || first.time > time) return null;
    this.#next++;
    this.#lastTaken = first.time;
    if (this.#next >= COMPACT_AFTER && this.#next * 2 > this.#held.length) {
      this.#held = this.#held.slice(this.#next);
      this.#next = 0;
    }
    return first;
  }
}

/** No vehicle is silent for so long and then sends one row; the clocks of devices jump by years. */
const FAR_AHEAD_MS = 30 * 24 * 3_600_000;

/** Rows that have been taken stay in the array until there are this many. */
const COMPACT_AFTER = 256;
