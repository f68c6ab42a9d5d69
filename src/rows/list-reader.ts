// Reads the rows of the only list of an answer while it arrives, without scanning every byte: all
// rows begin with the same name, and a search finds these beginnings many times faster. A wrong cut
// is always detected, because the part before it is then not JSON. The rest of the answer is then
// scanned byte by byte.
import type { ArrivingRows } from './list-rows.js';
import { BATCH_BYTES, parseBatch, type RowBatch } from './row-batch.js';
import { Blocks, type RowBuffer } from './row-buffer.js';
import { RowScanner } from './row-scanner.js';

/** Matches the beginning of the first row, up to the end of its first member's name. */
const BEGINNING = /^[ \t\r\n]*(\{[ \t\r\n]*"[_A-Za-z][_0-9A-Za-z]*")/;
/** If no row begins within this many bytes, this is not a list of objects. */
const BEGINNING_BYTES = 1024;
const COMMA = 0x2c;
const SPACE = 0x20;
const COMMA_BYTES = Buffer.from(',');

export class ListReader implements ArrivingRows {
  readonly #field: string;
  readonly #batchBytes: number;
  readonly #blocks: Blocks;
  #scanner: RowScanner;
  readonly #head: Uint8Array[] = [];
  /** Batches found by row beginnings, without the comma after each. */
  #split: RowBatch[] = [];
  /** Batches found by scanning, which come after `#split`. */
  #scanned: RowBatch[] = [];
  #rowStart: Uint8Array | null = null;
  /** True when rows have another form and are scanned. */
  #isScanned = false;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #bytes = 0;
  #readBytes = 0;
  #rest: string | null = null;

  constructor(field: string, memory: RowBuffer, batchBytes = BATCH_BYTES) {
    this.#field = field;
    this.#batchBytes = batchBytes;
    this.#blocks = new Blocks(memory);
    this.#scanner = new RowScanner([field], batchBytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get unreadBytes(): number {
    return this.#bytes - this.#readBytes;
  }

  /** True when the answer has the list. It may have null instead, or another form. */
  get hasList(): boolean {
    return this.#scanner.hasList;
  }

  get wasRead(): boolean {
    return this.#readBytes > 0;
  }

  get isComplete(): boolean {
    return this.#rest !== null;
  }

  get hasRows(): boolean {
    return this.#split.length + this.#scanned.length > 0;
  }

  get head(): string {
    return Buffer.concat(this.#head).toString('utf8');
  }

  feed(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#blocks.write(bytes, (copy) => this.#take(copy));
  }

  /** Ends the answer and returns it without its rows: the list is empty. */
  end(): string {
    for (const piece of this.#pieces) this.#scanner.feed(piece);
    const { lists, rest } = this.#scanner.end();
    this.#scanned.push(...(lists.get(this.#field) ?? []));
    // After a wrong cut, within a row, the rest is not JSON: the whole answer is scanned instead.
    this.#rest = this.#split.length === 0 || isJson(rest) ? rest : this.#scanAll();
    return this.#rest;
  }

  /** Returns the next rows; null when no more have arrived. */
  next(): unknown[] | null {
    const [split] = this.#split;
    if (split) {
      this.#freeBefore(split);
      const rows = rowsOf(split);
      if (rows) {
        this.#split.shift();
        this.#noteRead(split);
        return rows;
      }
      this.#scanFromHere();
    }
    const scanned = this.#scanned.shift();
    if (scanned) {
      this.#freeBefore(scanned);
      this.#noteRead(scanned);
      return parseBatch(scanned);
    }
    if (this.isComplete) this.discard();
    return null;
  }

  discard(): void {
    this.#split = [];
    this.#scanned = [];
    this.#pieces = [];
    this.#blocks.free();
  }

  #take(bytes: Buffer): void {
    let from = 0;
    if (!this.#scanner.inRows && !this.#isScanned) {
      from = this.#scanner.begin(bytes);
      // A copy: the head is needed longer than its block.
      this.#head.push(Buffer.from(bytes.subarray(0, from)));
      if (!this.#scanner.inRows) return;
    }
    if (this.#isScanned) this.#scan(bytes.subarray(from));
    else this.#cut(bytes.subarray(from));
  }

  /** Scans the unread bytes after a wrong cut, and also the bytes that still arrive. */
  #scanFromHere(): void {
    if (this.#rest === null) {
      this.#scanner = this.#scannerOfRest();
      this.#isScanned = true;
      this.#pieces = [];
      this.#split = [];
      this.#scanned = [...this.#scanner.takeBatches()];
      return;
    }
    const rest = this.#scanAll();
    // Throws when the text after the rows is wrong. A cut behind the rows may have hidden errors.
    if (errorsOf(rest) !== errorsOf(this.#rest)) throw new SyntaxError('The rows end earlier than they seemed to.');
  }

  #scanAll(): string {
    const { lists, rest } = this.#scannerOfRest().end();
    this.#split = [];
    this.#scanned = [...(lists.get(this.#field) ?? [])];
    return rest;
  }

  #scannerOfRest(): RowScanner {
    const scanner = new RowScanner([this.#field], this.#batchBytes);
    for (const piece of this.#head) scanner.feed(piece);
    for (const batch of this.#split) for (const piece of [...batch, COMMA_BYTES]) scanner.feed(piece);
    for (const piece of this.#pieces) scanner.feed(piece);
    return scanner;
  }

  #scan(bytes: Uint8Array): void {
    this.#scanner.feed(bytes);
    this.#scanned.push(...this.#scanner.takeBatches());
  }

  /** Splits the rows into batches at the beginning that all rows have in common. */
  #cut(bytes: Buffer): void {
    if (this.#rowStart === null && !this.#detectRowStart(bytes)) return;
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
      this.#split.push(this.#pieces);
      this.#pieces = [];
      this.#size = 0;
      start = comma + 1;
      from = start + this.#batchBytes;
    }
    this.#keep(bytes.subarray(start));
  }

  /** Detects how rows begin; returns false when these bytes have been stored or scanned. */
  #detectRowStart(bytes: Buffer): boolean {
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

  #noteRead(batch: RowBatch): void {
    for (const { length } of batch) this.#readBytes += length;
  }

  /** Frees the memory of rows that were read: the answer that arrives meanwhile can use it. */
  #freeBefore([first]: RowBatch): void {
    if (first) this.#blocks.freeBefore(first);
  }
}

function rowsOf(batch: RowBatch): unknown[] | null {
  try {
    return parseBatch(batch);
  } catch {
    return null;
  }
}

/** Returns the position of the comma before a row; -1 when no row begins there. */
function commaBefore(bytes: Uint8Array, row: number, start: number): number {
  let at = row - 1;
  // In JSON, bytes up to the space character are white space.
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

function errorsOf(rest: string): string {
  const { errors } = JSON.parse(rest);
  // Absent, null and an empty list all mean: no errors.
  return JSON.stringify(errors ?? []);
}
