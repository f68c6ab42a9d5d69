// Reads timestamps of the service, where some resolvers return text and others numbers, and recognises those that it accepts.
import { InvalidInputError } from './errors.js';

/**
 * A moment as a service sends it: the contract leaves open whether it is RFC 3339 text, or a number of milliseconds (or seconds) since 1970.
 * {@link toDate} reads all of them.
 */
export type Timestamp = string | number;

/** Numbers below this are seconds: it is the year 5138 in seconds, and March 1973 in milliseconds. */
const SECONDS_BELOW = 1e11;
/** Numbers above this are microseconds, which no timestamp is in: it is the year 10000 in milliseconds. */
const MILLISECONDS_BELOW = 253_402_300_800_000;
/** As nearly all timestamps are. It needs no other look: the sync reads three for each snapshot. */
const PLAIN_UTC = /^\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d\d\d)?Z$/;
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads a timestamp as the service sends it.
 *
 * @param value RFC 3339 text (without an offset it is UTC), epoch milliseconds, epoch seconds, or either as text.
 * @returns the moment as a Date; null when the value is null or undefined.
 * @throws {InvalidInputError} when the value is none of these. It is never read as "now".
 */
export function toDate(value: Timestamp | Date): Date;
export function toDate(value: Timestamp | Date | null | undefined): Date | null;
export function toDate(value: Timestamp | Date | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const date = read(value);
  if (date === null || Number.isNaN(date.getTime())) {
    throw new InvalidInputError(
      'The value given to toDate is not a timestamp. toDate reads RFC 3339 text, and epoch seconds or milliseconds.',
    );
  }
  return date;
}

function read(value: Timestamp | Date): Date | null {
  if (value instanceof Date) return new Date(value);
  if (typeof value === 'number') {
    const ms = Math.abs(value) < SECONDS_BELOW ? value * 1000 : value;
    return ms < MILLISECONDS_BELOW ? new Date(ms) : null;
  }
  if (typeof value !== 'string') return null;
  if (PLAIN_UTC.test(value)) return isDay(value) ? new Date(value) : null;
  const text = value.trim();
  if (/^-?\d+(\.\d+)?$/.test(text)) return read(Number(text));
  const match = RFC_3339.exec(text);
  if (!match) return null;
  if (!isDay(text)) return null;
  const [, day, time = '00:00:00', fraction = '', offset = 'Z'] = match;
  return new Date(`${day}T${time}${fraction.slice(0, 4)}${offset.toUpperCase()}`);
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Whether the text is an RFC 3339 timestamp with an offset, on a day that exists: Date reads 30 February as a day in March. */
export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && isDay(text);
}

/** Returns true for text that begins with a day of the calendar, such as 2026-03-01. */
function isDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day >= 1 && day <= 28) return Number(text.slice(5, 7)) >= 1 && Number(text.slice(5, 7)) <= 12;
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return date.getUTCDate() === day;
}
