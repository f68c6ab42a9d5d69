// Reads and checks the period of a call before anything is sent.
import { InvalidInputError } from '../core/errors.js';
import type { Window } from './windows.js';

export interface Period extends Window {
  /** A time of the period as text. `from` and `to` keep the caller's text, which may be finer than milliseconds. */
  text(time: number): string;
}

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** @throws {InvalidInputError} when `from` or `to` is not a time, or `from` is after `to`. */
export function readPeriod(operation: string, from: unknown, to: unknown): Period {
  const begin = readInstant(operation, 'from', from);
  const end = readInstant(operation, 'to', to);
  if (begin.time > end.time) {
    throw new InvalidInputError(`from of ${operation} is after to. Nothing was sent.`, { operation });
  }
  return {
    from: begin.time,
    to: end.time,
    text: (time) =>
      time === begin.time ? begin.text : time === end.time ? end.text : new Date(Math.round(time)).toISOString(),
  };
}

function readInstant(
  operation: string,
  name: string,
  value: unknown,
): { readonly time: number; readonly text: string } {
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return { time: value.getTime(), text: value.toISOString() };
  }
  const time =
    typeof value === 'string' && isRealDate(value) ? Date.parse(value.toUpperCase().replace(' ', 'T')) : Number.NaN;
  if (typeof value !== 'string' || Number.isNaN(time)) {
    throw new InvalidInputError(
      `${name} of ${operation} must be a Date or RFC 3339 text with an offset, such as 2026-03-01T12:00:00Z. Nothing was sent.`,
      { operation },
    );
  }
  return { time, text: value };
}

/** Whether the text is RFC 3339 and its day exists: Date reads 30 February as a day in March. */
function isRealDate(text: string): boolean {
  const match = RFC_3339.exec(text);
  if (!match) return false;
  const [, year, month, day] = match;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
}
