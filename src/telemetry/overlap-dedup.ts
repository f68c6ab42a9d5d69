// Drops the rows that two overlapping windows both contain. It drops as many identical rows at the
// start of a window as the previous window had at its end.
import { timestampMs, timestampOf } from './timestamps.js';
import { ROUNDING_MS, WINDOW_OVERLAP_MS } from './window.js';

const SECOND_MS = 1000;
const SECONDS_LENGTH = '2026-03-01T12:00:00'.length;
const TIME_LENGTH = 'T12:00:00'.length;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

export class OverlapDedup {
  #previousEnd = Number.NEGATIVE_INFINITY;
  #currentEnd = Number.NEGATIVE_INFINITY;
  #previousTail = new Map<string, number>();
  #currentTail = new Map<string, number>();
  /** Rows with a timestamp between these are outside of both overlaps. */
  #uniqueFrom = '';
  #uniqueTo = '';

  beginWindow(end: number): void {
    this.#previousEnd = this.#currentEnd;
    this.#currentEnd = end;
    this.#previousTail = this.#currentTail;
    this.#currentTail = new Map();
    this.#uniqueFrom =
      this.#previousEnd === Number.NEGATIVE_INFINITY ? '' : secondText(this.#previousEnd + ROUNDING_MS + SECOND_MS);
    this.#uniqueTo = secondText(this.#currentEnd - WINDOW_OVERLAP_MS - ROUNDING_MS);
  }

  /** Returns the rows that the previous window did not have. `areInOrder`: see `WindowOrder`. */
  removeRepeats(rows: readonly unknown[], areInOrder: boolean): readonly unknown[] {
    // The fast path of nearly all batches: when first and last row are outside, all rows are.
    if (
      areInOrder &&
      this.#isOutsideOverlap(timestampOf(rows[0])) &&
      this.#isOutsideOverlap(timestampOf(rows.at(-1)))
    ) {
      return rows;
    }
    const firstRepeat = rows.findIndex((row) => this.#isRepeated(row));
    if (firstRepeat < 0) return rows;
    return [...rows.slice(0, firstRepeat), ...rows.slice(firstRepeat + 1).filter((row) => !this.#isRepeated(row))];
  }

  #isRepeated(row: unknown): boolean {
    const timestamp = timestampOf(row);
    if (this.#isOutsideOverlap(timestamp)) return false;
    const time = timestampMs(timestamp) ?? Number.NaN;
    // A row without a timestamp may be anywhere in its window.
    const isInTail = !(time < this.#currentEnd - WINDOW_OVERLAP_MS - ROUNDING_MS);
    const isInOverlap = this.#previousTail.size > 0 && !(time > this.#previousEnd + ROUNDING_MS);
    if (!isInOverlap && !isInTail) return false;
    const text = textOf(row);
    if (isInTail) this.#currentTail.set(text, (this.#currentTail.get(text) ?? 0) + 1);
    const remaining = isInOverlap ? (this.#previousTail.get(text) ?? 0) : 0;
    if (remaining === 0) return false;
    this.#previousTail.set(text, remaining - 1);
    return true;
  }

  /** Compares as text, which is enough for nearly every row: UTC timestamps sort as text. */
  #isOutsideOverlap(timestamp: unknown): boolean {
    return (
      typeof timestamp === 'string' &&
      timestamp > this.#uniqueFrom &&
      timestamp < this.#uniqueTo &&
      timestamp.charCodeAt(SECONDS_LENGTH - TIME_LENGTH) === LETTER_T &&
      timestamp.charCodeAt(timestamp.length - 1) === LETTER_Z
    );
  }
}

/** Leaves out `ordinal`: it may differ when a window begins or ends within a millisecond. */
function textOf(row: unknown): string {
  return JSON.stringify(row, (name, value: unknown) => (name === 'ordinal' ? undefined : value));
}

function secondText(time: number): string {
  return new Date(time).toISOString().slice(0, SECONDS_LENGTH);
}
