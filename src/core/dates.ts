// Parses and validates timestamps of the service, which come as text or as numbers.
import { InvalidInputError } from './errors.js';

/**
 * A time as a service sends it. The contract does not say which form: RFC 3339 text, or
 * milliseconds or seconds since 1970. {@link toDate} parses all of them.
 */
export type Timestamp = string | number;

/** Smaller numbers are seconds: the year 5138 in seconds, March 1973 in milliseconds. */
const SECONDS_BELOW = 1e11;
/** Larger numbers are microseconds, which no timestamp uses: the year 10000 in milliseconds. */
const MILLISECONDS_BELOW = 253_402_300_800_000;
/** The form of nearly all timestamps, as a fast path: the sync parses three per snapshot. */
const PLAIN_UTC = /^\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d\d\d)?Z$/;
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses a timestamp as the service sends it.
 *
 * @param value RFC 3339 text (UTC when it has no offset), epoch milliseconds, epoch seconds, or
 * either as text.
 * @returns the time as a Date; null when the value is null or undefined.
 * @throws {InvalidInputError} when the value is none of these. It is never read as "now".
 */
export function toDate(value: Timestamp | Date): Date;
export function toDate(value: Timestamp | Date | null | undefined): Date | null;
export function toDate(value: Timestamp | Date | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const date = parseTimestamp(value);
  if (date === null || Number.isNaN(date.getTime())) {
    throw new InvalidInputError(
      'The value given to toDate is not a timestamp. toDate reads RFC 3339 text, and epoch seconds or milliseconds.',
    );
  }
  return date;
}

/** Returns null for values that are not a timestamp. A number below SECONDS_BELOW is in seconds. */
function parseTimestamp(value: Timestamp | Date): Date | null {
  if (value instanceof Date) return new Date(value);
  if (typeof value === 'number') {
    const ms = Math.abs(value) < SECONDS_BELOW ? value * 1000 : value;
    return ms < MILLISECONDS_BELOW ? new Date(ms) : null;
  }
  if (typeof value !== 'string') return null;
  if (PLAIN_UTC.test(value)) return isDay(value) ? new Date(value) : null;
  const text = value.trim();
  if (/^-?\d+(\.\d+)?$/.test(text)) return parseTimestamp(Number(text));
  const match = RFC_3339.exec(text);
  if (!match) return null;
  if (!isDay(text)) return null;
  const [, day, time = '00:00:00', fraction = '', offset = 'Z'] = match;
  return new Date(`${day}T${time}${fraction.slice(0, 4)}${offset.toUpperCase()}`);
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** True for an RFC 3339 timestamp with an offset. Date alone accepts 30 February. */
export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && isDay(text);
}

/** True when the text begins with an existing day, such as 2026-03-01. */
function isDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day >= 1 && day <= 28) return Number(text.slice(5, 7)) >= 1 && Number(text.slice(5, 7)) <= 12;
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return date.getUTCDate() === day;
}
