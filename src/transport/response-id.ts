// What a service, or a gateway before it, calls a request: the id to name when its operators are asked about it. The contract has none; these
// are the usual headers.
import type { FetchResponse } from '../core/ports.js';

const names = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid'];

/**
 * Null when the response has no such header, or one that looks like something else. `sent`: what logs must not show of the request; an id
 * that repeats a part of it, or holds all of it, is none.
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
