// Reads Retry-After, so that a date does not depend on this machine's clock.
import type { FetchResponse } from '../core/ports.js';

/** The header's text. A date becomes seconds, counted from the response's own Date, if it has one. */
export function retryAfterOf({ headers }: Pick<FetchResponse, 'headers'>): string | null {
  const text = headers.get('retry-after');
  const until = dateIn(text ?? '');
  const from = Date.parse(headers.get('date') ?? '');
  return until === null || Number.isNaN(from) ? text : String(Math.max(0, (until - from) / 1000));
}

/** The milliseconds that such a text means, in seconds or as a date; null when it is absent or unreadable. */
export function retryAfterMs(text: string | null, wallTime: number): number | null {
  if (text === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Number(text) * 1000;
  const until = dateIn(text);
  return until === null ? null : Math.max(0, until - wallTime);
}

/** Date.parse takes nearly any text for a date; an HTTP date begins with the day of the week. */
function dateIn(text: string): number | null {
  const date = /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
