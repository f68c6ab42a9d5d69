// The axes of the chart of a day: round speeds and round times.
import type { Units } from './format.js';

const KM_PER_MILE = 1.609344;

/** Round values from 0 up to the one that no speed is above, in the unit that is shown. `kmh`: where the line stands. */
export function speedTicks(topKmh: number, units: Units): readonly { readonly value: number; readonly kmh: number }[] {
  const unit = units === 'metric' ? 1 : KM_PER_MILE;
  const step = [10, 20, 30, 50, 100].find((each) => each * 3 >= topKmh / unit) ?? 200;
  const count = Math.max(1, Math.ceil(topKmh / unit / step));
  return Array.from({ length: count + 1 }, (_, index) => ({ value: index * step, kmh: index * step * unit }));
}

/** Minutes. Days begin at midnight of the zone, and most zones differ from UTC by whole hours or halves. */
const steps = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440];

/** Round moments from `from` on, at most as many as have room. */
export function timeTicks(from: number, to: number, most: number): readonly number[] {
  const minutes = (to - from) / 60_000;
  const days = Math.ceil(minutes / 1_440 / Math.max(1, most));
  const step = (steps.find((each) => minutes / each <= most) ?? days * 1_440) * 60_000;
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step).slice(1);
}
