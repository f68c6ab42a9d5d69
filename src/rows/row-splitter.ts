// Splits a response into the rows of a list and the rest while it arrives, without reading every byte: all rows of a list begin with the
// same name, and a search finds these beginnings many times faster. A wrong cut never goes unnoticed, because the part before it is then
// not JSON; the reader has such a response scanned.
import { BATCH_BYTES, parseBatch, type RowBatch } from './row-batch.js';
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

const COMMA_BYTES = Buffer.from(',');

/** The rows of a response that still arrives. */
export interface ArrivingRows {
  /** Whether rows are complete that have not been taken. */
  readonly hasRows: boolean;
  /** The response up to its first row, when `hasRows`. */
  readonly head: string;
  /** Bytes that have arrived and have not been taken. */
  readonly unreadBytes: number;
  /** Takes the next rows that are complete; null while there are none. Throws SyntaxError when they are not JSON. */
  take(): unknown[] | null;
}

export class RowSplitter implements ArrivingRows {
  readonly #field: string;
  readonly #batchBytes: number;
  readonly #blocks: Blocks;
  readonly #scanner: RowScanner;
  readonly #head: Uint8Array[] = [];
  #batches: RowBatch[] = [];
  /** How each row begins; null while unknown. */
  #rowStart: Uint8Array | null = null;
  /** Rows of another form are scanned. */
  #isScanned = false;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #bytes = 0;
  #takenBytes = 0;

  constructor(field: string, memory: RowBuffer, batchBytes = BATCH_BYTES) {
    this.#field = field;
    this.#batchBytes = batchBytes;
    this.#blocks = new Blocks(memory);
    this.#scanner = new RowScanner([field], batchBytes);
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
    if (this.#isScanned) this.#scan(bytes.subarray(from));
    else this.#split(bytes.subarray(from));
  }

  get head(): string {
    return Buffer.concat(this.#head).toString('utf8');
  }

  get hasRows(): boolean {
    return this.#batches.length > 0;
  }

  get unreadBytes(): number {
    return this.#bytes - this.#takenBytes;
  }

  take(): unknown[] | null {
    const batch = this.#batches[0];
    if (batch === undefined) return null;
    const [first] = batch;
    if (first) this.#blocks.freeBefore(first);
    let rows: unknown[];
    try {
      rows = parseBatch(batch);
    } catch (error) {
      if (this.#isScanned) throw error;
      this.#scanFromHere();
      return this.take();
    }
    this.#batches.shift();
    for (const piece of batch) this.#takenBytes += piece.length;
    return rows;
  }

  /** A cut was in the wrong place: what has not been taken is scanned, and so is the rest when it arrives. */
  #scanFromHere(): void {
    for (const batch of this.#batches) for (const piece of [...batch, COMMA_BYTES]) this.#scanner.feed(piece);
    for (const piece of this.#pieces) this.#scanner.feed(piece);
    this.#pieces = [];
    this.#isScanned = true;
    this.#batches = [...this.#scanner.takeBatches()];
  }

  /** Releases the memory: the rows are not needed. */
  discard(): void {
    this.#blocks.free();
  }

  /** The result, when the response is complete. */
  end(): SplitResult {
    const tail = this.#pieces;
    for (const piece of tail) this.#scanner.feed(piece);
    const { lists, rest } = this.#scanner.end();
    const last = lists.get(this.#field) ?? [];
    const split = this.#isScanned ? [] : this.#batches;
    const batches = this.#isScanned ? [...this.#batches, ...last] : last;
    const response = { field: this.#field, head: this.#head, split, tail, rest, blocks: this.#blocks };
    if (split.length === 0 || isJson(rest)) return { rows: new RowReader(response, batches), rest };
    // The last cut may not have been at the end of a row.
    const scanned = RowReader.scan(response);
    return { rows: new RowReader({ ...response, split: [] }, scanned.batches), rest: scanned.rest };
  }

  #scan(bytes: Uint8Array): void {
    this.#scanner.feed(bytes);
    this.#batches.push(...this.#scanner.takeBatches());
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
    for (const piece of this.#pieces) this.#scan(piece);
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
