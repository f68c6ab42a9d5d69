// The headers of a response as a fetch of the program gives them: they may be missing, or be other ones than those of fetch.
import { readMember } from '../core/odd-values.js';
import type { FetchResponse } from '../core/ports.js';

const NONE: FetchResponse['headers'] = { get: () => null };

/** The same headers; those that cannot be read count as missing. */
export function readableHeaders({ headers }: Pick<FetchResponse, 'headers'>): FetchResponse['headers'] {
  if (typeof readMember(headers, 'get') !== 'function') return NONE;
  return {
    get(name) {
      try {
        const value: unknown = headers.get(name);
        return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
      } catch {
        return null;
      }
    },
  };
}
