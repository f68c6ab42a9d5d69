// Parses Retry-After independently of this machine's clock.
import type { FetchResponse } from '../core/ports.js';

/** Returns the header's text. A date becomes seconds from the response's own Date. */
export function retryAfterOf({ headers }: Pick<FetchResponse, 'headers'>): string | null {
  const text = headers.get('retry-after');
  const until = dateIn(text ?? '');
  const from = Date.parse(headers.get('date') ?? '');
  return until === null || Number.isNaN(from) ? text : String(Math.max(0, (until - from) / 1000));
}

/** Parses a Retry-After in seconds or as a date to ms; null when missing or invalid. */
export function retryAfterMs(text: string | null, wallTime: number): number | null {
  if (text === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number(text) * 1000;
  const until = dateIn(text);
  return until === null ? null : Math.max(0, until - wallTime);
}

/** Date.parse accepts nearly any text; an HTTP date begins with the day of the week. */
function dateIn(text: string): number | null {
  const date = /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
