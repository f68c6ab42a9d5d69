// The transport over a fetch that the program provides. A body that is needed in pieces is read from the response's stream, or as a whole
// when it has none.
import type { Fetch, FetchResponse } from '../core/ports.js';
import { customFetch } from './custom-fetch.js';
import type { HttpRequestInit, HttpTransport } from './http-transport.js';

export function customFetchTransport(fetch: Fetch): HttpTransport {
  const plain = customFetch(fetch);
  return {
    fetch(url, init) {
      const { onData, ...plainInit } = init;
      if (!onData) return plain.fetch(url, init);
      // Only the fetch itself knows which compressions it supports.
      const { 'accept-encoding': _, ...headers } = init.headers;
      return customFetch(inChunks(fetch, onData)).fetch(url, { ...plainInit, headers });
    },
    close: () => plain.close(),
  };
}

function inChunks(fetch: Fetch, onData: NonNullable<HttpRequestInit['onData']>): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const body = bodyOf(response);
    if (!response.ok || !body) return response;
    const text = async () => {
      // The fetch has decompressed it.
      for await (const chunk of body) {
        // Leaving the loop cancels the stream.
        if (init.signal?.aborted) break;
        onData(chunk, null);
      }
      return '';
    };
    const { ok, status, headers } = response;
    return { ok, status, headers, text, json: () => response.json() };
  };
}

/** The body as the global fetch gives it; null when it cannot be read as a stream. */
function bodyOf(response: FetchResponse): AsyncIterable<Uint8Array> | null {
  const body: unknown = 'body' in response ? response.body : null;
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return null;
  // A body of fetch is made of bytes.
  return body as AsyncIterable<Uint8Array>;
}
