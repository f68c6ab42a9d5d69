import { BATCH_BYTES } from "./row-batch.js";
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const CURLY = 32;
const OPENING = 123;
const CLOSING = 125;
const OPENING_SQUARE = 91;
class RowScanner {
  /** Null: all of them. */
  #fields;
  #batchBytes;
  #rest = [];
  #lists = /* @__PURE__ */ new Map();
  /** Of the list that is scanned, or was scanned last. */
  #batches = [];
  #hasBatches = false;
  #inRows = false;
  #inString = false;
  #escaped = false;
  /** Open brackets outside the rows. */
  #depth = 0;
  /** Open brackets within a row. */
  #rowDepth = 0;
  /** The name of the current member of the response, and of the current member within that. */
  #member = "";
  #innerMember = "";
  /** The last string outside the rows: it may be the name of such a member. */
  #string = [];
  #pieces = [];
  #size = 0;
  /** `fields`: which members of `data` are scanned as lists; null: all that are. */
  constructor(fields, batchBytes = BATCH_BYTES) {
    this.#fields = fields && new Set(fields);
    this.#batchBytes = batchBytes;
  }
  /** Whether the next byte belongs to a row. */
  get inRows() {
    return this.#inRows;
  }
  /** Whether one of the lists has begun. */
  get hasList() {
    return this.#lists.size > 0;
  }
  /** Takes bytes up to the first row; returns how many. */
  begin(bytes) {
    return this.#inRows ? 0 : this.#scanRest(bytes, 0);
  }
  /** Takes the next bytes. They are not copied and must not change afterwards. */
  feed(bytes) {
    let at = 0;
    while (at < bytes.length) at = this.#inRows ? this.#scanRows(bytes, at) : this.#scanRest(bytes, at);
  }
  /** Takes the batches of the list that is scanned, or was scanned last, as far as they are complete; the result will not have them. */
  takeBatches() {
    return this.#batches.splice(0);
  }
  /** Takes the batches of all lists, as far as they are complete; the result will not have them. */
  *takeLists() {
    for (const [name, batches] of this.#lists) yield [name, batches.splice(0)];
  }
  /** The result, when the response is complete. */
  end() {
    const rest = Buffer.concat(this.#rest).toString("utf8");
    return { lists: this.#lists, rest: rest.startsWith("\uFEFF") ? rest.slice(1) : rest };
  }
  /** Scans outside the rows; returns where it stopped. */
  #scanRest(bytes, from) {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#inString) this.#restString(byte);
      else if (byte === QUOTE) {
        this.#inString = true;
        this.#string = [];
      } else if (byte === COLON) this.#beginMember();
      else if (byte === COMMA) this.#endMember();
      else if ((byte | CURLY) === OPENING) {
        this.#inRows = byte === OPENING_SQUARE && this.#isList();
        if (this.#inRows) {
          this.#beginList();
          this.#keepRest(bytes.subarray(from, at + 1));
          return at + 1;
        }
        this.#depth++;
      } else if ((byte | CURLY) === CLOSING) {
        this.#endMember();
        this.#depth--;
      }
    }
    this.#keepRest(bytes.subarray(from));
    return bytes.length;
  }
  /** A copy: rows may be read, and their memory be used again, before the response is complete. */
  #keepRest(bytes) {
    this.#rest.push(bytes.slice());
  }
  #restString(byte) {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      return;
    }
    if (this.#depth <= 2) this.#string.push(byte);
  }
  #beginMember() {
    if (this.#depth === 1) this.#member = nameOf(this.#string);
    else if (this.#depth === 2) this.#innerMember = nameOf(this.#string);
  }
  #endMember() {
    if (this.#depth === 1) this.#member = "";
    else if (this.#depth === 2) this.#innerMember = "";
  }
  #isList() {
    return this.#depth === 2 && this.#member === "data" && this.#fields?.has(this.#innerMember) !== false;
  }
  #beginList() {
    this.#batches = this.#lists.get(this.#innerMember) ?? [];
    this.#lists.set(this.#innerMember, this.#batches);
    this.#hasBatches = false;
  }
  /** Scans within the rows; returns where it stopped. The state is in local variables, because this loop reads nearly every byte. */
  #scanRows(bytes, from) {
    const end = bytes.length;
    let depth = this.#rowDepth;
    let inString = this.#inString;
    let start = from;
    let at = from;
    if (this.#escaped) {
      this.#escaped = false;
      at++;
    }
    for (; at < end; at++) {
      if (inString) {
        let byte2 = bytes[at] ?? 0;
        while (byte2 !== QUOTE && byte2 !== BACKSLASH && ++at < end) byte2 = bytes[at] ?? 0;
        if (at >= end) break;
        if (byte2 === QUOTE) inString = false;
        else if (++at === end) this.#escaped = true;
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) inString = true;
      else if (byte === COMMA) {
        if (depth > 0 || this.#size + at - start < this.#batchBytes) continue;
        this.#endBatch(bytes.subarray(start, at));
        start = at + 1;
      } else if ((byte | CURLY) === OPENING) depth++;
      else if ((byte | CURLY) === CLOSING && --depth < 0) {
        this.#endRows(bytes.subarray(start, at));
        return at;
      }
    }
    this.#rowDepth = depth;
    this.#inString = inString;
    this.#keep(bytes.subarray(start));
    return end;
  }
  #keep(piece) {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }
  #endBatch(lastPiece) {
    this.#keep(lastPiece);
    this.#batches.push(this.#pieces);
    this.#hasBatches = true;
    this.#pieces = [];
    this.#size = 0;
  }
  #endRows(lastPiece) {
    const isBlank = [...this.#pieces, lastPiece].every(isWhiteSpace);
    if (!isBlank) this.#endBatch(lastPiece);
    else if (this.#hasBatches) this.#endBatch(Buffer.from(","));
    this.#pieces = [];
    this.#size = 0;
    this.#inRows = false;
    this.#inString = false;
    this.#rowDepth = 0;
    this.#depth++;
  }
}
function isWhiteSpace(piece) {
  return piece.every((byte) => byte === 32 || byte === 10 || byte === 13 || byte === 9);
}
function nameOf(bytes) {
  const text = Buffer.from(bytes).toString("utf8");
  if (!text.includes("\\")) return text;
  try {
    const name = JSON.parse(`"${text}"`);
    return String(name);
  } catch {
    return "";
  }
}
export {
  RowScanner
};
