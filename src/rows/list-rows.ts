// The rows of one list of a response that has arrived, parsed when they are read.
import { parseBatch, type RowBatch } from './row-batch.js';

/** Takes the rows of a list. When a request is sent again, its rows replace the earlier ones. */
export type ListSink = (rows: ListRows) => void;

export class ListRows {
  /** How long the rows are as JSON. */
  readonly bytes: number;
  readonly #batches: RowBatch[];

  constructor(batches: readonly RowBatch[]) {
    this.#batches = [...batches];
    this.bytes = batches.reduce((sum, pieces) => pieces.reduce((size, { length }) => size + length, sum), 0);
  }

  /** The next rows; null at the end. What has been read is not kept. Throws SyntaxError when they are not JSON. */
  next(): unknown[] | null {
    const batch = this.#batches.shift();
    return batch ? parseBatch(batch) : null;
  }
}
