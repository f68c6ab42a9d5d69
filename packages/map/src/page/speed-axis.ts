// Round values for the axes of the day's chart.
import { KM_PER_MILE, type Units } from './format.js';

/** Returns round values in the displayed unit, from 0 to at least the top speed. */
export function speedTicks(topKmh: number, units: Units): readonly { readonly value: number; readonly kmh: number }[] {
  const unit = units === 'metric' ? 1 : KM_PER_MILE;
  const step = [10, 20, 30, 50, 100].find((each) => each * 3 >= topKmh / unit) ?? 200;
  const count = Math.max(1, Math.ceil(topKmh / unit / step));
  return Array.from({ length: count + 1 }, (_, index) => ({ value: index * step, kmh: index * step * unit }));
}

/** In minutes. */
const steps = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440];

/** Returns at most `most` round times after `from`, whose time of day is `minuteOfDay`. */
export function timeTicks(from: number, to: number, most: number, minuteOfDay: number): readonly number[] {
  const minutes = (to - from) / 60_000;
  const days = Math.ceil(minutes / 1_440 / Math.max(1, most));
  const step = (steps.find((each) => minutes / each <= most) ?? days * 1_440) * 60_000;
  const first = from - ((minuteOfDay * 60_000) % step);
  const count = Math.ceil((to - first) / step);
  return Array.from({ length: count }, (_, index) => first + index * step).filter((time) => time > from);
}
