// Where two windows meet, the rows of the time they share come twice. As often as a row came at the end of one window, an identical
// one is dropped at the beginning of the next.
import { toDate } from '../core/dates.js';
import { OVERLAP_MS } from './windows.js';

/** A service may round the ends of a window to whole seconds. */
const ROUNDING_MS = 1000;
const SECOND_MS = 1000;
const SECONDS_LENGTH = '2026-03-01T12:00:00'.length;
const TIME_LENGTH = 'T12:00:00'.length;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

export class OverlapDedup {
  #ended = Number.NEGATIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;
  #before = new Map<string, number>();
  #tail = new Map<string, number>();
  /** Timestamps between these two are nowhere near a seam. */
  #calmFrom = '';
  #calmTo = '';

  /** A window begins that ends then. */
  begin(end: number): void {
    this.#ended = this.#end;
    this.#end = end;
    this.#before = this.#tail;
    this.#tail = new Map();
    this.#calmFrom = this.#ended === Number.NEGATIVE_INFINITY ? '' : secondAfter(this.#ended + ROUNDING_MS);
    this.#calmTo = secondBefore(this.#end - OVERLAP_MS - ROUNDING_MS);
  }

  /** Those of the window's rows that were not given with the window before. */
  fresh(rows: unknown[]): unknown[] {
    const first = rows.findIndex((row) => this.#isRepeated(row));
    if (first < 0) return rows;
    return [...rows.slice(0, first), ...rows.slice(first + 1).filter((row) => !this.#isRepeated(row))];
  }

  #isRepeated(row: unknown): boolean {
    const timestamp = timestampOf(row);
    if (this.#isCalm(timestamp)) return false;
    const time = timeOf(timestamp);
    // A row without a time may be from anywhere in its window.
    const isLate = !(time < this.#end - OVERLAP_MS - ROUNDING_MS);
    const isShared = this.#before.size > 0 && !(time > this.#ended + ROUNDING_MS);
    if (!isShared && !isLate) return false;
    const text = JSON.stringify(row);
    if (isLate) this.#tail.set(text, (this.#tail.get(text) ?? 0) + 1);
    const left = isShared ? (this.#before.get(text) ?? 0) : 0;
    if (left === 0) return false;
    this.#before.set(text, left - 1);
    return true;
  }

  /** Tells without reading the time, as it is for nearly every row: of timestamps in UTC the order of texts is the order of times. */
  #isCalm(timestamp: unknown): boolean {
    return (
      typeof timestamp === 'string' &&
      timestamp > this.#calmFrom &&
      timestamp < this.#calmTo &&
      timestamp.charCodeAt(SECONDS_LENGTH - TIME_LENGTH) === LETTER_T &&
      timestamp.charCodeAt(timestamp.length - 1) === LETTER_Z
    );
  }
}

/** The whole second after a time, as the beginning of its text. */
function secondAfter(time: number): string {
  return secondBefore(time + SECOND_MS);
}

function secondBefore(time: number): string {
  return new Date(time).toISOString().slice(0, SECONDS_LENGTH);
}

function timestampOf(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'timestamp' in row ? row.timestamp : undefined;
}

/** A time in milliseconds; NaN when there is none. */
function timeOf(timestamp: unknown): number {
  if (typeof timestamp !== 'string' && typeof timestamp !== 'number') return Number.NaN;
  try {
    return toDate(timestamp).getTime();
  } catch {
    return Number.NaN;
  }
}
