// Puts snapshots in order that come a little late. What is held back is bounded by time: rows of the last `lateMs`.

export interface Timed<Row> {
  readonly time: number;
  readonly row: Row;
}

export class ReorderBuffer<Row> {
  readonly #lateMs: number;
  #held: Timed<Row>[] = [];
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;
  #given = Number.NEGATIVE_INFINITY;

  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  /** False when the row is older than one that was already given: too late to be put in its place. */
  add(time: number, row: Row): boolean {
    if (time < this.#given) return false;
    const held = this.#held;
    let place = held.length;
    if (time >= this.#newest) this.#newest = time;
    else {
      while (place > this.#next && (held[place - 1]?.time ?? 0) > time) place--;
    }
    if (place === held.length) held.push({ time, row });
    else held.splice(place, 0, { time, row });
    return true;
  }

  /** The oldest row that nothing can come before any more; null when there is none. */
  take(): Timed<Row> | null {
    return this.#takeUntil(this.#newest - this.#lateMs);
  }

  /** The oldest row, when no more will come. */
  takeAny(): Timed<Row> | null {
    return this.#takeUntil(Number.POSITIVE_INFINITY);
  }

  #takeUntil(time: number): Timed<Row> | null {
    const first = this.#held[this.#next];
    if (first === undefined || first.time > time) return null;
    this.#next++;
    this.#given = first.time;
    if (this.#next >= SPENT && this.#next * 2 > this.#held.length) {
      this.#held = this.#held.slice(this.#next);
      this.#next = 0;
    }
    return first;
  }
}

/** Rows that were given stay in the array until there are so many. */
const SPENT = 256;
