// The transport for answers with many rows: the body is handed on while it arrives, decompressed, and the ordinary GraphQL transport reads
// what is left of it. So the same rules for answers and failures apply to every call.
import type { AbortFlag } from '../core/abort-flag.js';
import type { FetchResponse } from '../core/ports.js';
import type { GraphQLCodec } from '../transport/graphql-codec.js';
import { type GraphQLTransport, graphqlTransport } from '../transport/graphql-transport.js';
import type { HttpRequestInit, HttpTransport } from '../transport/http-transport.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { decoderFor, type StreamDecoder } from '../transport/stream-decompression.js';
import { rowEncodings } from './row-encodings.js';

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

/** Requests to `{baseUrl}/graphql`. `takerOf` makes a taker for each response; it is to be told how many bytes a complete body had. */
export function arrivingBodyTransport(
  baseUrl: string,
  http: HttpTransport,
  codec: GraphQLCodec,
  clock: ServiceClock,
  takerOf: (onComplete: (bytes: number) => void) => BodyTaker,
): GraphQLTransport {
  const encodings = rowEncodings(baseUrl);
  let bytes: number | null = null;
  const withoutRows: HttpTransport = {
    fetch(url, init) {
      const taker = takerOf((count) => {
        bytes = count;
      });
      return fetchInto(taker, http, url, { ...init, headers: { ...init.headers, ...encodings } });
    },
    close: () => http.close(),
  };
  const transport = graphqlTransport(baseUrl, withoutRows, codec, clock);
  return {
    async send(request) {
      bytes = null;
      const outcome = await transport.send(request);
      return bytes === null ? outcome : { ...outcome, bytes };
    },
  };
}

/** As `HttpTransport.fetch`. The body of a response that is no success is not taken. */
async function fetchInto(
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
