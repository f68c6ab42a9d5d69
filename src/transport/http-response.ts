// A response whose body is collected while it arrives, and its decompressed and decoded text. A
// long body is decoded in pieces, so that the event loop is not blocked.
import type { IncomingHttpHeaders } from 'node:http';
import type { FetchResponse, ResponseHeaders } from '../core/ports.js';
import { turnOfEventLoop } from '../core/real-time.js';
import type { HttpRequestInit } from './http-transport.js';
import { DEFAULT_LIMIT, decompressedLimit, type ResponseLimit, ResponseTooLarge } from './response-limits.js';
import type { StreamDecoder } from './stream-decompression.js';

/** The encodings that `bodyText` and the stream decompression support. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** The source of a response, as far as backpressure needs it. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** The headers of a response. Retaining them does not retain the body. */
class IncomingHeaders implements ResponseHeaders {
  readonly #values: IncomingHttpHeaders;

  constructor(values: IncomingHttpHeaders) {
    this.#values = values;
  }

  get(name: string): string | null {
    const value = this.#values[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }

  *[Symbol.iterator](): Generator<[string, string], void> {
    for (const name of Object.keys(this.#values)) yield [name, this.get(name) ?? ''];
  }
}

const NO_HEADERS = new IncomingHeaders({});

export class BufferedResponse implements FetchResponse {
  /** 0 until the response begins. */
  status = 0;
  headers: ResponseHeaders = NO_HEADERS;
  protected readonly init: HttpRequestInit;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #error: Error | null = null;
  #flow: Flow | null = null;
  #held: Promise<void> | null = null;

  constructor(init: HttpRequestInit) {
    this.init = init;
  }

  begin(status: number, headers: IncomingHttpHeaders, flow: Flow | null = null): void {
    this.status = status;
    this.headers = new IncomingHeaders(headers);
    this.#flow = flow;
    this.init.onActivity?.();
    this.init.onHead?.(this);
  }

  /** Returns an error when the body is too large: the response is to be cancelled. */
  addChunk(chunk: Buffer): ResponseTooLarge | null {
    const { onActivity, onData, limit = DEFAULT_LIMIT } = this.init;
    onActivity?.();
    if (onData && this.ok) {
      this.#hold(onData(chunk, this.headers.get('content-encoding')));
      return null;
    }
    this.#bytes += chunk.length;
    if (this.#bytes > limit.maxBytes) return new ResponseTooLarge(limit.maxBytes);
    this.#chunks.push(chunk);
    return null;
  }

  #hold(held: Promise<void> | undefined): void {
    // A paused connection may still deliver bytes that were read before.
    if (held === undefined || held === this.#held) return;
    this.#held = held;
    this.#flow?.pause();
    void held.then(() => {
      if (this.#held !== held) return;
      this.#held = null;
      this.#flow?.resume();
    });
  }

  fail(error: Error): void {
    this.#error ??= error;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  text(): Promise<string> {
    return this.#error
      ? Promise.reject(this.#error)
      : bodyText(this.#chunks, this.headers.get('content-encoding'), this.init.limit ?? DEFAULT_LIMIT);
  }

  async json(): Promise<unknown> {
    const value: unknown = JSON.parse(await this.text());
    return value;
  }
}

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Smaller bodies are decompressed synchronously: another thread would take longer. */
const SMALL_BYTES = 16 * 1024;
/** A small body with a larger output is decompressed in another thread. */
const SMALL_OUTPUT_BYTES = 1024 * 1024;
/** The event loop gets a turn after this many bytes, which take a few milliseconds to decode. */
const PIECE_BYTES = 1024 * 1024;

async function loadDecoders(): Promise<Readonly<Record<string, Decoder>>> {
  const { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } = await import('node:zlib');
  return {
    gzip: gunzipSync,
    'x-gzip': gunzipSync,
    br: brotliDecompressSync,
    // The standard's deflate has a zlib header; some servers leave it out.
    deflate: (body, options) =>
      (body.readUInt8(0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options),
  };
}

let loading: ReturnType<typeof loadDecoders> | null = null;

const EMPTY = Buffer.alloc(0);
/** JSON.parse does not accept it. */
const BYTE_ORDER_MARK = 0xfeff;

/** Returns the text. Rejects with ResponseTooLarge, or with a zlib error. */
export function bodyText(
  chunks: readonly Buffer[],
  contentEncoding: string | null,
  limit: ResponseLimit,
): Promise<string> {
  let bytes = 0;
  for (const { length } of chunks) bytes += length;
  if (bytes === 0) return Promise.resolve('');
  if (contentEncoding !== null && !/^\s*(identity\s*)?$/i.test(contentEncoding)) {
    return decompressed(chunks, bytes, contentEncoding.trim().toLowerCase(), limit);
  }
  return bytes <= PIECE_BYTES ? Promise.resolve(decode(chunks)) : decodedInPieces(chunks);
}

async function decompressed(
  chunks: readonly Buffer[],
  bytes: number,
  contentEncoding: string,
  limit: ResponseLimit,
): Promise<string> {
  if (bytes <= SMALL_BYTES) {
    loading ??= loadDecoders();
    const small = decompressedAtOnce(Buffer.concat(chunks), (await loading)[contentEncoding], limit);
    if (small !== null) return decode([small]);
  }
  return decompressedInPieces(chunks, contentEncoding, decompressedLimit(bytes, limit));
}

/**
 * Decompresses synchronously. Returns null for large output, and for unknown or several encodings.
 */
function decompressedAtOnce(body: Buffer, decoder: Decoder | undefined, { maxBytes }: ResponseLimit): Buffer | null {
  if (!decoder) return null;
  try {
    return decoder(body, { maxOutputLength: Math.min(SMALL_OUTPUT_BYTES, maxBytes) });
  } catch (error) {
    if (error instanceof RangeError && Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

/** Decompresses in zlib's thread, which returns small pieces. */
async function decompressedInPieces(
  chunks: readonly Buffer[],
  contentEncoding: string,
  limitBytes: number,
): Promise<string> {
  const { decoderFor } = await import('./stream-decompression.js');
  const text = new TextDecoder();
  let all = '';
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const take = (piece: Uint8Array) => {
      bytes += piece.length;
      if (bytes <= limitBytes) {
        all += text.decode(piece, { stream: true });
        return;
      }
      stream.discard();
      reject(new ResponseTooLarge(limitBytes));
    };
    const stream: StreamDecoder = decoderFor(contentEncoding, chunks[0] ?? EMPTY, take);
    for (const chunk of chunks) stream.write(chunk);
    stream.end().then(() => resolve(all + text.decode()), reject);
  });
}

async function decodedInPieces(chunks: readonly Buffer[]): Promise<string> {
  const text = new TextDecoder();
  let all = '';
  let bytes = 0;
  for (const chunk of chunks) {
    all += text.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes > PIECE_BYTES) {
      bytes = 0;
      await turnOfEventLoop();
    }
  }
  return all + text.decode();
}

function decode(chunks: readonly Buffer[]): string {
  const [only = EMPTY] = chunks;
  const text = (chunks.length > 1 ? Buffer.concat(chunks) : only).toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
