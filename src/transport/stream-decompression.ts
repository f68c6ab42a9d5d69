// Decompresses a body while it arrives.

import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { UNKNOWN_ENCODING } from '../core/network-errors.js';

export interface StreamDecoder {
  write(chunk: Uint8Array): void;
  /** Settles after the last byte. Rejects for invalid or truncated data. */
  end(): Promise<void>;
  discard(): void;
}

const OPTIONS = { chunkSize: 64 * 1024 };

/** Returns a decoder for a body that begins with this chunk; the chunk is not written yet. */
export function decoderFor(
  contentEncoding: string | null,
  first: Uint8Array,
  onBytes: (bytes: Uint8Array) => void,
): StreamDecoder {
  const names = (contentEncoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    // The last encoding was applied last.
    .reverse();
  if (names.length === 0) return { write: onBytes, end: async () => undefined, discard: () => undefined };
  // The standard's deflate has a zlib header; some servers leave it out.
  const hasZlibHeader = ((first[0] ?? 0) & 0x0f) === 8;
  const steps = names.map((name, at) => transformOf(name, at > 0 || hasZlibHeader));
  const transforms = steps.flatMap((step) => (step ? [step] : []));
  const [head] = transforms;
  if (!head || transforms.length < steps.length) return unknownEncoding();
  return decoderOf(head, transforms, onBytes);
}

function decoderOf(head: Transform, steps: readonly Transform[], onBytes: (bytes: Uint8Array) => void): StreamDecoder {
  const discard = () => {
    for (const step of steps) step.destroy();
  };
  const ended = new Promise<void>((resolve, reject) => {
    for (const [at, step] of steps.entries()) {
      const next = steps[at + 1];
      step.on('error', reject);
      if (next) step.pipe(next);
      else step.on('data', onBytes).on('end', resolve);
    }
  });
  // `end` may never be called: its rejection must not be unhandled.
  ended.catch(discard);
  return {
    write(chunk) {
      if (!head.destroyed) head.write(chunk);
    },
    end() {
      if (!head.destroyed) head.end();
      return ended;
    },
    discard,
  };
}

function transformOf(name: string, hasZlibHeader: boolean): Transform | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(OPTIONS);
    case 'br':
      return createBrotliDecompress(OPTIONS);
    case 'deflate':
      return hasZlibHeader ? createInflate(OPTIONS) : createInflateRaw(OPTIONS);
    default:
      return null;
  }
}

function unknownEncoding(): StreamDecoder {
  const end = () => Promise.reject(unknownEncodingError());
  return { write: () => undefined, end, discard: () => undefined };
}

function unknownEncodingError(): Error {
  return Object.assign(new Error('The answer has a content-encoding that was not asked for.'), {
    code: UNKNOWN_ENCODING,
  });
}
