// Formats times, ages, numbers and names for tables; other formats have the exact values.

import { TIME_UNITS } from '../../core/durations.js';
import type { Person } from '../../index.js';
import { readNumber } from '../../telemetry/readings.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import type { ViewColumn } from '../output/view.js';
import { type LocalTime, localTime, type Precision } from '../time/format-time.js';

/** Returns `12 min ago` or `in 3 h`; `now` within a second. */
export function ageText(moment: number, now: number): string {
  const distance = Math.abs(now - moment);
  const unit = TIME_UNITS.find(({ ms }) => distance >= ms);
  if (!unit) return 'now';
  const count = distance / unit.ms;
  return moment > now ? `in ${Math.ceil(count)} ${unit.name}` : `${Math.floor(count)} ${unit.name} ago`;
}

/** Tolerance for the clock of a device. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** Returns the age: `12m`, `3h`; `in 400d` for a wrong clock. Up to 1 min ahead is age 0. */
export function shortAge(moment: number, now: number): string {
  const age = now - moment;
  const unit = TIME_UNITS.find(({ ms }) => Math.abs(age) >= ms);
  if (!unit || (age < 0 && age > -CLOCK_DIFFERENCE_MS)) return '0s';
  return `${age < 0 ? 'in ' : ''}${Math.floor(Math.abs(age) / unit.ms)}${unit.name.charAt(0)}`;
}

/** Returns a column of times, with `missing` in rows without one. */
export function timeColumn<Row>(
  value: (row: Row) => string | number | null | undefined,
  missing = '',
  precision: Precision = 'minute',
): Pick<ViewColumn<Row>, 'text' | 'moment'> {
  const moment = (row: Row) => timestampMs(value(row));
  return {
    moment,
    text: (row, options) => {
      const shown = moment(row);
      return shown === null ? missing : localTime(shown, precision, options);
    },
  };
}

/** Returns `2026-03-02 09:41:05+02:00 (12 min ago)`. */
export function timeAndAge(
  value: string | number | null | undefined,
  options: LocalTime & { readonly now: number },
): string {
  const moment = timestampMs(value);
  return moment === null ? '' : `${localTime(moment, 'second', options)} (${ageText(moment, options.now)})`;
}

/** Returns a whole number with separators that do not depend on the locale: `12,345`. */
export function wholeNumber(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns `59.43696, 24.75353`; empty for 0,0, which the service sends before the first fix. */
export function positionText(
  gps: { readonly latitude?: number | null; readonly longitude?: number | null } | null | undefined,
): string {
  const latitude = readNumber(gps?.latitude) ?? null;
  const longitude = readNumber(gps?.longitude) ?? null;
  if (latitude === null || longitude === null) return '';
  if (latitude === 0 && longitude === 0) return '';
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

/** Returns `1:07 h`, or `12 min` below one hour. */
export function hoursText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`;
}

const MAX_NAMES = 5;

/** Returns at most 5 names: `Van 01, Van 02 and 3 more`. */
export function namesText(names: readonly string[]): string {
  const others = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${others > 0 ? ` and ${wholeNumber(others)} more` : ''}`;
}

export function fullName({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter((part) => part !== null && part !== undefined && part !== '').join(' ');
}
