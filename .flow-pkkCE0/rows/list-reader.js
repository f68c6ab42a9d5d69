import { BATCH_BYTES, parseBatch } from "./row-batch.js";
import { Blocks } from "./row-buffer.js";
import { RowScanner } from "./row-scanner.js";
const BEGINNING = /^[ \t\r\n]*(\{[ \t\r\n]*"[_A-Za-z][_0-9A-Za-z]*")/;
const BEGINNING_BYTES = 1024;
const COMMA = 44;
const SPACE = 32;
const COMMA_BYTES = Buffer.from(",");
class ListReader {
  #field;
  #batchBytes;
  #blocks;
  #scanner;
  #head = [];
  /** Found by how rows begin; the comma after each is left out. */
  #split = [];
  /** Found by scanning; they come after the others. */
  #scanned = [];
  /** How each row begins; null while unknown. */
  #rowStart = null;
  /** Rows of another form are scanned. */
  #isScanned = false;
  /** From the last cut on. */
  #pieces = [];
  #size = 0;
  #bytes = 0;
  #readBytes = 0;
  /** The answer without its rows, when it is complete. */
  #rest = null;
  constructor(field, memory, batchBytes = BATCH_BYTES) {
    this.#field = field;
    this.#batchBytes = batchBytes;
    this.#blocks = new Blocks(memory);
    this.#scanner = new RowScanner([field], batchBytes);
  }
  get bytes() {
    return this.#bytes;
  }
  get unreadBytes() {
    return this.#bytes - this.#readBytes;
  }
  /** Whether the answer has the list: there may be null in its place, or an answer of another form. */
  get hasList() {
    return this.#scanner.hasList;
  }
  /** Whether somebody has got rows. */
  get wasRead() {
    return this.#readBytes > 0;
  }
  get isComplete() {
    return this.#rest !== null;
  }
  get hasRows() {
    return this.#split.length + this.#scanned.length > 0;
  }
  get head() {
    return Buffer.concat(this.#head).toString("utf8");
  }
  /** Takes the next bytes and copies them. */
  feed(bytes) {
    this.#bytes += bytes.length;
    this.#blocks.write(bytes, (copy) => this.#take(copy));
  }
  /** The answer is complete: returns what it is without its rows. It has the list, but empty. */
  end() {
    for (const piece of this.#pieces) this.#scanner.feed(piece);
    const { lists, rest } = this.#scanner.end();
    this.#scanned.push(...lists.get(this.#field) ?? []);
    this.#rest = this.#split.length === 0 || isJson(rest) ? rest : this.#scanAll();
    return this.#rest;
  }
  next() {
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
  /** Releases the memory: no more rows are needed. */
  discard() {
    this.#split = [];
    this.#scanned = [];
    this.#pieces = [];
    this.#blocks.free();
  }
  #take(bytes) {
    let from = 0;
    if (!this.#scanner.inRows && !this.#isScanned) {
      from = this.#scanner.begin(bytes);
      this.#head.push(Buffer.from(bytes.subarray(0, from)));
      if (!this.#scanner.inRows) return;
    }
    if (this.#isScanned) this.#scan(bytes.subarray(from));
    else this.#cut(bytes.subarray(from));
  }
  /** A cut was in the wrong place: what has not been read is scanned, and so is the rest when it arrives. */
  #scanFromHere() {
    if (this.#rest === null) {
      this.#scanner = this.#scannerOfRest();
      this.#isScanned = true;
      this.#pieces = [];
      this.#split = [];
      this.#scanned = [...this.#scanner.takeBatches()];
      return;
    }
    const rest = this.#scanAll();
    if (errorsOf(rest) !== errorsOf(this.#rest)) throw new SyntaxError("The rows end earlier than they seemed to.");
  }
  /** Scans everything that has not been read; returns the answer without its rows. */
  #scanAll() {
    const { lists, rest } = this.#scannerOfRest().end();
    this.#split = [];
    this.#scanned = [...lists.get(this.#field) ?? []];
    return rest;
  }
  #scannerOfRest() {
    const scanner = new RowScanner([this.#field], this.#batchBytes);
    for (const piece of this.#head) scanner.feed(piece);
    for (const batch of this.#split) for (const piece of [...batch, COMMA_BYTES]) scanner.feed(piece);
    for (const piece of this.#pieces) scanner.feed(piece);
    return scanner;
  }
  #scan(bytes) {
    this.#scanner.feed(bytes);
    this.#scanned.push(...this.#scanner.takeBatches());
  }
  #cut(bytes) {
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
      this.#split.push(this.#pieces);
      this.#pieces = [];
      this.#size = 0;
      start = comma + 1;
      from = start + this.#batchBytes;
    }
    this.#keep(bytes.subarray(start));
  }
  /** Finds out how rows begin; false when these bytes have been stored or scanned. */
  #learn(bytes) {
    const beginning = Buffer.concat([...this.#pieces, bytes.subarray(0, BEGINNING_BYTES)]);
    const rowStart = BEGINNING.exec(beginning.toString("latin1"))?.[1];
    if (rowStart !== void 0) {
      this.#rowStart = Buffer.from(rowStart, "latin1");
      return true;
    }
    this.#keep(bytes);
    if (beginning.length < BEGINNING_BYTES) return false;
    for (const piece of this.#pieces) this.#scan(piece);
    this.#pieces = [];
    this.#isScanned = true;
    return false;
  }
  #keep(piece) {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }
  #noteRead(batch) {
    for (const { length } of batch) this.#readBytes += length;
  }
  /** The memory of rows that have been read is used again for the next answer, which arrives meanwhile. */
  #freeBefore([first]) {
    if (first) this.#blocks.freeBefore(first);
  }
}
function rowsOf(batch) {
  try {
    return parseBatch(batch);
  } catch {
    return null;
  }
}
function commaBefore(bytes, row, start) {
  let at = row - 1;
  while (at >= start && (bytes[at] ?? 0) <= SPACE) at--;
  return at >= start && bytes[at] === COMMA ? at : -1;
}
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
function errorsOf(rest) {
  const { errors } = JSON.parse(rest);
  return JSON.stringify(errors ?? []);
}
export {
  ListReader
};
