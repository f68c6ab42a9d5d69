// Where two windows meet, the rows of the time they share come twice. As often as a row came at the end of one window, an identical
// one is dropped at the beginning of the next.
import { toDate } from '../to-date.js';
import { OVERLAP_MS } from './windows.js';

/** A service may round the ends of a window to whole seconds. */
const ROUNDING_MS = 1000;

export class Seam {
  #ended = Number.NEGATIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;
  #before = new Map<string, number>();
  #tail = new Map<string, number>();

  /** A window begins that ends then. */
  begin(end: number): void {
    this.#ended = this.#end;
    this.#end = end;
    this.#before = this.#tail;
    this.#tail = new Map();
  }

  /** Whether this row of the window was given with the one before. */
  isRepeated(row: unknown): boolean {
    const time = timeOf(row);
    const isShared = this.#before.size > 0 && time <= this.#ended + ROUNDING_MS;
    const isLate = time >= this.#end - OVERLAP_MS - ROUNDING_MS;
    if (!isShared && !isLate) return false;
    const text = JSON.stringify(row);
    if (isLate) this.#tail.set(text, (this.#tail.get(text) ?? 0) + 1);
    const left = isShared ? (this.#before.get(text) ?? 0) : 0;
    if (left === 0) return false;
    this.#before.set(text, left - 1);
    return true;
  }
}

/** A row's time in milliseconds; NaN, which is neither early nor late, when it has none. */
function timeOf(row: unknown): number {
  if (typeof row !== 'object' || row === null || !('timestamp' in row)) return Number.NaN;
  const { timestamp } = row;
  if (typeof timestamp === 'string') {
    // Text of this form Date.parse reads right and fast.
    if (timestamp.endsWith('Z')) return Date.parse(timestamp);
  } else if (typeof timestamp !== 'number') return Number.NaN;
  try {
    return toDate(timestamp).getTime();
  } catch {
    return Number.NaN;
  }
}
