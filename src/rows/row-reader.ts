// The rows of an answer, batch by batch; what has been read is let go of. When a batch turns out to have been cut in the wrong place, the
// rest of the rows is scanned byte by byte.
import { parseBatch, type RowBatch } from './row-batch.js';
import type { Blocks } from './row-buffer.js';
import { RowScanner, type Scanned } from './row-scanner.js';

/** An answer in pieces that, put together, are all of it. */
export interface SkimmedAnswer {
  readonly field: string;
  /** All up to the first row. */
  readonly head: readonly Uint8Array[];
  /** Cut by how rows begin; a comma has been taken out after each. */
  readonly skimmed: readonly RowBatch[];
  /** From the last cut to the end. */
  readonly tail: readonly Uint8Array[];
  /** The answer without its rows, as the caller got it. */
  readonly rest: string;
  /** Where all of these bytes are. */
  readonly blocks: Blocks;
}

const COMMA = Buffer.from(',');

export class RowReader {
  readonly #answer: SkimmedAnswer;
  #skimmed: RowBatch[];
  #scanned: RowBatch[];

  /** `scanned` are the rows of the answer's tail. */
  constructor(answer: SkimmedAnswer, scanned: readonly RowBatch[]) {
    this.#answer = { ...answer, skimmed: [] };
    this.#skimmed = [...answer.skimmed];
    this.#scanned = [...scanned];
  }

  /** The answer scanned from its beginning, or from where a reader has got to. */
  static scan({ field, head, skimmed, tail }: Omit<SkimmedAnswer, 'rest' | 'blocks'>): Scanned {
    const scanner = new RowScanner(field);
    for (const piece of head) scanner.feed(piece);
    for (const batch of skimmed) for (const piece of [...batch, COMMA]) scanner.feed(piece);
    for (const piece of tail) scanner.feed(piece);
    return scanner.end();
  }

  get hasRows(): boolean {
    return this.#skimmed.length + this.#scanned.length > 0;
  }

  /** The next rows; null when there are no more. Throws SyntaxError when they are no JSON. */
  next(): unknown[] | null {
    const [skimmed] = this.#skimmed;
    if (skimmed) {
      this.#freeBefore(skimmed);
      try {
        const rows = parseBatch(skimmed);
        this.#skimmed.shift();
        return rows;
      } catch {
        const { batches, rest } = RowReader.scan({ ...this.#answer, skimmed: this.#skimmed });
        // Throws when it was no cut that was wrong, but what is after the rows. A cut beyond them may have hidden errors.
        if (errorsOf(rest) !== errorsOf(this.#answer.rest))
          throw new SyntaxError('The rows end before they seemed to.');
        this.#skimmed = [];
        this.#scanned = [...batches];
      }
    }
    const scanned = this.#scanned.shift();
    if (scanned) {
      this.#freeBefore(scanned);
      return parseBatch(scanned);
    }
    this.#answer.blocks.free();
    return null;
  }

  /** The next answer arrives while this one is read, and its bytes go where rows have been read. */
  #freeBefore([first]: RowBatch): void {
    if (first) this.#answer.blocks.freeBefore(first);
  }
}

function errorsOf(answer: string): string {
  const { errors } = JSON.parse(answer);
  // No errors may be said in three ways.
  return JSON.stringify(errors ?? []);
}
