// Reads the request id of a service or gateway, for its operators. The contract has no header for
// it; these are the usual ones.
import type { FetchResponse } from '../core/ports.js';

const names = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid'];

/**
 * Returns the request id; null when the response has none, or the value does not look like an id.
 * `sent`: secrets of the request. A value that repeats a part of one, or contains all of it, is no
 * id.
 */
export function responseIdOf(
  { headers }: Pick<FetchResponse, 'headers'>,
  sent: readonly (string | undefined)[],
): string | null {
  for (const name of names) {
    const value = headers.get(name);
    if (!value) continue;
    return isId(value) && !sent.some((text) => text && isRepeatedIn(value, text)) ? value : null;
  }
  return null;
}

/** A JSON Web Token, also within other text. */
const TOKEN = /eyJ[^.]*\.[^.]*\./;

function isId(value: string): boolean {
  return /^[\w.:/+=@-]{1,128}$/.test(value) && !TOKEN.test(value);
}

function isRepeatedIn(value: string, sent: string): boolean {
  return sent.includes(value) || value.includes(sent);
}
