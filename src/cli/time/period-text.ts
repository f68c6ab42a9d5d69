// Formats a period with its dates: `on Sunday, 2026-03-01` for "yesterday".
import { DAY_MS } from '../../core/time-zone.js';
import { localDate, localTime } from './format-time.js';

export interface ShownPeriod {
  readonly from: number;
  /** The first moment after it. */
  readonly end: number;
  readonly isOfDays: boolean;
}

/** Returns `on Sunday, 2026-03-01`, `from … to …` with weekdays, or with times. */
export function periodText({ from, end, isOfDays }: ShownPeriod, zone: string | undefined): string {
  if (!isOfDays) {
    const time = (moment: number) => localTime(moment, 'minute', { zone, offset: null });
    return `from ${time(from)} to ${time(end)}`;
  }
  const [first, last] = [localDate(from, zone), localDate(end - 1, zone)];
  return first === last ? `on ${withWeekday(first)}` : `from ${withWeekday(first)} to ${withWeekday(last)}`;
}

const weekdays = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'];

/** Returns `Sunday, 2026-03-01`. The first day of 1970 was a Thursday. */
export function withWeekday(date: string): string {
  const days = Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  return `${weekdays[((days % 7) + 7) % 7]}, ${date}`;
}
