// A transport for whole bodies over a fetch that the program provides. The fetch gets a real AbortSignal; if it ignores the signal, the
// caller waits no longer all the same.

import { AbortFlag } from '../core/abort-flag.js';
import type { Fetch, FetchResponse } from '../core/ports.js';
import type { HttpTransport } from './http-transport.js';

/** Its connections belong to the program and are not closed. */
export function customFetch(fetch: Fetch): HttpTransport {
  return {
    async fetch(url, { signal, beforeSend, ...init }) {
      if (!signal) {
        beforeSend?.();
        return fetch(url, init);
      }
      const own = signal instanceof AbortFlag ? signal.signal : signal;
      const response = await abortable(own, () => {
        // When the fetch really sends cannot be seen: the request counts as sent from now on.
        beforeSend?.();
        return fetch(url, { ...init, signal: own });
      });
      return withinSignal(response, own);
    },
    close: async () => undefined,
  };
}

/** Reading the body ends with the signal too. */
function withinSignal(response: FetchResponse, signal: AbortSignal): FetchResponse {
  const { ok, status, headers } = response;
  const text = () => abortable(signal, () => response.text());
  const json = () => abortable(signal, () => response.json());
  return { ok, status, headers, text, json };
}

/** The outcome of the work, or a rejection with the reason of the signal as soon as it fires. */
function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    // `async`, so that a fetch that throws synchronously rejects like any other.
    const working = (async () => work())();
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
