// Parses calendar words: days, weeks, months, quarters and years, in a time zone.
import { DAY_MS, isSkippedTime, momentAt, offsetAt } from '../../core/time-zone.js';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

const dayForm = /^(yesterday|today|tomorrow|(?:last[ -])?(?:sun|mon|tues|wednes|thurs|fri|satur)day)(?:[ t]+(.+))?$/;

/** A period of the calendar; `to` is the first moment after it. */
interface CalendarPeriod {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses a day with or without a time, or a time of today. A weekday is its latest date, which may
 * be today; `last friday` is never today.
 */
export function parseDay(text: string, now: number, zone: string | undefined): number | null {
  const alone = timeOfDay(text);
  if (alone !== null) return momentOfClock(todayAt(now, zone) + alone, zone);
  const [, name = '', timeText] = dayForm.exec(text) ?? [];
  if (name === '') return null;
  const time = timeOfDay(timeText ?? '00:00');
  return time === null ? null : momentOfClock(wallOfDay(name, now, zone) + time, zone);
}

/**
 * Returns the time when clocks show a local time; null when they skip it. A skipped midnight is
 * allowed, because it begins a day. `wall`: the local time, in milliseconds.
 */
export function momentOfClock(wall: number, zone: string | undefined): number | null {
  return wall % DAY_MS !== 0 && isSkippedTime(wall, zone) ? null : momentAt(wall, zone);
}

/**
 * Parses a day (`monday`, `2026-03-01`), week (`this week`, `2026-W47`), month (`last month`,
 * `2026-10`), quarter (`2026-Q3`) or year; null for other texts. Weeks begin on Monday. `text` is
 * in lower case.
 */
export function parsePeriod(text: string, now: number, zone: string | undefined): CalendarPeriod | null {
  const wall = wallPeriod(text, now, zone);
  // A day may have 23 or 25 hours.
  return wall && { from: momentAt(wall.from, zone), to: momentAt(wall.to, zone) };
}

/** Returns the period in local time; null for other texts. */
function wallPeriod(text: string, now: number, zone: string | undefined): CalendarPeriod | null {
  const [, name, rest] = dayForm.exec(text) ?? [];
  if (name !== undefined && rest === undefined) return dayFrom(wallOfDay(name, now, zone));
  const date = dateOf(text);
  if (date !== null) return dayFrom(date);
  const [, which, unit] = /^(this|last|\d+)[ -](day|week|month|quarter|year)s?(?: back)?$/.exec(text) ?? [];
  if (which === undefined || unit === undefined) return numberedPeriod(text);
  const isBack = text.endsWith(' back');
  if (isBack !== /^\d/.test(which) || (unit === 'day' && !isBack)) return null;
  return unitBefore(todayAt(now, zone), unit, isBack ? Number(which) : which === 'last' ? 1 : 0);
}

const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Returns the calendar period `back` periods before the one that contains `today`. */
function unitBefore(today: number, unit: string, back: number): CalendarPeriod {
  const months = monthsOf[unit];
  if (unit === 'day') return dayFrom(today - back * DAY_MS);
  if (months === undefined) return weekFrom(mondayOf(today) - back * 7 * DAY_MS);
  const day = new Date(today);
  return monthsFrom(day.getUTCFullYear(), (Math.floor(day.getUTCMonth() / months) - back) * months, months);
}

/** Parses `2026-W47` as in ISO 8601, `2026-10`, `2026-Q3`. */
function numberedPeriod(text: string): CalendarPeriod | null {
  const [, yearText, kind, numberText] = /^([12]\d{3})(-?[wq]|-)(\d{1,2})$/.exec(text) ?? [];
  const [year, number] = [Number(yearText), Number(numberText)];
  if (kind?.endsWith('w')) {
    // In ISO 8601 the first week contains 4 January, and the last one 28 December.
    const monday = mondayOf(Date.UTC(year, 0, 4)) + (number - 1) * 7 * DAY_MS;
    return number >= 1 && monday <= Date.UTC(year, 11, 28) ? weekFrom(monday) : null;
  }
  const months = kind?.endsWith('q') ? 3 : kind === '-' && numberText?.length === 2 ? 1 : null;
  if (months === null || number < 1 || number > 12 / months) return null;
  return monthsFrom(year, (number - 1) * months, months);
}

function mondayOf(day: number): number {
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
}

function weekFrom(monday: number): CalendarPeriod {
  return { from: monday, to: monday + 7 * DAY_MS };
}

function monthsFrom(year: number, month: number, count: number): CalendarPeriod {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + count, 1) };
}

function dayFrom(wall: number): CalendarPeriod {
  return { from: wall, to: wall + DAY_MS };
}

function todayAt(now: number, zone: string | undefined): number {
  return Math.floor((now + offsetAt(now, zone)) / DAY_MS) * DAY_MS;
}

/** Returns midnight, as local time, of a day such as `yesterday` or `last monday`. */
function wallOfDay(name: string, now: number, zone: string | undefined): number {
  const today = todayAt(now, zone);
  const [, last, day = ''] = /^(last[ -])?(.*)$/.exec(name) ?? [];
  const weekday = weekdays.indexOf(day);
  if (weekday < 0) return today + (days[name] ?? 0) * DAY_MS;
  const back = (new Date(today).getUTCDay() - weekday + 7) % 7;
  return today - (back === 0 && last !== undefined ? 7 : back) * DAY_MS;
}

/** Returns midnight in UTC of `2026-03-01` or `1.3.2026`; null for a date that does not exist. */
export function dateOf(text: string): number | null {
  const iso = isoDate(text);
  if (iso === null) return null;
  const date = Date.parse(`${iso}T00:00:00Z`);
  // Date.parse reads 30 February as 2 March.
  return !Number.isNaN(date) && new Date(date).toISOString().startsWith(`${iso}T`) ? date : null;
}

/** Returns true for a well-formed date that does not exist, such as 31 November. */
export function isMissingDay(text: string): boolean {
  const [date = ''] = text.split(/[Tt ]/);
  return isoDate(date) !== null && dateOf(date) === null;
}

/** Dots mean that the day comes first; slashes are ambiguous and not accepted. */
function isoDate(text: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  if (day === undefined || month === undefined || year === undefined) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Returns milliseconds since midnight; null for an invalid time. `24:00` is the day's end. */
export function timeOfDay(text: string): number | null {
  if (/^24:00(:00)?$/.test(text)) return DAY_MS;
  const twelveHour = /^(\d{1,2})(:\d{2})? *([ap])m$/i.exec(text);
  if (twelveHour) {
    const hour = Number(twelveHour[1]);
    if (hour < 1 || hour > 12) return null;
    return timeOfDay(`${(hour % 12) + (twelveHour[3]?.toLowerCase() === 'p' ? 12 : 0)}${twelveHour[2] ?? ':00'}`);
  }
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?$/.exec(text);
  if (!match) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return hours * 3_600_000 + minutes * 60_000 + seconds * 1_000 + Math.floor(Number(match[4] ?? 0) * 1_000);
}
