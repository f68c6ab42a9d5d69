// The fetch for answers with long lists: the rows are separated as bytes while the answer arrives,
// and the rest is read like any answer. So all calls share the rules for answers and failures, and
// the next request can be sent before the rows are parsed.
import { isLoopback } from '../core/base-url.js';
import { AbortFlag, type AbortSignalLike } from '../core/deadline.js';
import type { HttpFetch, HttpRequestInit, HttpResponse } from '../transport/http-transport.js';
import { decompressedLimit, type ResponseLimit, ResponseTooLarge } from '../transport/response-limits.js';
import { decoderFor, type StreamDecoder } from '../transport/stream-decompression.js';
import { ListReader } from './list-reader.js';
import { BatchedRows, type ListRows, type ListsOfRequest, type LongList } from './list-rows.js';
import { RowBuffer } from './row-buffer.js';
import { RowScanner } from './row-scanner.js';

export class RowBodies {
  readonly #limit: ResponseLimit;
  /** Weak: only answers that are being read hold it. Otherwise no memory is kept. */
  #memory: WeakRef<RowBuffer> | null = null;

  constructor(limit: ResponseLimit) {
    this.#limit = limit;
  }

  bodyOf({ byName, isOnly }: ListsOfRequest): ArrivingBody {
    const [only] = byName;
    return only && isOnly
      ? new BodyOfList(...only, this.#rowMemory(), this.#limit)
      : new BodyOfLists(byName.keys(), this.#limit);
  }

  #rowMemory(): RowBuffer {
    const memory = this.#memory?.deref() ?? new RowBuffer();
    this.#memory = new WeakRef(memory);
    return memory;
  }
}

/**
 * Returns a fetch for one request that puts the rows into the body. A value in place of a list
 * stays in the text. `left` fires when no caller waits for the answer any more. An answer that has
 * begun is then cancelled at once, any other when it begins: until then the service works on it and
 * would refuse the user's next request.
 */
export function rowsFetch(fetch: HttpFetch, body: ArrivingBody, abandoned: AbortSignalLike): HttpFetch {
  return (url, init) => {
    const encodings = rowEncodings(url);
    return fetchInto(body, abandoned, fetch, url, { ...init, headers: { ...init.headers, ...encodings } });
  };
}

export interface ArrivingBody {
  readonly bytes: number;
  readonly lists: ReadonlyMap<string, ListRows> | null;
  readonly wasRead: boolean;
  /**
   * Takes bytes, which do not change afterwards, and the number of compressed bytes so far. Returns
   * an error when the body is too large, or a promise that pauses the response until it settles.
   */
  take(bytes: Uint8Array, compressedBytes: number): ResponseTooLarge | Promise<void> | undefined;
  /** Ends the body and returns the text without the rows. */
  end(): string;
  discard(): void;
}

class BodyOfList implements ArrivingBody {
  readonly #field: string;
  readonly #list: LongList;
  readonly #reader: ListReader;
  readonly #limit: ResponseLimit;
  lists: ReadonlyMap<string, ListRows> | null = null;

