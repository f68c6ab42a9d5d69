// Compresses responses for clients that ask for it, at the fastest levels: the service runs on the client's own machine, where
// compression exists to exercise clients and not to save bytes.

import type { Transform } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { parseQualityValues } from '../core/quality-values.js';

export type Encoding = 'gzip' | 'br';

// For a shorter body the headers cost more than compression saves.
const minBodyLength = 1024;

// A function: the command line loads node:zlib when it is first used.
const brotli = () => ({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const gzip = { level: 1 };

/** The encoding that an Accept-Encoding header prefers; gzip when it accepts both equally; null when it accepts neither. */
export function preferredEncoding(header: string | undefined): Encoding | null {
  const qualities = new Map(parseQualityValues(header).map(({ value, quality }) => [value, quality]));
  const qualityOf = (encoding: Encoding): number => qualities.get(encoding) ?? qualities.get('*') ?? 0;
  if (qualityOf('gzip') <= 0 && qualityOf('br') <= 0) return null;
  return qualityOf('br') > qualityOf('gzip') ? 'br' : 'gzip';
}

/** The compressed body; null when the body is too short to gain from it. */
export function compress(body: string, encoding: Encoding): Buffer | null {
  if (body.length < minBodyLength) return null;
  return encoding === 'br' ? brotliCompressSync(body, brotli()) : gzipSync(body, gzip);
}

/** Compresses a body while it is sent. */
export function compressionStream(encoding: Encoding): Transform {
  return encoding === 'br' ? createBrotliCompress(brotli()) : createGzip(gzip);
}
