// The transport for a call whose answer is a long list: its rows are set aside, unparsed, while the response arrives, and the ordinary
// GraphQL transport reads the response without them. So the same rules for answers and failures apply to every call.

import { AbortFlag, type AbortSignalLike } from '../core/abort-flag.js';
import { isLoopback } from '../core/base-url.js';
import type { FetchResponse } from '../core/ports.js';
import type { GraphQLCodec } from '../transport/graphql-codec.js';
import { type GraphQLTransport, graphqlTransport } from '../transport/graphql-transport.js';
import type { HttpRequestInit, HttpTransport } from '../transport/http-transport.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { decoderFor, type StreamDecoder } from '../transport/stream-decompression.js';
import type { RowBuffer } from './row-buffer.js';
import type { RowReader } from './row-reader.js';
import { type ArrivingRows, RowSplitter } from './row-splitter.js';

/** Takes the rows of a response. */
export interface RowSink {
  /** The root field that is the list. */
  readonly field: string;
  /** Holds the bytes of the rows until they have been read. */
  readonly memory: RowBuffer;
  /**
   * Fires when no more rows are needed. A response that has begun is then given up at once; otherwise when it begins, because until then
   * the service works on it and would refuse the user's next request.
   */
  readonly enough: AbortSignalLike;
  /** Called when a request is sent, with the rows that its response brings, for a caller that takes them while they arrive. */
  onStart?(rows: ArrivingRows): void;
  /** Called while bytes arrive, with their number so far. May return a promise that holds the response back until it settles. */
  onProgress(bytes: number): Promise<void> | undefined;
  /** Called with all rows of a response, and its size. When a request is sent again, its rows replace the earlier ones. */
  onRows(rows: RowReader, bytes: number): void;
  /** Called when a request has failed. Returns false when it must not be sent again, because some of its rows have been delivered. */
  onFailure?(): boolean;
  /** Called when other calls wait for the turn of this one. */
  onWaitingCalls?(): void;
}

/** Requests to `{baseUrl}/graphql` whose rows go into the sink. */
export function rowTransport(
  baseUrl: string,
  http: HttpTransport,
  codec: GraphQLCodec,
  clock: ServiceClock,
  sink: RowSink,
): GraphQLTransport {
  const encodings = { 'accept-encoding': encodingsFor(baseUrl) };
  let bytes: number | null = null;
  const withoutRows: HttpTransport = {
    fetch(url, init) {
      const onComplete = (count: number) => {
        bytes = count;
      };
      return fetchRows(http, url, { ...init, headers: { ...init.headers, ...encodings } }, sink, onComplete);
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

/**
 * On this machine itself compression costs time and saves nothing. Elsewhere gzip, not brotli: many servers prefer brotli, but for
 * megabytes they take longer to compress it than the transfer of gzip takes.
 */
function encodingsFor(baseUrl: string): string {
  return isLoopback(new URL(baseUrl)) ? 'identity' : 'gzip, deflate';
}

async function fetchRows(
  http: HttpTransport,
  url: string,
  init: HttpRequestInit,
  sink: RowSink,
  onComplete: (bytes: number) => void,
): Promise<FetchResponse> {
  const splitter = new RowSplitter(sink.field, sink.memory);
  const giveUp = new AbortFlag();
  let decoder: StreamDecoder | null = null;
  let held: Promise<void> | undefined;
  const addBytes = (bytes: Uint8Array) => {
    if (giveUp.aborted) return;
    splitter.feed(bytes);
    held = sink.onProgress(splitter.bytes);
  };
  const onData = (chunk: Uint8Array, contentEncoding: string | null) => {
    if (sink.enough.aborted) giveUp.abort(sink.enough.reason);
    decoder ??= decoderFor(contentEncoding, chunk, addBytes);
    if (giveUp.aborted) return undefined;
    decoder.write(chunk);
    // A decompressor calls back later, so this may be about bytes before these.
    return held;
  };
  const onEnough = () => {
    if (decoder) giveUp.abort(sink.enough.reason);
  };
  const onAbort = () => giveUp.abort(init.signal?.reason);
  const removeListeners = () => {
    init.signal?.removeEventListener('abort', onAbort);
    sink.enough.removeEventListener('abort', onEnough);
  };
  const discard = (error: unknown): never => {
    removeListeners();
    decoder?.discard();
    splitter.discard();
    throw error;
  };
  if (init.signal?.aborted) onAbort();
  init.signal?.addEventListener('abort', onAbort);
  sink.enough.addEventListener('abort', onEnough);
  sink.onStart?.(splitter);
  const response = await http.fetch(url, { ...init, signal: giveUp, onData }).catch(discard);
  const { ok, status, headers } = response;
  if (!ok) {
    removeListeners();
    return response;
  }
  const text = async () => {
    // Empty when the body came in pieces; complete from a fetch without a stream.
    const whole = await response.text().catch(discard);
    await decoder?.end();
    removeListeners();
    if (whole !== '') addBytes(Buffer.from(whole));
    const { rows, rest } = splitter.end();
    onComplete(splitter.bytes);
    sink.onRows(rows, splitter.bytes);
    return rest;
  };
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) as unknown };
}
