// The rows of one list of an answer, parsed when they are read.
import { ProtocolError } from '../core/errors.js';
import type { AnswerHead } from '../core/request-ids.js';
import { parseBatch, type RowBatch } from './row-batch.js';

export interface ListRows {
  /** Whether there are rows that have not been read. */
  readonly hasRows: boolean;
  /** How long they are as JSON, with what is around them in an answer of a single list. */
  readonly bytes: number;
  /** The next rows; null when there are none. What has been read is not kept. Throws SyntaxError when they are not JSON. */
  next(): unknown[] | null;
}

/** The next rows of the answer to an operation; null when there are none. @throws {ProtocolError} when they are not JSON. */
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

/** The rows of a list that still arrives. */
export interface ArrivingRows extends ListRows {
  /** Nothing more will arrive. Whether the answer is accepted may not be known yet. */
  readonly isComplete: boolean;
  /** The answer up to its first row, when `hasRows`. */
  readonly head: string;
  /** Bytes that have arrived and have not been read. */
  readonly unreadBytes: number;
}

/** What a call says of an answer that is a long list: the rows are set apart while they arrive, and the list in the answer is empty. */
export interface LongList {
  /** About how long it will be. Lists that are longer together than one document should be are not asked for in one. */
  readonly expectedBytes: number;
  /** An answer with more unread bytes is given up, if it has no other list. */
  readonly maxBytes: number;
  /** Called with the head of each response. */
  onHead?(answer: AnswerHead): void;
  /** Called when the list is asked for, with the number of calls in the request. */
  onSent?(calls: number): void;
  /** For a caller that reads the rows while they arrive: called for each request, and only when no other call is in it. */
  onArriving?(rows: ArrivingRows): void;
  /** Called while they arrive. May return a promise that holds the response back until it settles. */
  onBytes?(): Promise<void> | undefined;
  /** Called when other calls wait for the turn of this one. `isUrgent`: one of a higher priority does. */
  onWaitingCalls?(isUrgent: boolean): void;
}

/** The long lists of one request, by the names that they have in its answer. */
export interface ListsOfRequest {
  readonly byName: ReadonlyMap<string, LongList>;
  /** The request asks for one list and nothing else. */
  readonly isOnly: boolean;
}

/** The rows of one of several lists, when the answer is complete. */
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
