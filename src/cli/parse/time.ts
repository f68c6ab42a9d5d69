// Reads the times of --from, --to and --at: RFC 3339, dates, `now`, `today 08:00`, `-2h`. Without a zone they are of the zone
// that TZ names, else of the machine's. "Now" is the service's clock.
import type { FleetClient } from '../../index.js';
import { CliError } from '../errors/cli-error.js';
import { type Context, serviceNow } from '../run/context.js';
import { momentAt, offsetAt, zoneOf } from './zone.js';

/** For help texts. */
export const timeForms = 'such as 2026-03-01T08:30Z, "2026-03-01 08:30", yesterday, "today 08:00", now, -2h, -30m, -7d';

/** The last lines of the help of a command that takes times. */
export const timeHelp = `
Times: ${timeForms}.
A time without a zone is local: of the zone that TZ names, else of this machine.
now, today and -2h go by the service's clock.`;

/** A time as it was said. */
export interface SaidTime {
  /** `moment`: a date, whatever time it is now. `distance`: from now, such as `-2h`. `day`: such as `today 08:00`. */
  readonly kind: 'moment' | 'distance' | 'day';
  /** Milliseconds since 1970, at this time of now. */
  readonly at: (now: number) => number;
}

/** What `--to` is when it is left out. */
export const saidNow: SaidTime = { kind: 'distance', at: (now) => now };

/** `flag` is where it was said, such as `--from`. @throws CliError USAGE when it is no time. */
export function readTime(context: Context, text: string, flag: string): SaidTime {
  const zone = zoneOf(context.io.env.TZ);
  const said = text.trim();
  const at = (now: number) => {
    const moment = parseTime(said, now, zone);
    if (moment !== null) return moment;
    throw new CliError('USAGE', `${flag} "${text}" is no time. Nothing was sent.`, { hint: `Write it ${timeForms}.` });
  };
  // Before anything is sent: what is no time now is none at any other.
  at(serviceNow(context));
  return { kind: written(said, zone) !== null ? 'moment' : /^([+-]|now$)/i.test(said) ? 'distance' : 'day', at };
}

/**
 * What time the service has, for times that go by it. Where no answer has told yet, as with a vehicle that is said by its id, the
 * session does: it is needed next anyway, so this costs no request.
 */
export async function nowFor(context: Context, client: FleetClient, times: readonly SaidTime[]): Promise<number> {
  if (times.some(({ kind }) => kind !== 'moment')) await client.connect({ signal: context.io.signal });
  return serviceNow(context);
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A period as it was said. `refusal` is what a period is refused with that ends before it begins. */
export class SaidPeriod {
  readonly #from: SaidTime;
  readonly #to: SaidTime;
  readonly #refusal: (span: Span) => CliError;

  /** @throws CliError where no clock is needed to see that it is none. */
  constructor(context: Context, from: SaidTime, to: SaidTime, refusal: (span: Span) => CliError) {
    this.#from = from;
    this.#to = to;
    this.#refusal = refusal;
    if (from.kind === to.kind) this.#at(serviceNow(context));
  }

  /** Before the first request that needs it, and after those that do not: they tell what time the service has. */
  async span(context: Context, client: FleetClient): Promise<Span> {
    return this.#at(await nowFor(context, client, [this.#from, this.#to]));
  }

  #at(now: number): Span {
    const span = { from: this.#from.at(now), to: this.#to.at(now) };
    if (span.from <= span.to) return span;
    throw this.#refusal(span);
  }
}

/** RFC 3339 in UTC, as the service takes it. */
export function timestamp(moment: number): string {
  return new Date(moment).toISOString();
}

/** `zone` is an IANA name; undefined for the zone of the machine. Null when the text is no time. */
export function parseTime(text: string, now: number, zone: string | undefined): number | null {
  const said = text.trim();
  const moment = relative(said, now) ?? named(said.toLowerCase(), now, zone) ?? written(said, zone);
  return moment !== null && moment >= first && moment <= last ? moment : null;
}

/** What RFC 3339 can write. */
const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

const day = 86_400_000;

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: day, w: 7 * day };

/** `-2h`, `-1d12h`, `+30m`; a day is 24 hours. */
function relative(said: string, now: number): number | null {
  const match = /^([+-])((?:\d+(?:\.\d+)?[smhdw])+)$/i.exec(said);
  if (!match) return null;
  const parts = (match[2] ?? '').toLowerCase().matchAll(/([\d.]+)([smhdw])/g);
  let distance = 0;
  for (const [, count, unit] of parts) distance += Number(count) * (units[unit ?? ''] ?? Number.NaN);
  return Math.round(match[1] === '-' ? now - distance : now + distance);
}

const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** `now`, and days with or without a time of day. */
function named(said: string, now: number, zone: string | undefined): number | null {
  if (said === 'now') return now;
  const match = /^(yesterday|today|tomorrow)(?:[ t]+(\S+))?$/.exec(said);
  if (!match) return null;
  const time = timeOfDay(match[2] ?? '00:00');
  if (time === null) return null;
  const today = Math.floor((now + offsetAt(now, zone)) / day) * day;
  return momentAt(today + (days[match[1] ?? ''] ?? 0) * day + time, zone);
}

/** RFC 3339; the time, its seconds and the zone may be left out. */
function written(said: string, zone: string | undefined): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ]+([\d:.]+?) *([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(said);
  if (!match) return null;
  const date = Date.parse(`${match[1]}T00:00:00Z`);
  // Date.parse takes a 30th of February for the 2nd of March.
  if (Number.isNaN(date) || !new Date(date).toISOString().startsWith(`${match[1]}T`)) return null;
  const time = timeOfDay(match[2] ?? '00:00');
  if (time === null) return null;
  const offset = match[3] === undefined ? undefined : offsetOf(match[3]);
  if (offset === null) return null;
  return offset === undefined ? momentAt(date + time, zone) : date + time - offset;
}

/** Milliseconds since midnight; null when there is no such time. */
function timeOfDay(said: string): number | null {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?$/.exec(said);
  if (!match) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return hours * 3_600_000 + minutes * 60_000 + seconds * 1_000 + Math.floor(Number(match[4] ?? 0) * 1_000);
}

/** Of `Z` or `+02:00`, in milliseconds; null when it is none. */
function offsetOf(said: string): number | null {
  if (/^z$/i.test(said)) return 0;
  const hours = Number(said.slice(1, 3));
  const minutes = Number(said.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (said.startsWith('-') ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}