  constructor(field: string, list: LongList, memory: RowBuffer, limit: ResponseLimit) {
    this.#field = field;
    this.#list = list;
    this.#limit = limit;
    this.#reader = new ListReader(field, memory);
    list.onArriving?.(this.#reader);
  }

  get bytes(): number {
    return this.#reader.bytes;
  }

  get wasRead(): boolean {
    return this.#reader.wasRead;
  }

  take(bytes: Uint8Array, compressedBytes: number): ResponseTooLarge | Promise<void> | undefined {
    this.#reader.feed(bytes);
    const most = Math.min(this.#list.maxBytes, limitOf(compressedBytes, this.#limit));
    if (this.#reader.unreadBytes > most) return new ResponseTooLarge(most);
    return this.#list.onBytes?.();
  }

  end(): string {
    const rest = this.#reader.end();
    this.lists = new Map(this.#reader.hasList ? [[this.#field, this.#reader]] : []);
    return rest;
  }

  discard(): void {
    this.#reader.discard();
  }
}

class BodyOfLists implements ArrivingBody {
  readonly #scanner: RowScanner;
  readonly #limit: ResponseLimit;
  bytes = 0;
  lists: ReadonlyMap<string, ListRows> | null = null;
  readonly wasRead = false;

  constructor(names: Iterable<string>, limit: ResponseLimit) {
    this.#scanner = new RowScanner(names);
    this.#limit = limit;
  }

  take(bytes: Uint8Array, compressedBytes: number): ResponseTooLarge | undefined {
    this.bytes += bytes.length;
    const most = limitOf(compressedBytes, this.#limit);
    if (this.bytes > most) return new ResponseTooLarge(most);
    this.#scanner.feed(bytes);
    return undefined;
  }

  end(): string {
    const { lists, rest } = this.#scanner.end();
    this.lists = new Map([...lists].map(([name, batches]) => [name, new BatchedRows(batches)]));
    return rest;
  }

  discard(): void {
    this.lists = null;
  }
}

/** A fetch without a stream returns text, whose compressed size is unknown. */
function limitOf(compressedBytes: number, limit: ResponseLimit): number {
  return compressedBytes === 0 ? limit.maxBytes : decompressedLimit(compressedBytes, limit);
}

/** Sends a request as `HttpFetch`; the rows of a successful response go to the body. */
async function fetchInto(
  body: ArrivingBody,
  abandoned: AbortSignalLike,
  fetch: HttpFetch,
  url: string,
  init: HttpRequestInit,
): Promise<HttpResponse> {
  const giveUp = new AbortFlag();
  let decoder: StreamDecoder | null = null;
  let held: Promise<void> | undefined;
  let compressedBytes = 0;
  const take = (bytes: Uint8Array) => {
    if (giveUp.aborted) return;
    const result = body.take(bytes, compressedBytes);
    if (result instanceof ResponseTooLarge) giveUp.abort(result);
    else held = result;
  };
  const onData = (chunk: Uint8Array, contentEncoding: string | null) => {
    compressedBytes += chunk.length;
    if (abandoned.aborted) giveUp.abort();
    if (giveUp.aborted) return undefined;
    decoder ??= decoderFor(contentEncoding, chunk, take);
    decoder.write(chunk);
    // A decompressor calls back later, so this may be about earlier bytes.
    return held;
  };
  const onAbort = () => giveUp.abort(init.signal?.reason);
  const onAbandoned = () => {
    if (compressedBytes > 0) giveUp.abort();
  };
  const close = () => {
    init.signal?.removeEventListener('abort', onAbort);
    abandoned.removeEventListener('abort', onAbandoned);
  };
  const discard = (error: unknown): never => {
    close();
    decoder?.discard();
    throw error;
  };
  if (init.signal?.aborted) onAbort();
  init.signal?.addEventListener('abort', onAbort);
  abandoned.addEventListener('abort', onAbandoned);
  const response = await fetch(url, { ...init, signal: giveUp, onData }).catch(discard);
  const { ok, status, headers } = response;
  if (!ok) {
    close();
    return response;
  }
  const text = async () => {
    // Empty when the body came in pieces; complete from a fetch without a stream.
    const whole = await response.text().catch(discard);
    await decoder?.end().catch(discard);
    close();
    if (whole !== '') take(Buffer.from(whole));
    // The last bytes may have exceeded the limit.
    if (giveUp.aborted) throw giveUp.reason;
    return body.end();
  };
  return {
    ok,
    status,
    headers,
    text,
    json: async () => JSON.parse(await text()) as unknown,
    get bytes() {
      return body.lists === null ? undefined : body.bytes;
    },
  };
}

/**
 * On the same machine compression costs time and saves nothing. Elsewhere gzip, not brotli: many
 * servers prefer brotli, but for megabytes it compresses slower than gzip transfers.
 */
function rowEncodings(baseUrl: string): { readonly 'accept-encoding': string } {
  return { 'accept-encoding': isLoopback(new URL(baseUrl)) ? 'identity' : 'gzip, deflate' };
}
