// Parses the times of --from, --to and --at. A time without a zone is in the zone of the output;
// `now` is the time of the service.

import type { ActionNotTaken } from '../../core/error-facts.js';
import { DAY_MS } from '../../core/time-zone.js';
import type { FleetClient } from '../../index.js';
import { type ServiceRun, serviceNow } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { localTime } from '../time/format-time.js';
import { dateOf, isMissingDay, momentOfClock, parseDay, parsePeriod, timeOfDay } from './calendar.js';

export const timeForms =
  'such as 2026-03-01T08:30Z, "2026-03-01 08:30", yesterday, "today 8am", 08:00, monday, now, -2h, "2 hours ago", -7d, "last week"';

/** The end of the help text of commands that take times. */
export const timeHelp = `

Times:
- Times have forms ${timeForms}.
- A time without a zone is local. The zone is that of --time-zone, FLEET_TIME_ZONE, TZ or this
  machine.
- now, today and -2h use the clock of the service.
- monday is the last Monday. -30m is 30 minutes.`;

/** For commands that take a period. */
export const periodHelp = `${timeHelp}

Periods:
- --on takes a whole day, week, month or quarter: yesterday, "3 days ago", "last friday",
  "last week", "this month", "last quarter", 2026-W47, 2026-10 or 2026-Q3.
- A week is Monday to Sunday.
- --to is exclusive. --from 2026-09 --to 2026-11 is all of September and October.
- --from -1d..now gives both ends. --from yesterday --to yesterday is the whole day.`;

/** A time as typed, which may depend on the current time. */
export interface TimeExpression {
  /** Absolute, relative to now (`-2h`), or a calendar word (`today`). */
  readonly kind: 'moment' | 'distance' | 'day';
  /** In milliseconds, for the given current time. */
  readonly at: (now: number) => number;
  /** The last millisecond of a whole day, week or month; null for other times. */
  readonly lastMoment: ((now: number) => number) | null;
}

const nowExpression: TimeExpression = { kind: 'distance', at: (now) => now, lastMoment: null };

/** Parses a time; throws CliError USAGE. `flag` is for messages, such as `--from`. */
export function readTime(run: ServiceRun, text: string, flag: string): TimeExpression {
  const zone = run.zone.name;
  const trimmed = text.trim();
  const at = (now: number) => {
    const moment = parseTime(trimmed, now, zone);
    if (moment !== null) return moment;
    if (isMissingDay(trimmed)) {
      throw refusal(`${flag} "${text}" is not a time: the calendar has no such day.`, {
        hint: 'Check its day and month; 2026-03-01 is the first of March.',
      });
    }
    refuseSkippedHour(trimmed, now, zone, flag);
    // `-1M` could be a month or a minute.
    const hasMonths = /^[+-].*\dM/.test(trimmed);
    throw refusal(`${flag} "${text}" is not a time.`, {
      hint: hasMonths ? 'Write m for minutes. For months give a date, or days: -30d.' : `Write it ${timeForms}.`,
    });
  };
  // Fails before anything is sent. `today 02:30` can be valid on one day and skipped on another.
  at(serviceNow(run));
  const isAbsolute = parseAbsolute(trimmed, zone) !== null;
  const periodAt = (now: number) => parsePeriod(trimmed.toLowerCase(), now, zone);
  const isDistance = /^([+-]|now$)|\bago$/i.test(trimmed);
  return {
    kind: isAbsolute ? 'moment' : isDistance ? 'distance' : 'day',
    at,
    lastMoment: periodAt(serviceNow(run)) === null ? null : (now) => (periodAt(now)?.to ?? Number.NaN) - 1,
  };
}

/** Returns the service's time. If unknown, opens the session, which the next call needs anyway. */
export async function knownServiceNow(run: ServiceRun, client: FleetClient): Promise<number> {
  await client.connect({ signal: run.io.signal });
  return serviceNow(run);
}

