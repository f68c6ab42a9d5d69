// Reads consecutive timestamps fast: most share the previous minute, so only seconds are parsed.
import type { Timestamp } from '../core/dates.js';
import { timestampMs } from './timestamps.js';

/** The lengths of the parts of a timestamp with three digits of fraction, or none. */
const MINUTE_LENGTH = '2026-03-01T12:00:'.length;
const SECONDS_LENGTH = '2026-03-01T12:00:00Z'.length;
const MILLISECONDS_LENGTH = '2026-03-01T12:00:00.000Z'.length;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;
const POINT = 0x2e;
const COLON = 0x3a;
const ZERO = 0x30;

export class TimestampReader {
  /** The last timestamp up to the colon after its minute. Initially no prefix of a timestamp. */
  #minute = 'none';
  #minuteTime = 0;

  /** Returns milliseconds since 1970; null for a value that is not a timestamp. */
  read(timestamp: Timestamp | null | undefined): number | null {
    if (timestamp === null || timestamp === undefined) return null;
    if (typeof timestamp !== 'string' || !isPlainUtc(timestamp)) return timeOf(timestamp);
    if (timestamp.startsWith(this.#minute)) {
      const ms = millisecondsOf(timestamp);
      if (ms >= 0) return this.#minuteTime + ms;
    }
    const time = timeOf(timestamp);
    const ms = millisecondsOf(timestamp);
    if (time !== null && ms >= 0) {
      this.#minute = timestamp.slice(0, MINUTE_LENGTH);
      this.#minuteTime = time - ms;
    }
    return time;
  }
}

/** Returns true when the separators of a UTC timestamp are at the usual places. */
function isPlainUtc(text: string): boolean {
  const { length } = text;
  return (
    (length === MILLISECONDS_LENGTH ? text.charCodeAt(SECONDS_LENGTH - 1) === POINT : length === SECONDS_LENGTH) &&
    text.charCodeAt(length - 1) === LETTER_Z &&
    text.charCodeAt(MINUTE_LENGTH - 1) === COLON &&
    text.charCodeAt('2026-03-01'.length) === LETTER_T
  );
}

/** Returns seconds and fraction in milliseconds; -1 when they are not digits. */
function millisecondsOf(text: string): number {
  const seconds = numberAt(text, MINUTE_LENGTH, 2);
  const fraction = text.length === SECONDS_LENGTH ? 0 : numberAt(text, SECONDS_LENGTH, 3);
  return seconds < 0 || seconds > 59 || fraction < 0 ? -1 : seconds * 1000 + fraction;
}

/** Returns the number from `digits` digits; -1 when one of them is not a digit. */
function numberAt(text: string, from: number, digits: number): number {
  let number = 0;
  for (let i = from; i < from + digits; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

function timeOf(timestamp: Timestamp): number | null {
  if (typeof timestamp === 'string' && timestamp.endsWith('Z')) {
    const time = Date.parse(timestamp);
    if (!Number.isNaN(time)) return time;
  }
  return timestampMs(timestamp);
}
