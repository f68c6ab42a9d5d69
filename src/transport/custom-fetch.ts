// A fetch that somebody else wrote, made fit for the wire: it gets a real AbortSignal, and when it ignores that, nothing of ours
// waits for it.

import { AbortFlag } from '../core/abort-flag.js';
import type { Fetch, FetchResponse } from '../core/ports.js';
import type { HttpTransport } from './http-transport.js';

/** A given fetch in place of the built-in connections; what it opens is not ours to close. */
export function customFetch(fetch: Fetch): HttpTransport {
  return {
    async fetch(url, { signal, beforeSend, ...init }) {
      if (!signal) {
        beforeSend?.();
        return fetch(url, init);
      }
      const own = signal instanceof AbortFlag ? signal.signal : signal;
      const response = await abortable(own, () => {
        // What this fetch does before it writes cannot be seen from here: the request counts as sent from now on.
        beforeSend?.();
        return fetch(url, { ...init, signal: own });
      });
      return withinSignal(response, own);
    },
    close: async () => undefined,
  };
}

/** The body is read under the signal too. */
function withinSignal(response: FetchResponse, signal: AbortSignal): FetchResponse {
  const { ok, status, headers } = response;
  const text = () => abortable(signal, () => response.text());
  const json = () => abortable(signal, () => response.json());
  return { ok, status, headers, text, json };
}

/** The outcome of the work, or a rejection with the signal's reason as soon as it fires. */
function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    // `async`, so that a fetch that throws at once rejects like any other.
    const working = (async () => work())();
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
