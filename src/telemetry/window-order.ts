// Sorts the rows of a stream's window by time, and numbers them within each millisecond. Most
// services send sorted rows; the contract promises no order.

import type { Timestamp } from '../core/dates.js';
import { RowNumbering } from './row-numbering.js';
import { inTimeOrder } from './time-order.js';
import { TimestampReader } from './timestamp-reader.js';
import { subMillisecondsOf, timestampMs, timestampOf } from './timestamps.js';
import { ROUNDING_MS, type Window } from './window.js';

const LETTER_Z = 0x5a;

export class WindowOrder {
  readonly #window: Window;
  readonly #timestamps = new TimestampReader();
  readonly #numbering = new RowNumbering();
  #batches: (readonly unknown[])[] = [];
  #last: Timestamp = '';
  #isOrdered = true;
  #allHaveTimes = true;

  constructor(window: Window) {
    this.#window = window;
  }

  add(rows: readonly unknown[]): void {
    this.#batches.push(rows);
    for (const row of rows) {
      const timestamp = timestampOf(row);
      this.#numbering.add(row, timestamp);
      if (timestamp === null) {
        this.#allHaveTimes = false;
        continue;
      }
      if (this.#isOrdered && !isAfter(timestamp, this.#last)) this.#isOrdered = false;
      this.#last = timestamp;
    }
  }

  /** True when every row so far has a timestamp, and they came in order. */
  get isInOrder(): boolean {
    return this.#isOrdered && this.#allHaveTimes;
  }

  /** Yields all rows in batches, each row with its `ordinal`. Yielded batches are released. */
  *take(): Generator<readonly unknown[], void> {
    this.#numbering.end();
    if (!this.#isOrdered) this.#batches = [this.#sorted()];
    for (let next = this.#batches.shift(); next !== undefined; next = this.#batches.shift()) yield next;
  }

  #sorted(): readonly unknown[] {
    const rows = inTimeOrder(
      this.#batches.flat(),
      (row) => this.#timeOf(row),
      (row) => subMillisecondsOf(timestampOf(row)),
    );
    const numbering = new RowNumbering();
    for (const row of rows) numbering.add(row, timestampOf(row));
    numbering.end();
    return rows;
  }

  /** Returns the number of rows outside of the window. Call it before `take`. */
  countOutside(): number {
    const first = this.#batches.at(0)?.at(0);
    const last = this.#batches.at(-1)?.at(-1);
    // Sorted rows are inside if the first and the last one are.
    if (this.#isOrdered && !this.#isOutside(first) && !this.#isOutside(last)) return 0;
    return this.#batches.flat().filter((row) => this.#isOutside(row)).length;
  }

  #isOutside(row: unknown): boolean {
    const time = this.#timeOf(row);
    return time !== null && (time < this.#window.from - ROUNDING_MS || time > this.#window.to + ROUNDING_MS);
  }

  #timeOf(row: unknown): number | null {
    return this.#timestamps.read(timestampOf(row));
  }
}

/** Compares as text, enough for nearly every row: UTC timestamps of equal length sort as text. */
function isAfter(timestamp: Timestamp, last: Timestamp): boolean {
  if (last === '' || timestamp === last) return true;
  if (typeof timestamp === 'string' && typeof last === 'string' && isUtc(timestamp) && isUtc(last)) {
    if (timestamp.length === last.length && timestamp > last) return true;
  }
  const [time, lastTime] = [timestampMs(timestamp) ?? 0, timestampMs(last) ?? 0];
  return time === lastTime ? subMillisecondsOf(timestamp) >= subMillisecondsOf(last) : time > lastTime;
}

function isUtc(timestamp: string): boolean {
  return timestamp.charCodeAt(timestamp.length - 1) === LETTER_Z;
}
