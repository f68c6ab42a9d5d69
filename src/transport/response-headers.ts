// Reads the headers of a response.
import type { FetchResponse, ResponseHeaders } from '../core/ports.js';
import { readMember } from '../core/safe-read.js';

export const NO_HEADERS: ResponseHeaders = { get: () => null, [Symbol.iterator]: () => [].values() };

/** Returns headers that can be iterated; empty when the fetch cannot list them. */
export function allHeaders(headers: FetchResponse['headers']): ResponseHeaders {
  return {
    get: (name) => headers.get(name),
    [Symbol.iterator]: () => headers[Symbol.iterator]?.() ?? [].values(),
  };
}

/** Returns headers whose `get` never throws: a custom fetch may return any object as headers. */
export function readableHeaders({ headers }: Pick<FetchResponse, 'headers'>): ResponseHeaders {
  if (typeof readMember(headers, 'get') !== 'function') return NO_HEADERS;
  return {
    get(name) {
      try {
        const value: unknown = headers.get(name);
        return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
      } catch {
        return null;
      }
    },
    *[Symbol.iterator]() {
      for (const [name] of allHeaders(headers)) {
        const value = this.get(name);
        if (value !== null) yield [name, value];
      }
    },
  };
}

/** The usual headers for the request id of a service or gateway; the contract has none. */
const ID_HEADERS = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid'];

/**
 * Returns the request id; null when the response has none, or the value does not look like an id.
 * `sent`: secrets of the request. A value that repeats a part of one, or contains all of it, is no
 * id.
 */
export function responseIdOf(
  { headers }: Pick<FetchResponse, 'headers'>,
  sent: readonly (string | undefined)[],
): string | null {
  for (const name of ID_HEADERS) {
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

/**
 * Returns the text of Retry-After. A date becomes seconds from the response's own Date, so that
 * this machine's clock does not matter.
 */
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
