// What a service, or a gateway before it, calls a request: the id to name when its operators are asked about it. The contract has none; these
// are the usual headers.
import type { FetchResponse } from '../core/ports.js';

const names = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid'];

/** Null when the response has no such header, or one that looks like something else. */
export function responseIdOf({ headers }: Pick<FetchResponse, 'headers'>): string | null {
  // The fetch of a program may leave headers out.
  if (!headers) return null;
  for (const name of names) {
    const value = headers.get(name);
    if (value) return /^[\w.:/+=@-]{1,128}$/.test(value) ? value : null;
  }
  return null;
}
