// Reads and checks the period of a call before any request.
import { isDateTime } from '../core/dates.js';
import { refusedInput } from '../core/refused-input.js';
import type { Window } from './window.js';

export interface Period extends Window {
  /** Returns a time as UTC text. `from` and `to` keep the caller's precision below milliseconds. */
  text(time: number): string;
}

/**
 * `path`: the prefix of `from` in the variables, such as `vehicles[2].`.
 * @throws {InvalidInputError} when `from` or `to` is not a time, or `from` is after `to`.
 */
export function readPeriod(operation: string, from: unknown, to: unknown, path = ''): Period {
  const begin = readInstant(operation, `${path}from`, from);
  const end = readInstant(operation, 'to', to);
  if (begin.time > end.time) {
    throw refusedInput(`${path}from of ${operation} is after to.`, operation);
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
    typeof value === 'string' && isDateTime(value) ? Date.parse(value.toUpperCase().replace(' ', 'T')) : Number.NaN;
  if (typeof value !== 'string' || Number.isNaN(time)) {
    throw refusedInput(
      `${name} of ${operation} must be a Date or RFC 3339 text with an offset, such as 2026-03-01T12:00:00Z.`,
      operation,
    );
  }
  return { time, text: inUtc(value, time) };
}

/** Returns UTC text with all digits of the fraction. Some services ignore offsets. */
function inUtc(text: string, time: number): string {
  if (/z$/i.test(text)) return text;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return new Date(time).toISOString().replace(/\.(\d+)Z$/, (_, milliseconds: string) => {
    return `.${fraction.length > milliseconds.length ? fraction : milliseconds}Z`;
  });
}
