// The text of a body that has arrived whole: put together, decompressed, decoded.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, Buffer>(gunzip),
  br: promisify<Buffer, Buffer>(brotliDecompress),
  // Some servers send deflate with zlib's wrapping, as the standard says, and some without.
  deflate: (body) => promisify<Buffer, Buffer>((body.readUInt8(0) & 0x0f) === 8 ? inflate : inflateRaw)(body),
  identity: async (body) => body,
  '': async (body) => body,
};

const EMPTY = Buffer.alloc(0);
/** JSON.parse does not take it. */
const BYTE_ORDER_MARK = 0xfeff;

export function bodyText(chunks: readonly Buffer[], contentEncoding: string | null): Promise<string> {
  const [only = EMPTY] = chunks;
  const bytes = chunks.length > 1 ? Buffer.concat(chunks) : only;
  return contentEncoding === null ? Promise.resolve(decode(bytes)) : decompress(bytes, contentEncoding).then(decode);
}

async function decompress(compressed: Buffer, contentEncoding: string): Promise<Buffer> {
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
