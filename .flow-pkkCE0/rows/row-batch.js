import { isAscii } from "node:buffer";
import { parseExactly } from "../core/json.js";
const BATCH_BYTES = 32 * 1024;
const OPENING_SQUARE = 91;
const CLOSING_SQUARE = 93;
const SCRATCH_BYTES = 2 * BATCH_BYTES;
let scratch = null;
function parseBatch(batch) {
  let length = 2;
  for (const piece of batch) length += piece.length;
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const bytes = length <= SCRATCH_BYTES ? scratch : Buffer.allocUnsafeSlow(length);
  bytes[0] = OPENING_SQUARE;
  let at = 1;
  for (const piece of batch) {
    bytes.set(piece, at);
    at += piece.length;
  }
  bytes[at] = CLOSING_SQUARE;
  const whole = bytes.subarray(0, length);
  const rows = parseExactly(whole.toString(isAscii(whole) ? "latin1" : "utf8"));
  return rows;
}
export {
  BATCH_BYTES,
  parseBatch
};
