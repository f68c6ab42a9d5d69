// The hours of the week in which a rule counts, in local time. They follow daylight saving.
import { DAY_MS, offsetAt } from '../../core/time-zone.js';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** A weekly period. A period over midnight belongs to the day on which it begins. */
export interface WeekPeriod {
  readonly day: Weekday;
  readonly begin: number;
  /** By the local clock. */
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** 1970 began on a Thursday. */
const FIRST_MINUTE = 3 * DAY_MINUTES;

export class WeeklyHours {
  /** 1 for each open minute of the week, from Monday 00:00. */
  readonly #open: Uint8Array;
  /** Cache of `firstOpen` by zone: the last closed period. */
  readonly #closed = new Map<string | undefined, { readonly from: number; readonly to: number }>();

  private constructor(open: Uint8Array) {
    this.#open = open;
  }

  static of(periods: readonly WeekPeriod[]): WeeklyHours {
    const open = new Uint8Array(WEEK_MINUTES);
    for (const { day, begin, minutes } of periods) {
      const first = weekdays.indexOf(day) * DAY_MINUTES + begin;
      for (let minute = first; minute < first + minutes; minute++) open[minute % WEEK_MINUTES] = 1;
    }
    return new WeeklyHours(open);
  }

  complement(): WeeklyHours {
    return new WeeklyHours(this.#open.map((isOpen) => 1 - isOpen));
  }

  intersect(other: WeeklyHours): WeeklyHours {
    return new WeeklyHours(this.#open.map((isOpen, minute) => isOpen & (other.#open[minute] ?? 0)));
  }

  get isEmpty(): boolean {
    return !this.#open.includes(1);
  }

  /** `zone`: an IANA name; undefined for the zone of the machine. */
  isOpenAt(time: number, zone: string | undefined): boolean {
    return this.#isOpenMinute(Math.floor((time + offsetAt(time, zone)) / MINUTE_MS));
  }

  /** Returns the first open time from `time` on: `time` itself or later; Infinity without one. */
  firstOpen(time: number, zone: string | undefined): number {
    const closed = this.#closed.get(zone);
    if (closed !== undefined && time >= closed.from && time < closed.to) return closed.to;
    const first = this.isEmpty ? Number.POSITIVE_INFINITY : this.#search(time, zone);
    if (first > time && (first < Number.POSITIVE_INFINITY || this.isEmpty)) {
      this.#closed.set(zone, { from: time, to: first });
    }
    return first;
  }

  /** Returns the first open time from `time` on; Infinity without one in the next two weeks. */
  #search(time: number, zone: string | undefined): number {
    // Two weeks, as a clock change may skip hours of one; a day more for a change of offset.
    for (let from = time; from < time + 15 * DAY_MS; ) {
      const offset = offsetAt(from, zone);
      const until = endOfOffset(from, from + DAY_MS, offset, zone);
      const first = this.#firstOpenWall(from + offset) - offset;
      if (first < until) return first;
      from = until;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** `wall`: local time as if it were UTC, in milliseconds. */
  #firstOpenWall(wall: number): number {
    const now = Math.floor(wall / MINUTE_MS);
    if (this.#isOpenMinute(now)) return wall;
    for (let minute = now + 1; minute <= now + WEEK_MINUTES; minute++) {
      if (this.#isOpenMinute(minute)) return minute * MINUTE_MS;
    }
    return Number.POSITIVE_INFINITY;
  }

  #isOpenMinute(wallMinute: number): boolean {
    // The remainder of a time before 1970 is negative.
    const minute = (((wallMinute + FIRST_MINUTE) % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES;
    return this.#open[minute] === 1;
  }
}

/** Returns the time at which the offset of the zone changes; `to` when it does not. */
function endOfOffset(from: number, to: number, offset: number, zone: string | undefined): number {
  if (offsetAt(to, zone) === offset) return to;
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle, zone) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns the minute of the day for `22:00`, up to 24:00; null for other text. */
export function minuteOfDay(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute <= DAY_MINUTES ? minute : null;
}

/** Returns begin and length of `22:00-06:00`, also over midnight; null for other text. */
export function parseBetween(text: string): Pick<WeekPeriod, 'begin' | 'minutes'> | null {
  const [begin, end] = text.split('-').map(minuteOfDay);
  const hasTwo = text.split('-').length === 2;
  if (!hasTwo || begin === undefined || begin === null || end === undefined || end === null) return null;
  if (begin === end || begin === DAY_MINUTES) return null;
  return { begin, minutes: (end - begin + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES };
}
