// Splits a response into the rows of a list and the rest while it arrives, without reading every byte: all rows of a list begin with the
// same name, and a search finds these beginnings many times faster. A wrong cut never goes unnoticed, because the part before it is then
// not JSON; the reader has such a response scanned.
import { BATCH_BYTES, type RowBatch } from './row-batch.js';
import { Blocks, type RowBuffer } from './row-buffer.js';
import { RowReader } from './row-reader.js';
import { RowScanner } from './row-scanner.js';

/** The beginning of the first row, up to the end of its first member's name. */
const BEGINNING = /^[ \t\r\n]*(\{[ \t\r\n]*"[_A-Za-z][_0-9A-Za-z]*")/;
/** The beginning is within so many bytes, or this is not a list of objects. */
const BEGINNING_BYTES = 1024;
const COMMA = 0x2c;
const SPACE = 0x20;

export interface SplitResult {
  readonly rows: RowReader;
  /** The response without its rows: it has the list, but empty. */
  readonly rest: string;
}

export class RowSplitter {
  readonly #field: string;
  readonly #batchBytes: number;
  readonly #blocks: Blocks;
  readonly #scanner: RowScanner;
  readonly #head: Uint8Array[] = [];
  readonly #batches: RowBatch[] = [];
  /** How each row begins; null while unknown. */
  #rowStart: Uint8Array | null = null;
  /** Rows of another form are scanned. */
  #isScanned = false;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #bytes = 0;

  constructor(field: string, memory: RowBuffer, batchBytes = BATCH_BYTES) {
    this.#field = field;
    this.#batchBytes = batchBytes;
    this.#blocks = new Blocks(memory);
    this.#scanner = new RowScanner(field, batchBytes);
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the next bytes and copies them. */
  feed(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#blocks.write(bytes, (copy) => this.#take(copy));
  }

  #take(bytes: Buffer): void {
    let from = 0;
    if (!this.#scanner.inRows && !this.#isScanned) {
      from = this.#scanner.begin(bytes);
      // A copy: the head is needed until the last row has been read, and its block is released earlier.
      this.#head.push(Buffer.from(bytes.subarray(0, from)));
      if (!this.#scanner.inRows) return;
    }
    if (this.#isScanned) this.#scanner.feed(bytes.subarray(from));
    else this.#split(bytes.subarray(from));
  }

  /** Releases the memory: the rows are not needed. */
  discard(): void {
    this.#blocks.free();
  }

  /** The result, when the response is complete. */
  end(): SplitResult {
    const tail = this.#pieces;
    for (const piece of tail) this.#scanner.feed(piece);
    const { batches, rest } = this.#scanner.end();
    const response = { field: this.#field, head: this.#head, split: this.#batches, tail, rest, blocks: this.#blocks };
    if (this.#batches.length === 0 || isJson(rest)) return { rows: new RowReader(response, batches), rest };
    // The last cut may not have been at the end of a row.
    const scanned = RowReader.scan(response);
    return { rows: new RowReader({ ...response, split: [] }, scanned.batches), rest: scanned.rest };
  }

  #split(bytes: Buffer): void {
    if (this.#rowStart === null && !this.#learn(bytes)) return;
    const rowStart = this.#rowStart ?? bytes;
    let start = 0;
    let from = this.#batchBytes - this.#size;
    while (from < bytes.length) {
      const row = bytes.indexOf(rowStart, Math.max(from, start + 1));
      if (row < 0) break;
      const comma = commaBefore(bytes, row, start);
      from = row + 1;
      if (comma < 0) continue;
      this.#keep(bytes.subarray(start, comma));
      this.#batches.push(this.#pieces);
      this.#pieces = [];
      this.#size = 0;
      start = comma + 1;
      from = start + this.#batchBytes;
    }
    this.#keep(bytes.subarray(start));
  }

  /** Finds out how rows begin; false when these bytes have been stored or scanned. */
  #learn(bytes: Buffer): boolean {
    const beginning = Buffer.concat([...this.#pieces, bytes.subarray(0, BEGINNING_BYTES)]);
    const rowStart = BEGINNING.exec(beginning.toString('latin1'))?.[1];
    if (rowStart !== undefined) {
      this.#rowStart = Buffer.from(rowStart, 'latin1');
      return true;
    }
    this.#keep(bytes);
    if (beginning.length < BEGINNING_BYTES) return false;
    for (const piece of this.#pieces) this.#scanner.feed(piece);
    this.#pieces = [];
    this.#isScanned = true;
    return false;
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }
}

/** The index of the comma before this row; -1 when something else is before it. */
function commaBefore(bytes: Uint8Array, row: number, start: number): number {
  let at = row - 1;
  // Bytes up to the space are white space, or not JSON.
  while (at >= start && (bytes[at] ?? 0) <= SPACE) at--;
  return at >= start && bytes[at] === COMMA ? at : -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
