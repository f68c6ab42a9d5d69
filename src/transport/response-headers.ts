// Reads the headers of a response from a program's own fetch: they may be missing, or differ from
// those of fetch.

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

/** Returns the headers, without those that cannot be read. */
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
