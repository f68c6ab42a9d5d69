// What a service, or a gateway before it, calls a request: the id to name when its operators are asked about it. The contract has none; these
// are the usual headers.
import type { FetchResponse } from '../core/ports.js';

const names = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid'];

/**
 * Null when the response has no such header, or one that looks like something else. `sent`: what logs must not show of the request; an id
 * that repeats a part of it is none.
 */
export function responseIdOf(
  { headers }: Pick<FetchResponse, 'headers'>,
  sent: readonly (string | undefined)[],
): string | null {
  // The fetch of a program may leave headers out.
  if (!headers) return null;
  for (const name of names) {
    const value = headers.get(name);
    if (!value) continue;
    const isId = /^[\w.:/+=@-]{1,128}$/.test(value) && !sent.some((text) => text?.includes(value));
    return isId ? value : null;
  }
  return null;
}
