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

  /** Returns the faster reader if the request contains nothing but one list. */
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
    const request = new RowsRequest(body, abandoned, init.signal);
    return request.send(fetch, url, { ...init, headers: { ...init.headers, ...encodings } });
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

/** A request whose rows go to the body when it succeeds. */
class RowsRequest {
  readonly #body: ArrivingBody;
  readonly #abandoned: AbortSignalLike;
  readonly #signal: HttpRequestInit['signal'];
  readonly #giveUp = new AbortFlag();
  #decoder: StreamDecoder | null = null;
  #held: Promise<void> | undefined;
  #compressedBytes = 0;

  constructor(body: ArrivingBody, abandoned: AbortSignalLike, signal: HttpRequestInit['signal']) {
    this.#body = body;
    this.#abandoned = abandoned;
    this.#signal = signal;
  }

  /** Sends the request with `fetch`. The rows go to the body while they arrive. */
  async send(fetch: HttpFetch, url: string, init: HttpRequestInit): Promise<HttpResponse> {
    if (this.#signal?.aborted) this.#onAbort();
    this.#signal?.addEventListener('abort', this.#onAbort);
    this.#abandoned.addEventListener('abort', this.#onAbandoned);
    const sent = { ...init, signal: this.#giveUp, onData: this.#onData };
    const response = await fetch(url, sent).catch((error) => this.#discard(error));
    if (response.ok) return this.#withRest(response);
    this.#stopListening();
    return response;
  }

  readonly #onAbort = () => this.#giveUp.abort(this.#signal?.reason);

  readonly #onAbandoned = () => {
    if (this.#compressedBytes > 0) this.#giveUp.abort();
  };

  readonly #onData: NonNullable<HttpRequestInit['onData']> = (chunk, contentEncoding) => {
    this.#compressedBytes += chunk.length;
    if (this.#abandoned.aborted) this.#giveUp.abort();
    if (this.#giveUp.aborted) return undefined;
    this.#decoder ??= decoderFor(contentEncoding, chunk, (bytes) => this.#take(bytes));
    this.#decoder.write(chunk);
    // A decompressor calls back later, so this may be about earlier bytes.
    return this.#held;
  };

  #take(bytes: Uint8Array): void {
    if (this.#giveUp.aborted) return;
    const result = this.#body.take(bytes, this.#compressedBytes);
    if (result instanceof ResponseTooLarge) this.#giveUp.abort(result);
    else this.#held = result;
  }

  /** Returns the response with a text without the rows. */
  #withRest(response: HttpResponse): HttpResponse {
    const { ok, status, headers } = response;
    const body = this.#body;
    const text = async () => {
      // Empty when the body came in pieces; complete from a fetch without a stream.
      const whole = await response.text().catch((error) => this.#discard(error));
      await this.#decoder?.end().catch((error) => this.#discard(error));
      this.#stopListening();
      if (whole !== '') this.#take(Buffer.from(whole));
      // The last bytes may have exceeded the limit.
      if (this.#giveUp.aborted) throw this.#giveUp.reason;
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

  #discard(error: unknown): never {
    this.#stopListening();
    this.#decoder?.discard();
    throw error;
  }

  #stopListening(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#abandoned.removeEventListener('abort', this.#onAbandoned);
  }
}

/**
 * On the same machine compression costs time and saves nothing. Elsewhere gzip, not brotli: many
 * servers prefer brotli, but for megabytes it compresses slower than gzip transfers.
 */
function rowEncodings(baseUrl: string): { readonly 'accept-encoding': string } {
  return { 'accept-encoding': isLoopback(new URL(baseUrl)) ? 'identity' : 'gzip, deflate' };
}
