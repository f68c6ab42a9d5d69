// The headers of a response as a fetch of the program gives them: they may be missing, or be other ones than those of fetch.
import { readMember } from '../core/odd-values.js';
import type { FetchResponse, ResponseHeaders } from '../core/ports.js';

export const NO_HEADERS: ResponseHeaders = { get: () => null, [Symbol.iterator]: () => [].values() };

/** Returns headers that can be iterated; those of a fetch that cannot list them are empty then. */
export function allHeaders(headers: FetchResponse['headers']): ResponseHeaders {
  return {
    get: (name) => headers.get(name),
    [Symbol.iterator]: () => headers[Symbol.iterator]?.() ?? [].values(),
  };
}

/** Returns the same headers; those that cannot be read count as missing. */
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
