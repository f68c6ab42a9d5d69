// Sorts rows that arrive slightly late. It holds back the rows of the last `lateMs`.

/** The default `lateMs` for trips and tracks. */
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
  /** A row far ahead of the others. Accepted when the next one is far ahead too. */
  #ahead: Timed<Row> | null = null;
  droppedAhead = 0;
  #lastTaken = Number.NEGATIVE_INFINITY;

  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  /** Adds a row. Returns false when a later row was already returned. */
  add(time: number, row: Row): boolean {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null && time > this.#newest + FAR_AHEAD_MS) this.#insert(ahead.time, ahead.row);
    else if (ahead !== null) this.droppedAhead++;
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

  /** Returns the oldest row, once no earlier row can arrive; else null. */
  take(): Timed<Row> | null {
    return this.#takeUntil(this.#newest - this.#lateMs);
  }

  /** Returns the oldest row, when no more rows arrive; null at the end. */
  takeAny(): Timed<Row> | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null) this.droppedAhead++;
    return this.#takeUntil(Number.POSITIVE_INFINITY);
  }

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

/** No vehicle is silent for this long and then sends a single row; device clocks jump by years. */
const FAR_AHEAD_MS = 30 * 24 * 3_600_000;

/** Returned rows stay in the array until there are this many. */
const COMPACT_AFTER = 256;
