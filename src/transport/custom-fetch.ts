// The transport over a fetch of the program. The fetch gets a real AbortSignal; the caller stops
// waiting even if the fetch ignores it.
import { AbortFlag, orAborted } from '../core/deadline.js';
import type { Fetch, FetchResponse } from '../core/ports.js';
import { readableError } from '../core/safe-read.js';
import { type BodyReading, readBody } from './fetch-body.js';
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
      // A custom fetch needs a real AbortSignal. An AbortFlag creates it on first use.
      const abortSignal = signal instanceof AbortFlag ? signal.signal : signal;
      const headers = onData ? withoutEncodings(requestedHeaders) : requestedHeaders;
      const sent = { method, headers, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
      const send = () => {
        // The real time of sending is not visible, so the request counts as sent from now on.
        beforeSend?.();
        return fetch(url, abortSignal ? { ...sent, signal: abortSignal } : sent);
      };
      const response = await abortable(abortSignal, send);
      refuseFollowedRedirect(url, response);
      onActivity?.();
      onHead?.({ status: response.status, headers: readableHeaders(response) });
      return complete(response, abortSignal, { limit, onData, onActivity });
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
  if (signal?.aborted) return Promise.reject(signal.reason);
  // `async`, so that a synchronous exception becomes a rejection.
  const working = (async () => work())().catch((error) => Promise.reject(readableError(error)));
  return orAborted(working, signal);
}

/**
 * The error of a fetch that followed a redirect although it must not. The request, with its
 * password or token, went to an address that the program never named.
 */
export class FollowedRedirect extends Error {
  /** Origin of the answer; null when unknown. */
  readonly origin: string | null;
  constructor(origin: string | null) {
    super('The fetch followed a redirect.');
    this.origin = origin;
  }
}

/**
 * @throws {FollowedRedirect} when the response is from another address than the requested one. A
 * fetch that always sends requests to a gateway reports no redirect.
 */
function refuseFollowedRedirect(requestedUrl: string, { redirected, url }: FetchResponse): void {
  const origin = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
  const isElsewhere = redirected === undefined && origin !== null && origin !== new URL(requestedUrl).origin;
  if (redirected === true || isElsewhere) throw new FollowedRedirect(origin);
}
