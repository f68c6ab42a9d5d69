// A fetch that somebody else wrote, where a body is wanted piece by piece: read from its stream when it has one, whole otherwise.
import type { Fetch, FetchResponse } from '../core/ports.js';
import { customFetch } from './custom-fetch.js';
import type { HttpRequestInit, HttpTransport } from './http-transport.js';

/** A given fetch in place of the built-in connections, for rows too. */
export function customFetchTransport(fetch: Fetch): HttpTransport {
  const plain = customFetch(fetch);
  return {
    fetch(url, init) {
      const { onData, ...plainInit } = init;
      if (!onData) return plain.fetch(url, init);
      // Which compressions it can take off is for whoever wrote it to say.
      const { 'accept-encoding': _, ...headers } = init.headers;
      return customFetch(inPieces(fetch, onData)).fetch(url, { ...plainInit, headers });
    },
    close: () => plain.close(),
  };
}

function inPieces(fetch: Fetch, onData: NonNullable<HttpRequestInit['onData']>): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const body = bodyOf(response);
    if (!response.ok || !body) return response;
    const text = async () => {
      // Whoever wrote the fetch has taken any compression off.
      for await (const chunk of body) {
        // Leaving the loop ends the stream too.
        if (init.signal?.aborted) break;
        onData(chunk, null);
      }
      return '';
    };
    const { ok, status, headers } = response;
    return { ok, status, headers, text, json: () => response.json() };
  };
}

/** The body as the global fetch gives it; null when there is none that can be read so. */
function bodyOf(response: FetchResponse): AsyncIterable<Uint8Array> | null {
  const body: unknown = 'body' in response ? response.body : null;
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return null;
  // A body of fetch is made of bytes.
  return body as AsyncIterable<Uint8Array>;
}
