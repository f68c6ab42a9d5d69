// Splits an arriving response into the rows of some lists (`data.<field>` of each) and the rest. It
// scans each byte, but only for the ends of values; JSON.parse reads the rows.
import { BATCH_BYTES, type RowBatch } from './row-batch.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** The only bit in which `[` and `{` differ, and `]` and `}`. */
const CURLY = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
const OPENING_SQUARE = 0x5b;

export interface ScanResult {
  /** Rows of each list of the response, by field. */
  readonly lists: ReadonlyMap<string, readonly RowBatch[]>;
  /** The response without its rows: its lists are empty. */
  readonly rest: string;
}

export class RowScanner {
  readonly #fields: ReadonlySet<string> | null;
  readonly #batchBytes: number;
  readonly #rest: Uint8Array[] = [];
  readonly #lists = new Map<string, RowBatch[]>();
  #batches: RowBatch[] = [];
  #hasBatches = false;
  #inRows = false;
  #inString = false;
  #escaped = false;
  #depth = 0;
  #rowDepth = 0;
  #member = '';
  #innerMember = '';
  /** Last string outside the rows, possibly a member name. */
  #string: number[] = [];
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** `fields`: the members of `data` that are scanned as lists; null for all lists. */
  constructor(fields: Iterable<string> | null, batchBytes = BATCH_BYTES) {
    this.#fields = fields && new Set(fields);
    this.#batchBytes = batchBytes;
  }

  get inRows(): boolean {
    return this.#inRows;
  }

  get hasList(): boolean {
    return this.#lists.size > 0;
  }

  /** Reads bytes up to the first row; returns how many. */
  begin(bytes: Uint8Array): number {
    return this.#inRows ? 0 : this.#scanRest(bytes, 0);
  }

  /** Reads the next bytes. They are not copied and must not change afterwards. */
  feed(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) at = this.#inRows ? this.#scanRows(bytes, at) : this.#scanRest(bytes, at);
  }

  /** Removes and returns the complete batches of the current or last list. */
  takeBatches(): readonly RowBatch[] {
    return this.#batches.splice(0);
  }

  *takeLists(): Generator<readonly [name: string, batches: readonly RowBatch[]], void> {
    for (const [name, batches] of this.#lists) yield [name, batches.splice(0)];
  }

  end(): ScanResult {
    const rest = Buffer.concat(this.#rest).toString('utf8');
    // JSON.parse does not accept a byte order mark.
    return { lists: this.#lists, rest: rest.startsWith('\ufeff') ? rest.slice(1) : rest };
  }

  /** Scans outside the rows; returns where it stopped. */
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

  /** A copy: rows may be read, and their memory be reused, before the response is complete. */
  #keepRest(bytes: Uint8Array): void {
    this.#rest.push(bytes.slice());
  }

  #restString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      return;
    }
    // The list is found by the member names of the first two levels.
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
    return this.#depth === 2 && this.#member === 'data' && this.#fields?.has(this.#innerMember) !== false;
  }

  #beginList(): void {
    this.#batches = this.#lists.get(this.#innerMember) ?? [];
    this.#lists.set(this.#innerMember, this.#batches);
    this.#hasBatches = false;
  }

  /** Scans within the rows; returns where it stopped. Local variables, because it is hot. */
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
    this.#hasBatches = true;
    this.#pieces = [];
    this.#size = 0;
  }

  #endRows(lastPiece: Uint8Array): void {
    const isBlank = [...this.#pieces, lastPiece].every(isWhiteSpace);
    // Nothing after earlier batches means a trailing comma: JSON.parse fails on a batch of one
    // comma.
    if (!isBlank) this.#endBatch(lastPiece);
    else if (this.#hasBatches) this.#endBatch(Buffer.from(','));
    this.#pieces = [];
    this.#size = 0;
    this.#inRows = false;
    this.#inString = false;
    this.#rowDepth = 0;
    // `#scanRest` reads the closing bracket again and decreases the depth. The opening bracket did
    // not increase it.
    this.#depth++;
  }
}

function isWhiteSpace(piece: Uint8Array): boolean {
  return piece.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

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
