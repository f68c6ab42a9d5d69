// The rows of one list of an answer, parsed when they are read.
import { ProtocolError } from '../core/errors.js';
import type { AnswerHead } from '../core/request-ids.js';
import { parseBatch, type RowBatch } from './row-batch.js';

export interface ListRows {
  readonly hasRows: boolean;
  /** Size of the rows as JSON; includes the rest of an answer with a single list. */
  readonly bytes: number;
  /** Returns and releases the next rows; null at the end. Throws SyntaxError for invalid JSON. */
  next(): unknown[] | null;
}

/**
 * Returns the next rows of the answer to an operation; null at the end.
 * @throws {ProtocolError} when they are not JSON.
 */
export function nextRows(rows: ListRows, operation: string): unknown[] | null {
  try {
    return rows.next();
  } catch {
    throw new ProtocolError(
      `The answer to ${operation} cannot be read: its rows are no JSON. Check that the base URL is the right one.`,
      { operation },
    );
  }
}

export interface ArrivingRows extends ListRows {
  /** True when the answer has arrived, even if it is not yet accepted. */
  readonly isComplete: boolean;
  /** The answer up to its first row, when `hasRows`. */
  readonly head: string;
  readonly unreadBytes: number;
}

/** The options of a long list, whose rows are separated from the answer while they arrive. */
export interface LongList {
  /** Expected size. Lists that together exceed one document are not requested together. */
  readonly expectedBytes: number;
  /** An answer with more unread bytes is cancelled, if it has no other list. */
  readonly maxBytes: number;
  onHead?(answer: AnswerHead): void;
  /** Called when the list is requested, with the number of calls in the request. */
  onSent?(calls: number): void;
  /** Called for each request without other calls, to read rows while they arrive. */
  onArriving?(rows: ArrivingRows): void;
  /** Called while they arrive. A returned promise pauses the response until it settles. */
  onBytes?(): Promise<void> | undefined;
  /** Called when other calls wait for this turn. `isUrgent`: one has a higher priority. */
  onWaitingCalls?(isUrgent: boolean): void;
}

export interface ListsOfRequest {
  readonly byName: ReadonlyMap<string, LongList>;
  /** True when the request contains nothing but one list. */
  readonly isOnly: boolean;
}

/** The rows of one of several lists of a complete answer. */
export class BatchedRows implements ListRows {
  readonly bytes: number;
  readonly #batches: RowBatch[];

  constructor(batches: readonly RowBatch[]) {
    this.#batches = [...batches];
    this.bytes = batches.reduce((sum, pieces) => pieces.reduce((size, { length }) => size + length, sum), 0);
  }

  get hasRows(): boolean {
    return this.#batches.length > 0;
  }

  next(): unknown[] | null {
    const batch = this.#batches.shift();
    return batch ? parseBatch(batch) : null;
  }
}
