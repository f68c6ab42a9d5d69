// The wire for a call whose answer is a long list: its rows are put aside while the answer arrives, unparsed, and the ordinary wire
// gets the answer without them. So what counts as an answer, and what as which failure, is the same for every call.

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
import { RowSplitter } from './row-splitter.js';

/** Where the rows of an answer go. */
export interface RowSink {
  /** The root field whose rows they are. */
  readonly field: string;
  /** For the bytes of the rows, until they have been read. */
  readonly memory: RowBuffer;
  /**
   * Fires when no more is wanted. An answer that has begun is then given up at once; one that has not, when it begins: until then
   * the service is at work on it, and would refuse the user's next request.
   */
  readonly enough: AbortSignalLike;
  /** Told how much has arrived. */
  arriving(bytes: number): void;
  /** All rows of an answer, and how long it was. When a request is sent again, what it brings takes the place of what came before. */
  take(rows: RowReader, bytes: number): void;
}

/** The wire to `{baseUrl}/graphql` for one such call. */
export function rowTransport(
  baseUrl: string,
  http: HttpTransport,
  codec: GraphQLCodec,
  time: ServiceClock,
  sink: RowSink,
): GraphQLTransport {
  const encodings = { 'accept-encoding': encodingsFor(baseUrl) };
  let bytes: number | null = null;
  const rowless: HttpTransport = {
    fetch(url, init) {
      const whole = (count: number) => {
        bytes = count;
      };
      return fetchRows(http, url, { ...init, headers: { ...init.headers, ...encodings } }, sink, whole);
    },
    close: () => http.close(),
  };
  const wire = graphqlTransport(baseUrl, rowless, codec, time);
  return {
    async send(request) {
      bytes = null;
      const sent = await wire.send(request);
      return bytes === null ? sent : { ...sent, bytes };
    },
  };
}

/**
 * To this machine itself compression is work for both sides and saves nothing. Elsewhere gzip: megabytes of brotli, which many servers
 * prefer when they may, take them longer to make than gzip takes on its way.
 */
function encodingsFor(baseUrl: string): string {
  return isLoopback(new URL(baseUrl)) ? 'identity' : 'gzip, deflate';
}

async function fetchRows(
  http: HttpTransport,
  url: string,
  init: HttpRequestInit,
  sink: RowSink,
  onWhole: (bytes: number) => void,
): Promise<FetchResponse> {
  const skimmer = new RowSplitter(sink.field, sink.memory);
  const stop = new AbortFlag();
  let decoder: StreamDecoder | null = null;
  const feed = (bytes: Uint8Array) => {
    if (stop.aborted) return;
    skimmer.feed(bytes);
    sink.arriving(skimmer.bytes);
  };
  const onData = (chunk: Uint8Array, contentEncoding: string | null) => {
    if (sink.enough.aborted) stop.abort();
    decoder ??= decoderFor(contentEncoding, chunk, feed);
    if (!stop.aborted) decoder.write(chunk);
  };
  const onEnough = () => {
    if (decoder) stop.abort();
  };
  const onGivenUp = () => stop.abort(init.signal?.reason);
  const forget = () => {
    init.signal?.removeEventListener('abort', onGivenUp);
    sink.enough.removeEventListener('abort', onEnough);
  };
  const dropped = (error: unknown): never => {
    forget();
    decoder?.discard();
    skimmer.drop();
    throw error;
  };
  if (init.signal?.aborted) onGivenUp();
  init.signal?.addEventListener('abort', onGivenUp);
  sink.enough.addEventListener('abort', onEnough);
  const response = await http.fetch(url, { ...init, signal: stop, onData }).catch(dropped);
  const { ok, status, headers } = response;
  if (!ok) {
    forget();
    return response;
  }
  const text = async () => {
    // Empty when the body came in pieces; whole from a fetch that has no pieces to give.
    const whole = await response.text().catch(dropped);
    await decoder?.end();
    forget();
    if (whole !== '') feed(Buffer.from(whole));
    const { rows, rest } = skimmer.end();
    onWhole(skimmer.bytes);
    sink.take(rows, skimmer.bytes);
    return rest;
  };
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) as unknown };
}
