// Adjacent rows of a list as bytes, and their values: JSON.parse reads many rows as one array.
import { isAscii } from 'node:buffer';
import { parseExactly } from '../core/json.js';

/** The bytes of adjacent rows, with the commas between them. They may not be valid JSON. */
export type RowBatch = readonly Uint8Array[];

/** The fastest batch size: for much longer texts JSON.parse allocates memory each time. */
export const BATCH_BYTES = 32 * 1024;

const OPENING_SQUARE = 0x5b;
const CLOSING_SQUARE = 0x5d;
/** Longer batches, which are single rows, are copied into memory of their own. */
const SCRATCH_BYTES = 2 * BATCH_BYTES;
let scratch: Buffer | null = null;

/** Returns the rows of a batch. Throws SyntaxError when it is not JSON. */
export function parseBatch(batch: RowBatch): unknown[] {
  let length = 2;
  for (const piece of batch) length += piece.length;
  // The scratch memory is read before this function returns.
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
  // Decoding ASCII as latin1 is a plain copy.
  const rows: unknown = parseExactly(whole.toString(isAscii(whole) ? 'latin1' : 'utf8'));
  // JSON.parse returned an array, because the text begins and ends like one.
  return rows as unknown[];
}
