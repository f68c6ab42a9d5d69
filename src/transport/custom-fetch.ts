// The transport over a fetch of the program. The fetch gets a real AbortSignal; the caller stops
// waiting even if the fetch ignores it.
import { AbortFlag } from '../core/deadline.js';
import type { Fetch, FetchResponse } from '../core/ports.js';
import { readableError } from '../core/safe-read.js';
import { type BodyReading, readBody } from './fetch-body.js';
import { refuseFollowedRedirect } from './followed-redirect.js';
import type { HttpTransport } from './http-transport.js';
import { readableHeaders } from './response-headers.js';
import { DEFAULT_LIMIT } from './response-limits.js';

/** Returns the transport. Its connections belong to the program and are not closed. */
export function customFetchTransport(fetch: Fetch): HttpTransport {
  return {
    async fetch(url, init) {
      const {
        method,
        headers: requestedHeaders,
        body,
        signal,
        beforeSend,
        onData,
        onHead,
        onActivity,
        limit = DEFAULT_LIMIT,
      } = init;
      const own = signal instanceof AbortFlag ? signal.signal : signal;
      const headers = onData ? withoutEncodings(requestedHeaders) : requestedHeaders;
      const sent = { method, headers, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
      const send = () => {
        // The real time of sending is not visible, so the request counts as sent from now on.
        beforeSend?.();
        return fetch(url, own ? { ...sent, signal: own } : sent);
      };
      const response = await abortable(own, send);
      refuseFollowedRedirect(url, response);
      onActivity?.();
      onHead?.({ status: response.status, headers: readableHeaders(response) });
      return complete(response, own, { limit, onData, onActivity });
    },
    close: async () => undefined,
  };
}

/** Only the fetch itself knows the compressions it supports. */
function withoutEncodings({ 'accept-encoding': _, ...headers }: Record<string, string>): Record<string, string> {
  return headers;
}

/** Returns the response after reading its body. A failed read rejects only `text`. */
async function complete(
  response: FetchResponse,
  signal: AbortSignal | undefined,
  reading: BodyReading,
): Promise<FetchResponse> {
  const { ok, status } = response;
  const headers = readableHeaders(response);
  const reader = abortable(signal, () => readBody(response, signal, reading));
  await reader.catch(() => undefined);
  if (signal?.aborted) throw signal.reason;
  const text = () => reader;
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) as unknown };
}

function abortable<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    // `async`, so that a synchronous exception becomes a rejection.
    const working = (async () => work())();
    working
      .then(resolve, (error) => reject(readableError(error)))
      .finally(() => signal?.removeEventListener('abort', onAbort));
  });
}
