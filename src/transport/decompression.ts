// The text of a complete body: decompressed and decoded. A long body is handled in pieces, so that the event loop is never held up.
import { setImmediate } from 'node:timers/promises';
import { decompressedLimit, type ResponseLimit, ResponseTooLarge } from './response-limits.js';
import type { StreamDecoder } from './stream-decompression.js';

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Up to this size a body is decompressed at once: handing it to another thread would take longer. */
const SMALL_BYTES = 16 * 1024;
/** Unless it becomes larger than this. */
const SMALL_OUTPUT_BYTES = 1024 * 1024;
/** So much is decoded before the event loop gets its turn: a few milliseconds. */
const PIECE_BYTES = 1024 * 1024;

/** Loads zlib; called for the first compressed body. */
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

/** Rejects with ResponseTooLarge, or with an error of zlib when the body does not match its content-encoding. */
export function bodyText(
  chunks: readonly Buffer[],
  contentEncoding: string | null,
  limit: ResponseLimit,
): Promise<string> {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (bytes === 0) return Promise.resolve('');
  if (contentEncoding !== null && !/^\s*(identity\s*)?$/i.test(contentEncoding)) {
    return decompressed(chunks, bytes, contentEncoding.trim().toLowerCase(), limit);
  }
  return bytes <= PIECE_BYTES ? Promise.resolve(decode(joined(chunks))) : decodedInPieces(chunks);
}

async function decompressed(
  chunks: readonly Buffer[],
  bytes: number,
  contentEncoding: string,
  limit: ResponseLimit,
): Promise<string> {
  if (bytes <= SMALL_BYTES) {
    loading ??= loadDecoders();
    const small = decompressedAtOnce(joined(chunks), (await loading)[contentEncoding], limit);
    if (small !== null) return decode(small);
  }
  return decompressedInPieces(chunks, contentEncoding, decompressedLimit(bytes, limit));
}

/** Null when that is not possible: the body becomes too large for it, or was compressed several times. */
function decompressedAtOnce(body: Buffer, decoder: Decoder | undefined, { maxBytes }: ResponseLimit): Buffer | null {
  if (!decoder) return null;
  try {
    return decoder(body, { maxOutputLength: Math.min(SMALL_OUTPUT_BYTES, maxBytes) });
  } catch (error) {
    if (error instanceof RangeError && Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

/** zlib works in another thread and gives back small pieces. */
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
      await setImmediate();
    }
  }
  return all + text.decode();
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only = EMPTY] = chunks;
  return chunks.length > 1 ? Buffer.concat(chunks) : only;
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
