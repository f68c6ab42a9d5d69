// Reads the body of a fetch response, which fetch has decompressed. Reads a stream where possible,
// so that the size is checked before the body is in memory.
import type { FetchResponse } from '../core/ports.js';
import type { HttpRequestInit } from './http-transport.js';
import { readableHeaders } from './response-headers.js';
import { type ResponseLimit, ResponseTooLarge } from './response-limits.js';

export interface BodyReading {
  readonly limit: ResponseLimit;
  /** Gets the chunks of a successful response; the text is then empty. */
  readonly onData: HttpRequestInit['onData'];
  readonly onActivity: HttpRequestInit['onActivity'];
}

/** Returns the text. Rejects with ResponseTooLarge, or with the error of reading. */
export async function readBody(
  response: FetchResponse,
  signal: AbortSignal | undefined,
  { limit, onData, onActivity }: BodyReading,
): Promise<string> {
  const take = response.ok ? onData : undefined;
  const stream = streamOf(response);
  if (!stream || (!take && announcesSize(response, limit))) return checked(await response.text(), limit);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of stream) {
    if (signal?.aborted) break;
    onActivity?.();
    if (take) {
      await take(chunk, null);
      continue;
    }
    bytes += chunk.length;
    if (bytes > limit.maxBytes) throw new ResponseTooLarge(limit.maxBytes);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function streamOf({ body }: FetchResponse): AsyncIterable<Uint8Array> | null {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return null;
  return body as AsyncIterable<Uint8Array>;
}

/** True for an uncompressed body whose content-length is within the limit: no need to count. */
function announcesSize(response: FetchResponse, { maxBytes }: ResponseLimit): boolean {
  const headers = readableHeaders(response);
  const length = headers.get('content-length') ?? '';
  return /^\d+$/.test(length) && Number(length) <= maxBytes && !headers.get('content-encoding');
}

function checked(text: string, { maxBytes }: ResponseLimit): string {
  if (text.length > maxBytes || (text.length > maxBytes / 3 && Buffer.byteLength(text) > maxBytes)) {
    throw new ResponseTooLarge(maxBytes);
  }
  return text;
}
