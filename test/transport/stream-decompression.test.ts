// Every requested compression is decompressed while a body arrives, whatever the chunks.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decoderFor } from '../../src/transport/stream-decompression.js';
import { rejection } from '../request/setup.js';

const plain = Buffer.from('ä row, '.repeat(50_000));

async function decoded(body: Uint8Array, encoding: string | null, step = 777): Promise<Buffer> {
  const out: Uint8Array[] = [];
  const decoder = decoderFor(encoding, body, (bytes) => out.push(bytes));
  for (let at = 0; at < body.length; at += step) decoder.write(body.subarray(at, at + step));
  await decoder.end();
  return Buffer.concat(out);
}

test.each([
  [null, plain],
  ['identity', plain],
  ['gzip', gzipSync(plain)],
  ['X-GZIP', gzipSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['deflate, gzip', gzipSync(deflateSync(plain))],
])('%s', async (encoding, body) => {
  expect((await decoded(body, encoding)).equals(plain)).toBe(true);
});

test('a body that ends too early, is something else or is in an unknown encoding is no body', async () => {
  const whole = gzipSync(plain);
  expect(await rejection(decoded(whole.subarray(0, whole.length / 2), 'gzip'))).toMatchObject({ code: 'Z_BUF_ERROR' });
  expect(await rejection(decoded(plain, 'gzip'))).toMatchObject({ code: 'Z_DATA_ERROR' });
  expect(await rejection(decoded(plain, 'zstd'))).toBeInstanceOf(Error);
});
