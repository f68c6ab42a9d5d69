// Cuts an answer into the rows of one list, `data.<field>`, and the rest, while it arrives: exactly, byte by byte, and only for the
// ends of things. What a row says is for JSON.parse.
import { BATCH_BYTES, type RowBatch } from './row-batch.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `[` and `{`, and `]` and `}`, differ in this bit alone. */
const CURLY = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
const OPENING_SQUARE = 0x5b;

export interface Scanned {
  readonly batches: readonly RowBatch[];
  /** The answer without its rows: the list is there and empty. */
  readonly rest: string;
}

export class RowScanner {
  readonly #field: string;
  readonly #batchBytes: number;
  readonly #rest: Uint8Array[] = [];
  readonly #batches: RowBatch[] = [];
  #inRows = false;
  #inString = false;
  #escaped = false;
  /** Brackets open: in the answer outside the rows, or within one row. */
  #depth = 0;
  #rowDepth = 0;
  /** The member we are in, of the answer and of its first object. */
  #member = '';
  #innerMember = '';
  /** The last string outside the rows, where it may turn out to be the name of such a member. */
  #string: number[] = [];
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(field: string, batchBytes = BATCH_BYTES) {
    this.#field = field;
    this.#batchBytes = batchBytes;
  }

  /** Whether what comes next is a row, or part of one. */
  get inRows(): boolean {
    return this.#inRows;
  }

  /** Takes bytes only up to the first row, and says how many that were. */
  begin(bytes: Uint8Array): number {
    return this.#inRows ? 0 : this.#scanRest(bytes, 0);
  }

  /** Takes the next bytes, and keeps them: they must not be written to afterwards. */
  feed(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) at = this.#inRows ? this.#scanRows(bytes, at) : this.#scanRest(bytes, at);
  }

  /** What there was, when nothing more comes. */
  end(): Scanned {
    const rest = Buffer.concat(this.#rest).toString('utf8');
    // JSON.parse does not take a byte order mark.
    return { batches: this.#batches, rest: rest.startsWith('\ufeff') ? rest.slice(1) : rest };
  }

  /** Goes on outside the rows; returns where it stopped. */
  #scanRest(bytes: Uint8Array, from: number): number {
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
          this.#rest.push(bytes.subarray(from, at + 1));
          return at + 1;
        }
        this.#depth++;
      } else if ((byte | CURLY) === CLOSING) {
        this.#endMember();
        this.#depth--;
      }
    }
    this.#rest.push(bytes.subarray(from));
    return bytes.length;
  }

  #restString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      return;
    }
    if (this.#depth <= 2) this.#string.push(byte);
  }

  #beginMember(): void {
    if (this.#depth === 1) this.#member = nameOf(this.#string);
    else if (this.#depth === 2) this.#innerMember = nameOf(this.#string);
  }

  #endMember(): void {
    if (this.#depth === 1) this.#member = '';
    else if (this.#depth === 2) this.#innerMember = '';
  }

  #isList(): boolean {
    return this.#depth === 2 && this.#member === 'data' && this.#innerMember === this.#field;
  }

  /** Goes on within the rows; returns where it stopped. The state is in locals, because this loop sees nearly every byte. */
  #scanRows(bytes: Uint8Array, from: number): number {
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
        let byte = bytes[at] ?? 0;
        while (byte !== QUOTE && byte !== BACKSLASH && ++at < end) byte = bytes[at] ?? 0;
        if (at >= end) break;
        if (byte === QUOTE) inString = false;
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

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  #endBatch(lastPiece: Uint8Array): void {
    this.#keep(lastPiece);
    this.#batches.push(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
  }

  #endRows(lastPiece: Uint8Array): void {
    const isBlank = [...this.#pieces, lastPiece].every(isWhiteSpace);
    // Nothing between the brackets is an empty list; nothing after a comma is an error, and JSON.parse is to find it.
    if (!isBlank) this.#endBatch(lastPiece);
    else if (this.#batches.length > 0) this.#endBatch(Buffer.from(','));
    this.#pieces = [];
    this.#size = 0;
    this.#inRows = false;
    this.#rowDepth = 0;
    // The bracket is met again as the list's own: the list was not counted as open.
    this.#depth++;
  }
}

function isWhiteSpace(piece: Uint8Array): boolean {
  return piece.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/** A name as it is after its escapes; the empty string when it is none. */
function nameOf(bytes: readonly number[]): string {
  const text = Buffer.from(bytes).toString('utf8');
  if (!text.includes('\\')) return text;
  try {
    const name: unknown = JSON.parse(`"${text}"`);
    return String(name);
  } catch {
    return '';
  }
}
