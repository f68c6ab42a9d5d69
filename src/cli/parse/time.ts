// Parses the times of --from, --to and --at: RFC 3339, dates, `now`, `today 08:00` and `-2h`. A time without a zone is local: in the
// zone that TZ names, or in that of the machine. `now` is the time of the service.
import type { FleetClient } from '../../index.js';
import { type Context, serviceNow } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { momentAt, offsetAt, zoneOf } from './zone.js';

/** For help texts. */
export const timeForms = 'such as 2026-03-01T08:30Z, "2026-03-01 08:30", yesterday, "today 08:00", now, -2h, -30m, -7d';

/** The end of the help text of commands that take times. */
export const timeHelp = `
Times: ${timeForms}.
A time without a zone is local: in the zone of TZ, or of this machine.
now, today and -2h use the clock of the service.`;

/** A time as the user wrote it, which may depend on the current time. */
export interface TimeExpression {
  /** `moment`: an absolute time. `distance`: relative to now, such as `-2h`. `day`: such as `today 08:00`. */
  readonly kind: 'moment' | 'distance' | 'day';
  /** Milliseconds since 1970 for the given current time. */
  readonly at: (now: number) => number;
}

/** The default of `--to`. */
export const nowExpression: TimeExpression = { kind: 'distance', at: (now) => now };

/** `flag` is for messages, such as `--from`. @throws CliError USAGE for an invalid time. */
export function readTime(context: Context, text: string, flag: string): TimeExpression {
  const zone = zoneOf(context.io.env.TZ);
  const trimmed = text.trim();
  const at = (now: number) => {
    const moment = parseTime(trimmed, now, zone);
    if (moment !== null) return moment;
    throw new CliError('USAGE', `${flag} "${text}" is not a time. Nothing was sent.`, {
      hint: `Write it ${timeForms}.`,
    });
  };
  // Fails before anything is sent: whether a text is a valid time does not depend on the current time.
  at(serviceNow(context));
  const isAbsolute = parseAbsolute(trimmed, zone) !== null;
  return { kind: isAbsolute ? 'moment' : /^([+-]|now$)/i.test(trimmed) ? 'distance' : 'day', at };
}

/**
 * The time of the service, for times that depend on it. When no answer has told it yet, for example because the vehicle is given by its
 * id, the session is opened first: the next call needs it anyway, so this costs no extra request.
 */
export async function serviceNowFor(
  context: Context,
  client: FleetClient,
  times: readonly TimeExpression[],
): Promise<number> {
  if (times.some(({ kind }) => kind !== 'moment')) await client.connect({ signal: context.io.signal });
  return serviceNow(context);
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A period as the user wrote it. `refusal` makes the error for a period that ends before it begins. */
export class PeriodExpression {
  readonly #from: TimeExpression;
  readonly #to: TimeExpression;
  readonly #refusal: (span: Span) => CliError;

  /** @throws CliError when the period is wrong whatever the current time is. */
  constructor(context: Context, from: TimeExpression, to: TimeExpression, refusal: (span: Span) => CliError) {
    this.#from = from;
    this.#to = to;
    this.#refusal = refusal;
    if (from.kind === to.kind) this.#at(serviceNow(context));
  }

  /** Call this after the requests that do not need the period: their answers tell the time of the service. */
  async span(context: Context, client: FleetClient): Promise<Span> {
    return this.#at(await serviceNowFor(context, client, [this.#from, this.#to]));
  }

  #at(now: number): Span {
    const span = { from: this.#from.at(now), to: this.#to.at(now) };
    if (span.from <= span.to) return span;
    throw this.#refusal(span);
  }
}

/** RFC 3339 in UTC, as the service expects it. */
export function timestamp(moment: number): string {
  return new Date(moment).toISOString();
}

/** `zone` is an IANA name; undefined for the zone of the machine. Null when the text is not a time. */
export function parseTime(text: string, now: number, zone: string | undefined): number | null {
  const trimmed = text.trim();
  const moment =
    parseRelative(trimmed, now) ?? parseDay(trimmed.toLowerCase(), now, zone) ?? parseAbsolute(trimmed, zone);
  return moment !== null && moment >= earliest && moment <= latest ? moment : null;
}

/** The range of RFC 3339. */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

const day = 86_400_000;

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: day, w: 7 * day };

/** `-2h`, `-1d12h`, `+30m`; a day is 24 hours. */
function parseRelative(text: string, now: number): number | null {
  const match = /^([+-])((?:\d+(?:\.\d+)?[smhdw])+)$/i.exec(text);
  if (!match) return null;
  const parts = (match[2] ?? '').toLowerCase().matchAll(/([\d.]+)([smhdw])/g);
  let distance = 0;
  for (const [, count, unit] of parts) distance += Number(count) * (units[unit ?? ''] ?? Number.NaN);
  return Math.round(match[1] === '-' ? now - distance : now + distance);
}

const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** `now`, and days with or without a time of day. */
function parseDay(text: string, now: number, zone: string | undefined): number | null {
  if (text === 'now') return now;
  const match = /^(yesterday|today|tomorrow)(?:[ t]+(\S+))?$/.exec(text);
  if (!match) return null;
  const time = timeOfDay(match[2] ?? '00:00');
  if (time === null) return null;
  const today = Math.floor((now + offsetAt(now, zone)) / day) * day;
  return momentAt(today + (days[match[1] ?? ''] ?? 0) * day + time, zone);
}

/** RFC 3339, where the time, its seconds and the zone may be left out. */
function parseAbsolute(text: string, zone: string | undefined): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ]+([\d:.]+?) *([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (!match) return null;
  const date = Date.parse(`${match[1]}T00:00:00Z`);
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(date) || !new Date(date).toISOString().startsWith(`${match[1]}T`)) return null;
  const time = timeOfDay(match[2] ?? '00:00');
  if (time === null) return null;
  const offset = match[3] === undefined ? undefined : offsetOf(match[3]);
  if (offset === null) return null;
  return offset === undefined ? momentAt(date + time, zone) : date + time - offset;
}

/** Milliseconds since midnight; null for an invalid time. */
function timeOfDay(text: string): number | null {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?$/.exec(text);
  if (!match) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return hours * 3_600_000 + minutes * 60_000 + seconds * 1_000 + Math.floor(Number(match[4] ?? 0) * 1_000);
}

/** The milliseconds of `Z` or `+02:00`; null for an invalid offset. */
function offsetOf(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}
