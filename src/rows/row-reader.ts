// Reads the rows of a response batch by batch, and releases their memory. When a batch turns out to be cut in the wrong place, the
// remaining rows are scanned byte by byte.
import { parseBatch, type RowBatch } from './row-batch.js';
import type { Blocks } from './row-buffer.js';
import { RowScanner } from './row-scanner.js';

/** A response in pieces; together they are all of it. */
export interface SplitResponse {
  readonly field: string;
  /** Everything before the first row. */
  readonly head: readonly Uint8Array[];
  /** Found by how rows begin; the comma after each is left out. */
  readonly split: readonly RowBatch[];
  /** From the last cut to the end. */
  readonly tail: readonly Uint8Array[];
  /** The response without its rows, as the caller got it. */
  readonly rest: string;
  /** The memory of all these bytes. */
  readonly blocks: Blocks;
}

interface ScannedRows {
  readonly batches: readonly RowBatch[];
  /** The response without its rows: it has the list, but empty. */
  readonly rest: string;
}

const COMMA = Buffer.from(',');

export class RowReader {
  readonly #response: SplitResponse;
  #split: RowBatch[];
  #scanned: RowBatch[];

  /** `scanned` are the rows in the tail of the response. */
  constructor(response: SplitResponse, scanned: readonly RowBatch[]) {
    this.#response = { ...response, split: [] };
    this.#split = [...response.split];
    this.#scanned = [...scanned];
  }

  /** Scans the response from its beginning, or from where a reader is. */
  static scan({ field, head, split, tail }: Omit<SplitResponse, 'rest' | 'blocks'>): ScannedRows {
    const scanner = new RowScanner([field]);
    for (const piece of head) scanner.feed(piece);
    for (const batch of split) for (const piece of [...batch, COMMA]) scanner.feed(piece);
    for (const piece of tail) scanner.feed(piece);
    const { lists, rest } = scanner.end();
    return { batches: lists.get(field) ?? [], rest };
  }

  get hasRows(): boolean {
    return this.#split.length + this.#scanned.length > 0;
  }

  /** The next rows; null at the end. Throws SyntaxError when they are not JSON. */
  next(): unknown[] | null {
    const [split] = this.#split;
    if (split) {
      this.#freeBefore(split);
      try {
        const rows = parseBatch(split);
        this.#split.shift();
        return rows;
      } catch {
        const { batches, rest } = RowReader.scan({ ...this.#response, split: this.#split });
        // Throws when the text after the rows is wrong. A cut behind the rows may have hidden errors.
        if (errorsOf(rest) !== errorsOf(this.#response.rest))
          throw new SyntaxError('The rows end earlier than they seemed to.');
        this.#split = [];
        this.#scanned = [...batches];
      }
    }
    const scanned = this.#scanned.shift();
    if (scanned) {
      this.#freeBefore(scanned);
      return parseBatch(scanned);
    }
    this.#response.blocks.free();
    return null;
  }

  /** The memory of rows that have been read is reused for the next response, which arrives meanwhile. */
  #freeBefore([first]: RowBatch): void {
    if (first) this.#response.blocks.freeBefore(first);
  }
}

function errorsOf(rest: string): string {
  const { errors } = JSON.parse(rest);
  // Absent, null and an empty list all mean: no errors.
  return JSON.stringify(errors ?? []);
}
