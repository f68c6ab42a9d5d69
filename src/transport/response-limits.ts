// Limits the size of responses. Without limits a service, or an impostor, could fill the memory
// with a few compressed bytes.

export interface ResponseLimit {
  /** For the decompressed body. */
  readonly maxBytes: number;
}

export const DEFAULT_LIMIT: ResponseLimit = { maxBytes: 256 * 1024 * 1024 };

/** JSON compresses 10 to 50 times, equal rows 300 times; an attack 1,000 times and more. */
const MAX_RATIO = 500;
const HARMLESS_BYTES = 16 * 1024 * 1024;

/** Returns the maximum decompressed size of a body with this compressed size. */
export function decompressedLimit(compressedBytes: number, { maxBytes }: ResponseLimit): number {
  return Math.min(maxBytes, Math.max(HARMLESS_BYTES, compressedBytes * MAX_RATIO));
}

/** The error of a response that exceeds its limit. It was cancelled, and is not retried. */
export class ResponseTooLarge extends Error {
  readonly limitBytes: number;
  constructor(limitBytes: number) {
    super(`The response is larger than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}