/** Returns the time; throws CliError USAGE for the future. `flag` is for messages. */
export async function pastMoment(
  run: ServiceRun,
  client: FleetClient,
  time: TimeExpression,
  flag: string,
): Promise<number> {
  const now = await knownServiceNow(run, client);
  const moment = time.at(now);
  if (moment <= now) return moment;
  const text = (at: number) => localTime(at, 'minute', { zone: run.zone.name, offset: null });
  throw new CliError('USAGE', `${flag} ${text(moment)} is in the future: it is ${text(now)}.`, {
    hint: `Give a time in the past, or leave out ${flag} for now.`,
  });
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface PeriodSpan extends Span {
  /** The first moment after it: the next midnight for whole days, otherwise `to`. */
  readonly end: number;
  readonly isOfDays: boolean;
}

interface PeriodRules {
  /** Allows the future, such as for planned assignments. */
  readonly allowsFuture?: boolean;
}

/** A period as typed. `refusal` returns the error for a period that ends before it begins. */
export class PeriodExpression {
  readonly #from: TimeExpression;
  readonly #to: TimeExpression;
  readonly #refusal: (span: Span) => CliError;
  readonly #zone: string | undefined;
  readonly #mayBeToCome: boolean;

  /** @throws CliError when the period is invalid at any current time */
  constructor(
    run: ServiceRun,
    { from, to }: { readonly from: TimeExpression; readonly to: TimeExpression },
    refusal: (span: Span) => CliError,
    { allowsFuture = false }: PeriodRules = {},
  ) {
    this.#from = from;
    this.#to = to;
    this.#refusal = refusal;
    this.#zone = run.zone.name;
    this.#mayBeToCome = allowsFuture;
    if (from.kind !== to.kind) return;
    const now = serviceNow(run);
    // The service may be on another date, where `monday..wednesday` has another order: only a
    // period that is invalid on each day of a week is refused here.
    const spans = Array.from({ length: 7 }, (_, days) => this.#read(now + days * DAY_MS));
    const [problem] = spans;
    if (problem instanceof CliError && spans.every((span) => span instanceof CliError)) throw problem;
  }

  /**
   * Returns the period. Call it after other requests, whose answers contain the time of the
   * service.
   * @throws CliError USAGE for a period that has not begun
   */
  async span(run: ServiceRun, client: FleetClient): Promise<PeriodSpan> {
    const now = await knownServiceNow(run, client);
    const span = this.#at(now);
    if (span.from <= now || this.#mayBeToCome) return span;
    const text = (moment: number) => localTime(moment, 'minute', { zone: this.#zone, offset: null });
    throw new CliError('USAGE', `The period has not begun yet: it begins ${text(span.from)}, and it is ${text(now)}.`, {
      hint: 'Give an earlier --on or --from.',
    });
  }

  #at(now: number): PeriodSpan {
    const span = this.#read(now);
    if (span instanceof CliError) throw span;
    return span;
  }

  #read(now: number): PeriodSpan | CliError {
    const [from, to] = [this.#from.at(now), this.#to.at(now)];
    const isOfDays = this.#from.lastMoment !== null && this.#to.lastMoment !== null;
    const span = { from, to, end: to, isOfDays };
    if (from < to) return span;
    if (from > to) return this.#refusal(span);
    if (this.#from.lastMoment && this.#to.lastMoment) {
      const last = this.#to.lastMoment(now);
      return { from, to: last, end: last + 1, isOfDays };
    }
    const both = localTime(span.from, 'exact', { zone: this.#zone, offset: null });
    return new CliError('USAGE', `The period is empty: --from and --to are both ${both}.`, {
      hint: 'Give a later --to, or --on for a whole day.',
    });
  }
}

/** Returns the error for a period that ends before it begins. `to` is the flag as typed. */
export function endsTooEarly(to: string | undefined, undone: ActionNotTaken = 'sent'): CliError {
  return to === undefined
    ? new CliError('USAGE', '--from is in the future, and without --to a period ends now.', {
        undone,
        hint: 'Give a --from in the past, or a later --to.',
      })
    : new CliError('USAGE', '--from is after --to.', { undone, hint: 'Swap --from and --to.' });
}

/** Parses the period of --from and --to (default: now). Throws CliError USAGE or `refusal`. */
export function readPeriodExpression(
  run: ServiceRun,
  from: string,
  to: string | undefined,
  refusal: (span: Span) => CliError,
  rules?: PeriodRules,
): PeriodExpression {
  const end = to === undefined ? nowExpression : readTime(run, to, '--to');
  return new PeriodExpression(run, { from: readTime(run, from, '--from'), to: end }, refusal, rules);
}

export interface PeriodFlags {
  readonly from?: string;
  readonly to?: string;
  /** A day, week, month or range, instead of both. */
  readonly on?: string;
}

/**
 * Converts `--on monday` and ranges such as `--on -1d..now` to --from and --to.
 * @throws CliError USAGE for another text, or together with --from and --to
 */
export function expandPeriodFlags<Flags extends PeriodFlags>(run: ServiceRun, flags: Flags): Flags {
  const { on } = flags;
  if (on === undefined) return withRange(flags);
  if (flags.from !== undefined || flags.to !== undefined) {
    throw refusal('Give either --on, or --from and --to.', {
      hint: '--on is a whole day; --from and --to are any period.',
    });
  }
  const [from, to] = rangeOf(on);
  if (from !== undefined && to !== undefined) return { ...flags, from, to };
  const month = monthNamed(on);
  if (month !== null) {
    throw refusal(`--on "${on}" is not a day.`, {
      hint: `Write a month as ${lastOfMonth(month, serviceNow(run))}, or as "last month" or "this month".`,
    });
  }
  const day = calendarPeriodOf(on);
  if (readTime(run, day, '--on').lastMoment !== null) return { ...flags, from: day, to: day };
  throw refusal(`--on "${on}" is not a day.`, {
    hint: 'Write it as yesterday, monday, "3 days ago", 2026-03-01, 2026-W09, 2026-02, "last week" or "this month"; for a part of a day as -2h..now.',
  });
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function monthNamed(text: string): number | null {
  const [, name = ''] = /^(?:last |this )?([a-z]{3})[a-z]*(?: \d{4})?$/i.exec(text.trim()) ?? [];
  const month = monthNames.indexOf(name.toLowerCase());
  return month < 0 ? null : month;
}

/** Returns the latest such month that has begun: `2026-10`. */
function lastOfMonth(month: number, now: number): string {
  const today = new Date(now);
  const year = today.getUTCFullYear() - (month > today.getUTCMonth() ? 1 : 0);
  return `${year}-${String(month + 1).padStart(2, '0')}`;
}

/** Returns `3 days ago` as the whole day three days ago. In other flags it is a time. */
function calendarPeriodOf(on: string): string {
  const [, count, unit] = /^(an?|\d+)[ -]?(day|week|month|quarter|year)s?[ -]ago$/.exec(on.trim().toLowerCase()) ?? [];
  return count === undefined ? on : `${/^a/.test(count) ? 1 : count} ${unit}s back`;
}

function withRange<Flags extends PeriodFlags>(flags: Flags): Flags {
  const [from, to] = rangeOf(flags.from ?? '');
  if (from === undefined || to === undefined) return flags;
  if (flags.to === undefined) return { ...flags, from, to };
  throw refusal(`--from "${flags.from}" already contains an end.`, {
    hint: 'Leave out --to, or give one time to --from.',
  });
}

/** Returns the two ends of `-1d..now`; an omitted end is now. */
function rangeOf(text: string): readonly [from?: string, to?: string] {
  const match = /^(.+?)\.\.(.*)$/.exec(text.trim());
  return match ? [(match[1] ?? '').trim(), (match[2] ?? '').trim() || 'now'] : [];
}

/** Returns RFC 3339 in UTC, as the service expects it. */
export function timestamp(moment: number): string {
  return new Date(moment).toISOString();
}

/** Parses a time; null for other texts. `zone`: undefined for the zone of the machine. */
export function parseTime(text: string, now: number, zone: string | undefined): number | null {
  const trimmed = text.trim();
  const moment =
    (trimmed.toLowerCase() === 'now' ? now : null) ??
    parseRelative(trimmed, now) ??
    parseAgo(trimmed.toLowerCase(), now) ??
    parseDay(trimmed.toLowerCase(), now, zone) ??
    parsePeriod(trimmed.toLowerCase(), now, zone)?.from ??
    parseAbsolute(trimmed, zone);
  return moment !== null && moment >= earliest && moment <= latest ? moment : null;
}

/** Throws CliError USAGE for a local time that clocks of the zone skip. */
export function refuseSkippedHour(text: string, now: number, zone: string | undefined, flag: string): void {
  if (parseTime(text, now, zone) !== null || parseTime(text, now, 'UTC') === null) return;
  throw refusal(`${flag} "${text}" is not a time: clocks skip it when daylight saving time begins.`, {
    hint: 'Give an hour before or after it, or a time with its offset, such as 2026-03-01T08:30+02:00.',
  });
}

const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** Parses `-2h`, `-1d12h`, `+30m`; a day is 24 hours. `M` could be minutes or months. */
function parseRelative(text: string, now: number): number | null {
  const match = /^([+-])((?:\d+(?:\.\d+)?[smhdwSHDW])+)$/.exec(text);
  if (!match) return null;
  const parts = (match[2] ?? '').toLowerCase().matchAll(/([\d.]+)([smhdw])/g);
  let distance = 0;
  for (const [, count, unit] of parts) distance += Number(count) * (units[unit ?? ''] ?? Number.NaN);
  return Math.round(match[1] === '-' ? now - distance : now + distance);
}

function parseAgo(text: string, now: number): number | null {
  const match = /^(an?|\d+(?:\.\d+)?) ?(second|minute|min|hour|day|week)s? ago$/.exec(text);
  if (!match) return null;
  const count = /^an?$/.test(match[1] ?? '') ? 1 : Number(match[1]);
  return Math.round(now - count * (units[match[2]?.charAt(0) ?? ''] ?? Number.NaN));
}

/**
 * Parses RFC 3339, or a date such as `1.3.2026`; time, seconds and zone are optional. Null also for
 * a local time that clocks skip. `zone` of a time without one: an IANA name, an offset in
 * milliseconds, or undefined for the machine.
 */
export function parseAbsolute(text: string, zone: string | number | undefined): number | null {
  const match =
    /^(\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4})(?:[Tt ]+([\d:.]+?(?: *[AaPp][Mm])?) *([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
      text,
    );
  if (!match) return null;
  const date = dateOf(match[1] ?? '');
  if (date === null) return null;
  const time = timeOfDay(match[2] ?? '00:00');
  if (time === null) return null;
  const offset = match[3] === undefined ? undefined : offsetOf(match[3]);
  if (offset === null) return null;
  if (offset !== undefined) return date + time - offset;
  return typeof zone === 'number' ? date + time - zone : momentOfClock(date + time, zone);
}

function offsetOf(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}
