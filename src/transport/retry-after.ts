// Reads Retry-After so that it does not depend on this machine's clock.
import type { FetchResponse } from '../core/ports.js';

/** The header's text. A date becomes seconds, counted from the response's own Date, if it has one. */
export function retryAfterOf({ headers }: Pick<FetchResponse, 'headers'>): string | null {
  const text = headers.get('retry-after');
  const from = Date.parse(headers.get('date') ?? '');
  // Date.parse takes nearly any text for a date; an HTTP date begins with the day of the week.
  const until = /^\s*[A-Za-z]{3}/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN;
  return Number.isNaN(until - from) ? text : String(Math.max(0, (until - from) / 1000));
}
