// Compresses responses at the fastest levels: locally, compression only tests clients.

import type { Transform } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { parseQualityValues } from '../core/quality-values.js';

export type Encoding = 'gzip' | 'br';

// For a shorter body the headers cost more than compression saves.
const minBodyLength = 1024;

// A function, so that the CLI loads node:zlib only on first use.
const brotli = () => ({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const gzip = { level: 1 };

/** Returns the encoding that an Accept-Encoding header prefers, gzip on a tie, or null. */
export function preferredEncoding(header: string | undefined): Encoding | null {
  const qualities = new Map(parseQualityValues(header).map(({ value, quality }) => [value, quality]));
  const qualityOf = (encoding: Encoding): number => qualities.get(encoding) ?? qualities.get('*') ?? 0;
  if (qualityOf('gzip') <= 0 && qualityOf('br') <= 0) return null;
  return qualityOf('br') > qualityOf('gzip') ? 'br' : 'gzip';
}

export function compress(body: string, encoding: Encoding): Buffer | null {
  if (body.length < minBodyLength) return null;
  return encoding === 'br' ? brotliCompressSync(body, brotli()) : gzipSync(body, gzip);
}

export function compressionStream(encoding: Encoding): Transform {
  return encoding === 'br' ? createBrotliCompress(brotli()) : createGzip(gzip);
}
