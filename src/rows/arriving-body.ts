// Sends a request and hands its body on while it arrives, decompressed. What is left of the body when all of it has been taken is the text
// of the response, so that the same rules for answers and failures apply to every call.
import type { AbortFlag } from '../core/abort-flag.js';
import type { FetchResponse } from '../core/ports.js';
import type { HttpRequestInit, HttpTransport } from '../transport/http-transport.js';
import { decoderFor, type StreamDecoder } from '../transport/stream-decompression.js';

/** Takes a body while it arrives. */
export interface BodyTaker {
  /** Fires to give the response up; its reason is what the request rejects with. */
  readonly giveUp: AbortFlag;
  /** Called with the size of each piece, as it arrives. A fetch without a stream has none. */
  onPiece(compressedBytes: number): void;
  /** Takes bytes. They are not changed afterwards. May return a promise that holds the response back until it settles. */
  take(bytes: Uint8Array): Promise<void> | undefined;
  /** The body is complete: the text that is left of it. */
  end(): string;
  /** The body will not be complete. */
  discard(): void;
  /** The request is over, with or without a response. */
  close(): void;
}

/** As `HttpTransport.fetch`. The body of a response that is no success is not taken. */
export async function fetchInto(
  taker: BodyTaker,
  http: HttpTransport,
  url: string,
  init: HttpRequestInit,
): Promise<FetchResponse> {
  const { giveUp } = taker;
  let decoder: StreamDecoder | null = null;
  let held: Promise<void> | undefined;
  const takeBytes = (bytes: Uint8Array) => {
    if (!giveUp.aborted) held = taker.take(bytes);
  };
  const onData = (chunk: Uint8Array, contentEncoding: string | null) => {
    taker.onPiece(chunk.length);
    if (giveUp.aborted) return undefined;
    decoder ??= decoderFor(contentEncoding, chunk, takeBytes);
    decoder.write(chunk);
    // A decompressor calls back later, so this may be about bytes before these.
    return held;
  };
  const onAbort = () => giveUp.abort(init.signal?.reason);
  const close = () => {
    init.signal?.removeEventListener('abort', onAbort);
    taker.close();
  };
  const discard = (error: unknown): never => {
    close();
    decoder?.discard();
    taker.discard();
    throw error;
  };
  if (init.signal?.aborted) onAbort();
  init.signal?.addEventListener('abort', onAbort);
  const response = await http.fetch(url, { ...init, signal: giveUp, onData }).catch(discard);
  const { ok, status, headers } = response;
  if (!ok) {
    close();
    return response;
  }
  const text = async () => {
    // Empty when the body came in pieces; complete from a fetch without a stream.
    const whole = await response.text().catch(discard);
    await decoder?.end();
    close();
    if (whole !== '') takeBytes(Buffer.from(whole));
    return taker.end();
  };
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) as unknown };
}
