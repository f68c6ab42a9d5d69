// The wire for a call whose answer is a long list: its rows are put aside while the answer arrives, unparsed, and the ordinary wire
// gets the answer without them. So what counts as an answer, and what as which failure, is the same for every call.
import type { FetchResponse } from '../outside.js';
import type { Call } from './batch.js';
import { type Decoder, decoderFor } from './row-decoder.js';
import { type RowBatch, RowScanner } from './row-scanner.js';
import type { ThinFetch, ThinInit } from './thin-fetch.js';
import { type Wire, wireTo } from './wire.js';

/** Where the rows of an answer go. */
export interface RowSink {
  /** The root field whose rows they are. */
  readonly field: string;
  /** Told how much has arrived; false when no more is wanted. */
  arriving(bytes: number): boolean;
  /** All rows of an answer, and how long it was. When a request is sent again, what it brings takes the place of what came before. */
  take(batches: readonly RowBatch[], bytes: number): void;
}

/** A call whose rows are put aside. In its answer the list is empty. */
export interface RowCall extends Call {
  readonly rows: RowSink;
}

export function isRowCall(call: Call): call is RowCall {
  return 'rows' in call;
}

/** The wire to `{baseUrl}/graphql` for one such call. */
export function rowWireTo(baseUrl: string, http: ThinFetch, sink: RowSink): Wire {
  return wireTo(baseUrl, { fetch: (url, init) => fetchRows(http, url, init, sink), close: () => http.close() });
}

async function fetchRows(http: ThinFetch, url: string, init: ThinInit, sink: RowSink): Promise<FetchResponse> {
  const scanner = new RowScanner(sink.field);
  let wanted = true;
  let decoder: Decoder | null = null;
  const feed = (bytes: Uint8Array) => {
    if (!wanted) return;
    scanner.feed(bytes);
    wanted = sink.arriving(scanner.bytes);
  };
  const onData = (chunk: Uint8Array, contentEncoding: string | null) => {
    decoder ??= decoderFor(contentEncoding, chunk, feed);
    if (wanted) decoder.write(chunk);
  };
  const dropped = (error: unknown): never => {
    decoder?.drop();
    throw error;
  };
  const response = await http.fetch(url, { ...init, onData }).catch(dropped);
  const { ok, status, headers } = response;
  if (!ok) return response;
  const text = async () => {
    // Empty when the body came in pieces; whole from a fetch that has no pieces to give.
    const whole = await response.text().catch(dropped);
    await decoder?.end();
    if (whole !== '') feed(Buffer.from(whole));
    const { batches, rest } = scanner.end();
    sink.take(batches, scanner.bytes);
    return rest;
  };
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) as unknown };
}
