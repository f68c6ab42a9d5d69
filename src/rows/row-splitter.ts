// Cuts an answer into the rows of a list and the rest while it arrives, without looking at every byte: rows of one list begin with the
// same name, and what begins a row is found by a search, which is many times faster. In an array of JSON whose beginning is known, a cut
// that leaves JSON before it is a right one, so a cut in the wrong place never goes unnoticed; the reader then has it scanned.
import { BATCH_BYTES, type RowBatch } from './row-batch.js';
import { Blocks, type RowBuffer } from './row-buffer.js';
import { RowReader } from './row-reader.js';
import { RowScanner } from './row-scanner.js';

/** The beginning of the first row, up to the end of its first member's name. */
const BEGINNING = /^[ \t\r\n]*(\{[ \t\r\n]*"[_A-Za-z][_0-9A-Za-z]*")/;
/** Within so many bytes it is there, or this is no list of objects. */
const BEGINNING_BYTES = 1024;
const COMMA = 0x2c;
const SPACE = 0x20;

export interface SplitAnswer {
  readonly rows: RowReader;
  /** The answer without its rows: the list is there and empty. */
  readonly rest: string;
}

export class RowSplitter {
  readonly #field: string;
  readonly #batchBytes: number;
  readonly #blocks: Blocks;
  readonly #scanner: RowScanner;
  readonly #head: Uint8Array[] = [];
  readonly #batches: RowBatch[] = [];
  /** How each row begins; null while that is not known. */
  #mark: Uint8Array | null = null;
  /** Rows of no such kind are scanned. */
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

  /** Bytes seen so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the next bytes; what it keeps of them is a copy. */
  feed(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#blocks.write(bytes, (copy) => this.#take(copy));
  }

  #take(bytes: Buffer): void {
    let from = 0;
    if (!this.#scanner.inRows && !this.#isScanned) {
      from = this.#scanner.begin(bytes);
      // A copy: the head is needed until the last row has been read, and the block it is in only until the first ones have.
      this.#head.push(Buffer.from(bytes.subarray(0, from)));
      if (!this.#scanner.inRows) return;
    }
    if (this.#isScanned) this.#scanner.feed(bytes.subarray(from));
    else this.#skim(bytes.subarray(from));
  }

  /** Nobody wants what there was. */
  drop(): void {
    this.#blocks.free();
  }

  /** What there was, when nothing more comes. */
  end(): SplitAnswer {
    const tail = this.#pieces;
    for (const piece of tail) this.#scanner.feed(piece);
    const { batches, rest } = this.#scanner.end();
    const whole = { field: this.#field, head: this.#head, skimmed: this.#batches, tail, rest, blocks: this.#blocks };
    if (this.#batches.length === 0 || isJson(rest)) return { rows: new RowReader(whole, batches), rest };
    // The last cut may have been no end of a row.
    const scanned = RowReader.scan(whole);
    return { rows: new RowReader({ ...whole, skimmed: [] }, scanned.batches), rest: scanned.rest };
  }

  #skim(bytes: Buffer): void {
    if (this.#mark === null && !this.#learn(bytes)) return;
    const mark = this.#mark ?? bytes;
    let start = 0;
    let from = this.#batchBytes - this.#size;
    while (from < bytes.length) {
      const row = bytes.indexOf(mark, Math.max(from, start + 1));
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

  /** Finds out how rows begin; false when these bytes have been taken care of. */
  #learn(bytes: Buffer): boolean {
    const beginning = Buffer.concat([...this.#pieces, bytes.subarray(0, BEGINNING_BYTES)]);
    const mark = BEGINNING.exec(beginning.toString('latin1'))?.[1];
    if (mark !== undefined) {
      this.#mark = Buffer.from(mark, 'latin1');
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

/** Where the comma is that this row follows; -1 when something else is before it. */
function commaBefore(bytes: Uint8Array, row: number, start: number): number {
  let at = row - 1;
  // Whatever is this low is white space, or no JSON.
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
