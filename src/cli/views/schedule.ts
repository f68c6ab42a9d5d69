// View of work schedules.
import { durationText } from '../../core/durations.js';
import type { WorkSchedule } from '../../index.js';
import type { View } from '../output/view.js';

export const scheduleView: View<WorkSchedule> = {
  columns: [
    { title: 'NAME', text: (schedule) => schedule.name ?? '', min: 10, rank: 0 },
    { title: 'DEFAULT', text: ({ isDefault }) => (isDefault ? 'yes' : ''), rank: 3 },
    { title: 'PERIODS', text: periodsText, min: 26, rank: 2 },
    { title: 'ID', text: (schedule) => schedule.id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  details: [
    { title: 'Name', text: (schedule) => schedule.name ?? '' },
    { title: 'Default', text: ({ isDefault }) => (isDefault ? 'yes: used where no other schedule is set' : '') },
    { title: 'Periods', text: periodsText },
    { title: 'Grace before', text: ({ beginGrace }) => graceText(beginGrace) },
    { title: 'Grace after', text: ({ endGrace }) => graceText(endGrace) },
    { title: 'Id', text: (schedule) => schedule.id ?? '' },
    { title: 'Fleet id', text: (schedule) => schedule.fleetId ?? '' },
  ],
  fields: ['id', 'name', 'isDefault', 'beginGrace', 'endGrace', 'periods.weekday', 'periods.begin', 'periods.duration'],
};

const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns `Mon-Fri 08:00 for 540 (9 h if in minutes)`, because the contract defines no unit. */
function periodsText({ periods }: WorkSchedule): string {
  const days = new Map<string, string[]>();
  for (const period of periods ?? []) {
    if (!period) continue;
    const hours = [period.begin, typeof period.duration === 'number' ? `for ${lengthText(period.duration)}` : ''];
    const text = hours.filter((part) => part !== null && part !== undefined && part !== '').join(' ');
    days.set(text, [...(days.get(text) ?? []), dayText(period.weekday)]);
  }
  return [...days].map(([hours, names]) => `${daysText(names)} ${hours}`.trim()).join('; ');
}

/** Joins day names; three or more consecutive days become a range. */
function daysText(names: readonly string[]): string {
  const runs: string[][] = [];
  for (const name of names) {
    const run = runs.at(-1);
    const isNext = run !== undefined && week.indexOf(name) > 0 && week[week.indexOf(name) - 1] === run.at(-1);
    if (isNext) run.push(name);
    else runs.push([name]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(' '))).join(' ');
}

/** Returns `Mon` for `MONDAY`; other values unchanged. */
function dayText(weekday: unknown): string {
  const text = String(weekday ?? '');
  return /^[A-Z]{6,}$/.test(text) ? text.charAt(0) + text.slice(1, 3).toLowerCase() : text;
}

/** The contract defines no unit; minutes are the most likely one. */
function lengthText(value: number): string {
  return value > 60 ? `${value} (${durationText(value * 60_000)} if in minutes)` : `${value} (if in minutes)`;
}

function graceText(value: number | null | undefined): string {
  return typeof value === 'number' ? `${value} (the service names no unit; minutes are likeliest)` : '';
}
