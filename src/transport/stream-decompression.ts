// Takes the compression off a body while it arrives.
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export interface Decoder {
  write(chunk: Uint8Array): void;
  /** Settles when the last byte has come out. Rejects when the body is not what its content-encoding says, or ends too early. */
  end(): Promise<void>;
  /** Nobody wants the rest. */
  drop(): void;
}

const OPTIONS = { chunkSize: 64 * 1024 };

/** A decoder for a body that begins with this chunk; the chunk itself is still to be written. */
export function decoderFor(
  contentEncoding: string | null,
  first: Uint8Array,
  onBytes: (bytes: Uint8Array) => void,
): Decoder {
  const names = (contentEncoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    // The last encoding named was applied last.
    .reverse();
  if (names.length === 0) return { write: onBytes, end: async () => undefined, drop: () => undefined };
  // Some servers send deflate with zlib's wrapping, as the standard says, and some without.
  const isWrapped = ((first[0] ?? 0) & 0x0f) === 8;
  const steps = names.map((name, at) => transformOf(name, at > 0 || isWrapped));
  const sound = steps.flatMap((step) => (step ? [step] : []));
  const [head] = sound;
  if (!head || sound.length < steps.length) return unknownEncoding();
  return decoderOf(head, sound, onBytes);
}

function decoderOf(head: Transform, steps: readonly Transform[], onBytes: (bytes: Uint8Array) => void): Decoder {
  const drop = () => {
    for (const step of steps) step.destroy();
  };
  const over = new Promise<void>((resolve, reject) => {
    for (const [at, step] of steps.entries()) {
      const next = steps[at + 1];
      step.on('error', reject);
      if (next) step.pipe(next);
      else step.on('data', onBytes).on('end', resolve);
    }
  });
  // Whoever asks for the end is told; nobody may ask.
  over.catch(drop);
  return {
    write(chunk) {
      // After an error the rest is of no use.
      if (!head.destroyed) head.write(chunk);
    },
    end() {
      if (!head.destroyed) head.end();
      return over;
    },
    drop,
  };
}

function transformOf(name: string, isWrapped: boolean): Transform | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(OPTIONS);
    case 'br':
      return createBrotliDecompress(OPTIONS);
    case 'deflate':
      return isWrapped ? createInflate(OPTIONS) : createInflateRaw(OPTIONS);
    default:
      return null;
  }
}

function unknownEncoding(): Decoder {
  const end = () => Promise.reject(new Error('The answer has a content-encoding that was not asked for.'));
  return { write: () => undefined, end, drop: () => undefined };
}
