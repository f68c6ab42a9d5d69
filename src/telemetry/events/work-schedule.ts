// Reads the hours of work schedules. The contract gives neither types nor units of their periods.
// Only the likeliest form is read, and a warning shows how; any other form is refused.
import { isObject } from '../../core/json.js';
import { DAY_MINUTES, minuteOfDay, WeeklyHours, type WeekPeriod, weekdays } from './weekly-hours.js';

export interface WorkScheduleRow {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly isDeleted?: boolean | null;
  readonly periods?: unknown;
}

export const workScheduleSelection = {
  id: true,
  name: true,
  isDeleted: true,
  periods: { weekday: true, begin: true, duration: true },
} as const;

export type ScheduleHours =
  | { readonly hours: WeeklyHours /** `mon 08:00-17:00, …` */; readonly text: string }
  | { readonly problem: string };

/** Reads the periods: an English weekday, `HH:MM`, and a duration in minutes. */
export function hoursOfSchedule({ periods }: WorkScheduleRow): ScheduleHours {
  if (!Array.isArray(periods) || periods.length === 0) return { problem: 'it has no periods' };
  const read: WeekPeriod[] = [];
  for (const period of periods) {
    const one = isObject(period) ? periodOf(period) : 'a period is missing';
    if (typeof one === 'string') return { problem: one };
    read.push(one);
  }
  return { hours: WeeklyHours.of(read), text: read.map(periodText).join(', ') };
}

/** Returns the period, or the reason why it cannot be read. */
function periodOf({ weekday, begin, duration }: Readonly<Record<string, unknown>>): WeekPeriod | string {
  const day = typeof weekday === 'string' ? weekdays.find((name) => isDay(weekday, name)) : undefined;
  if (day === undefined) return `weekday ${JSON.stringify(weekday)} is not the English name of a day`;
  const minute = typeof begin === 'string' ? minuteOfDay(begin.replace(/^(\d+:\d\d):00$/, '$1')) : null;
  if (minute === null || minute === DAY_MINUTES) return `begin ${JSON.stringify(begin)} is not a time such as 08:00`;
  if (typeof duration !== 'number' || !Number.isInteger(duration) || duration < 1 || duration > DAY_MINUTES) {
    return `duration ${JSON.stringify(duration)} is not a number of minutes up to a day`;
  }
  return { day, begin: minute, minutes: duration };
}

function isDay(text: string, name: string): boolean {
  const word = text.trim().toLowerCase();
  return word === name || (/^[a-z]+day$/.test(word) && word.startsWith(name));
}

function periodText({ day, begin, minutes }: WeekPeriod): string {
  return `${day} ${clockText(begin)}-${clockText((begin + minutes) % DAY_MINUTES)}`;
}

function clockText(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
