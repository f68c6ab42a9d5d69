// Compressing answers for clients that ask for it. The lightest levels: this is a service for tests on one's own machine,
// where the point of compression is that clients meet it, not that bytes are saved.

import type { Transform } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';

export type Encoding = 'gzip' | 'br';

// Below this size the headers cost more than the body saves.
const smallest = 1024;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzip = { level: 1 };

/** The encoding that an Accept-Encoding header prefers; gzip when it likes both. Null: none is wanted. */
export function preferredEncoding(header: string | undefined): Encoding | null {
  const qualities = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    qualities.set(name, given === undefined ? 1 : Number(given) || 0);
  }
  const of = (name: Encoding): number => qualities.get(name) ?? qualities.get('*') ?? 0;
  if (of('gzip') <= 0 && of('br') <= 0) return null;
  return of('br') > of('gzip') ? 'br' : 'gzip';
}

/** The compressed body; null when it is too small to be worth it. */
export function compressed(body: string, encoding: Encoding): Buffer | null {
  if (body.length < smallest) return null;
  return encoding === 'br' ? brotliCompressSync(body, brotli) : gzipSync(body, gzip);
}

/** Compresses a body that is made while it is sent. */
export function compressor(encoding: Encoding): Transform {
  return encoding === 'br' ? createBrotliCompress(brotli) : createGzip(gzip);
}
