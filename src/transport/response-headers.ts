// The headers of a response as a fetch of the program gives them: they may be missing, or be other ones than those of fetch.
import { readMember } from '../core/odd-values.js';
import type { FetchResponse, ResponseHeaders } from '../core/ports.js';

export const NO_HEADERS: ResponseHeaders = { get: () => null, [Symbol.iterator]: () => [].values() };

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
      const names: unknown = Reflect.get(headers, Symbol.iterator) === undefined ? [] : headers;
      for (const entry of names as Iterable<unknown>) {
        const name = Array.isArray(entry) ? String(entry[0]) : '';
        const value = name === '' ? null : this.get(name);
        if (value !== null) yield [name, value];
      }
    },
  };
}
