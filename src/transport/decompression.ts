// The text of a body that has arrived whole: put together, decompressed, decoded.
import type zlib from 'node:zlib';

type Decoder = (body: Buffer) => Buffer | Promise<Buffer>;

/** Up to here a body is undone at once: sending it to another thread and back would take longer. */
const SMALL_BYTES = 16 * 1024;

/** Loaded when the first compressed body comes. */
async function loadDecoders(): Promise<Readonly<Record<string, Decoder>>> {
  const zlib = await import('node:zlib');
  const decoder =
    (atOnce: (body: Buffer) => Buffer, elsewhere: (body: Buffer, done: zlib.CompressCallback) => void): Decoder =>
    (body) =>
      body.length <= SMALL_BYTES
        ? atOnce(body)
        : new Promise((resolve, reject) => {
            elsewhere(body, (error, bytes) => (error ? reject(error) : resolve(bytes)));
          });
  const unzip = decoder(zlib.gunzipSync, zlib.gunzip);
  const unwrap = decoder(zlib.inflateSync, zlib.inflate);
  const unwrapRaw = decoder(zlib.inflateRawSync, zlib.inflateRaw);
  return {
    gzip: unzip,
    'x-gzip': unzip,
    br: decoder(zlib.brotliDecompressSync, zlib.brotliDecompress),
    // Some servers send deflate with zlib's wrapping, as the standard says, and some without.
    deflate: (body) => ((body.readUInt8(0) & 0x0f) === 8 ? unwrap(body) : unwrapRaw(body)),
    identity: (body) => body,
    '': (body) => body,
  };
}

let loading: ReturnType<typeof loadDecoders> | null = null;

const EMPTY = Buffer.alloc(0);
/** JSON.parse does not take it. */
const BYTE_ORDER_MARK = 0xfeff;

export function bodyText(chunks: readonly Buffer[], contentEncoding: string | null): Promise<string> {
  const [only = EMPTY] = chunks;
  const bytes = chunks.length > 1 ? Buffer.concat(chunks) : only;
  return contentEncoding === null ? Promise.resolve(decode(bytes)) : decompress(bytes, contentEncoding).then(decode);
}

async function decompress(compressed: Buffer, contentEncoding: string): Promise<Buffer> {
  loading ??= loadDecoders();
  const decoders = await loading;
  let bytes = compressed;
  // The last encoding named was applied last.
  for (const name of contentEncoding.split(',').reverse()) {
    const decoder = decoders[name.trim().toLowerCase()];
    if (!decoder) throw new Error('The answer has a content-encoding that was not asked for.');
    if (bytes.length > 0) bytes = await decoder(bytes);
  }
  return bytes;
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
