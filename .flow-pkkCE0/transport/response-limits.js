const DEFAULT_LIMIT = { maxBytes: 256 * 1024 * 1024 };
const MAX_RATIO = 500;
const HARMLESS_BYTES = 16 * 1024 * 1024;
function decompressedLimit(compressedBytes, { maxBytes }) {
  return Math.min(maxBytes, Math.max(HARMLESS_BYTES, compressedBytes * MAX_RATIO));
}
class ResponseTooLarge extends Error {
  limitBytes;
  constructor(limitBytes) {
    super(`The response is larger than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}
export {
  DEFAULT_LIMIT,
  ResponseTooLarge,
  decompressedLimit
};
