// The lines of a file of assignments, and which of them cannot be true together.
import type { InputLine } from '../../input/read-input.js';
import type { Pair } from './outcome.js';

/** A line of the file. Times in milliseconds. */
export interface Shift extends Pair {
  readonly line: number;
  readonly source: InputLine;
  /** Now, when the file does not say it. */
  readonly start: number;
  /** Null for an assignment that lasts until the next one. */
  readonly end: number | null;
}

/** Lines that cannot be true together: the service would change one for the other, again in each run. */
export function* problemsIn(shifts: readonly Shift[]): Generator<string> {
  for (const { line, start, end } of shifts)
    if (end !== null && end <= start) yield `line ${line}: it ends before it begins`;
  const last = new Map<string, Shift>();
  for (const shift of shifts) {
    for (const key of [`vehicle ${shift.vehicleId}`, `driver ${shift.driverId}`]) {
      const before = last.get(key);
      if (before && (before.start === shift.start || (before.end !== null && before.end > shift.start))) {
        yield `line ${shift.line}: it overlaps with line ${before.line}, which has the same ${key.split(' ')[0]}`;
      }
      if (!before || before.end === null || (shift.end ?? Number.POSITIVE_INFINITY) > before.end) last.set(key, shift);
    }
  }
}
