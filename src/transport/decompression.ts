// The text of a complete body: joined, decompressed, decoded.
import type zlib from 'node:zlib';

type Decoder = (body: Buffer) => Buffer | Promise<Buffer>;

/** Up to this size a body is decompressed synchronously: handing it to another thread would take longer. */
const SMALL_BYTES = 16 * 1024;

/** Loads zlib; called for the first compressed body. */
async function loadDecoders(): Promise<Readonly<Record<string, Decoder>>> {
  const zlib = await import('node:zlib');
  const decoder =
    (sync: (body: Buffer) => Buffer, async: (body: Buffer, done: zlib.CompressCallback) => void): Decoder =>
    (body) =>
      body.length <= SMALL_BYTES
        ? sync(body)
        : new Promise((resolve, reject) => {
            async(body, (error, bytes) => (error ? reject(error) : resolve(bytes)));
          });
  const gunzip = decoder(zlib.gunzipSync, zlib.gunzip);
  const inflate = decoder(zlib.inflateSync, zlib.inflate);
  const inflateRaw = decoder(zlib.inflateRawSync, zlib.inflateRaw);
  return {
    gzip: gunzip,
    'x-gzip': gunzip,
    br: decoder(zlib.brotliDecompressSync, zlib.brotliDecompress),
    // The standard's deflate has a zlib header; some servers leave it out.
    deflate: (body) => ((body.readUInt8(0) & 0x0f) === 8 ? inflate(body) : inflateRaw(body)),
    identity: (body) => body,
    '': (body) => body,
  };
}

let loading: ReturnType<typeof loadDecoders> | null = null;

const EMPTY = Buffer.alloc(0);
/** JSON.parse does not accept it. */
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
  // The last encoding was applied last.
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
