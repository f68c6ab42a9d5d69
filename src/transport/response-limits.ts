// How large a response may be. Without limits a service, or somebody who answers in its place, could fill the memory with a few bytes.

/** What a response may hold. */
export interface ResponseLimit {
  /** Most bytes of a body that is read as a whole, decompressed. */
  readonly maxBytes: number;
}

/** The limit of a client that sets none. */
export const DEFAULT_LIMIT: ResponseLimit = { maxBytes: 256 * 1024 * 1024 };

/** JSON gets 10 to 50 times smaller by compression, equal rows 300 times; what is made to do harm 1,000 times and more. */
const MAX_RATIO = 500;
/** Up to this size the ratio does not matter. */
const HARMLESS_BYTES = 16 * 1024 * 1024;

/** The most bytes that a body with this number of compressed bytes may become. */
export function decompressedLimit(compressedBytes: number, { maxBytes }: ResponseLimit): number {
  return Math.min(maxBytes, Math.max(HARMLESS_BYTES, compressedBytes * MAX_RATIO));
}

/** A response larger than its limit. It was given up, and is not asked for again. */
export class ResponseTooLarge extends Error {
  readonly limitBytes: number;
  constructor(limitBytes: number) {
    super(`The response is larger than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}
