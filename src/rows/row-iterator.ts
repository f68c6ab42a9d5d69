// Iterates over rows that arrive in batches. A row that has arrived costs the caller one promise.
import { FleetError, streamError } from '../core/errors.js';
import type { FleetStream } from '../core/fleet-stream.js';
import { errorOfSignal } from '../core/wait-end.js';

/** The source of the rows. */
export interface RowSource<Row> {
  /** The next rows; null when there are no more. */
  next(): Promise<readonly Row[] | null>;
  /** Cancels what is in progress. */
  stop(): void;
  /** The start of the period, as text. */
  readonly beginning: string;
  /** The time up to which all rows have been delivered, as text; null when there is none yet. */
  completeUntil(): string | null;
}

/** How many rows were delivered before an error, and up to which time all of them. */
export interface RowProgress {
  readonly delivered: number;
  readonly completeUntil: string | null;
  readonly beginning: string;
}

/** Turns an error into the one that the caller gets. */
export type Explain = (error: FleetError, progress: RowProgress) => FleetError;

export class RowIterator<Row> implements FleetStream<Row> {
  readonly #operation: string;
  readonly #source: RowSource<Row>;
  readonly #signal: AbortSignal | undefined;
  readonly #explain: Explain;
  #rows: readonly Row[] = [];
  #index = 0;
  #delivered = 0;
  #isDone = false;
  /** Calls of next() that wait for rows. Each waits for the one before it. */
  #pendingCalls = 0;
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(
    operation: string,
    source: RowSource<Row>,
    signal: AbortSignal | undefined,
    explain: Explain = withProgress,
  ) {
    this.#operation = operation;
    this.#source = source;
    this.#signal = signal;
    this.#explain = explain;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Row, undefined>> {
    if (this.#pendingCalls === 0 && !this.#signal?.aborted) {
      const row = this.#takeRow();
      if (row) return Promise.resolve(row);
    }
    const before = this.#pendingCalls === 0 ? null : this.#lastCall;
    let onEnd = () => {};
    this.#lastCall = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    this.#pendingCalls++;
    // Nobody else waits for this promise: only so does V8 find the caller for the stack of an error.
    return this.#refill(before, onEnd);
  }

  /** All rows in arrays, for callers that read every row and do not want a promise for each. */
  async *batches(): AsyncGenerator<readonly Row[], void, undefined> {
    try {
      for (let next = await this.next(); next.done !== true; next = await this.next()) {
        const rows = [next.value, ...this.#rows.slice(this.#index)];
        this.#delivered += rows.length - 1;
        this.#index = this.#rows.length;
        yield rows;
      }
    } finally {
      this.#finish();
    }
  }

  /** Ends the iteration and cancels what is in progress. */
  async return(): Promise<IteratorResult<Row, undefined>> {
    this.#finish();
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish();
  }

  #takeRow(): IteratorResult<Row, undefined> | null {
    if (this.#isDone) return { done: true, value: undefined };
    if (this.#index >= this.#rows.length) return null;
    // The index is below the length, so this is a row.
    const value = this.#rows[this.#index++] as Row;
    this.#delivered++;
    return { done: false, value };
  }

  async #refill(before: Promise<unknown> | null, onEnd: () => void): Promise<IteratorResult<Row, undefined>> {
    try {
      await before;
      for (;;) {
        if (this.#signal?.aborted && !this.#isDone) {
          throw errorOfSignal(this.#signal, { operation: this.#operation });
        }
        const row = this.#takeRow();
        if (row) return row;
        const rows = await this.#source.next();
        this.#index = 0;
        this.#rows = rows ?? [];
        if (rows === null) this.#finish();
      }
    } catch (error) {
      if (this.#isDone) return { done: true, value: undefined };
      const completeUntil = this.#source.completeUntil();
      this.#finish();
      if (!(error instanceof FleetError)) throw error;
      throw this.#explain(error, { delivered: this.#delivered, completeUntil, beginning: this.#source.beginning });
    } finally {
      this.#pendingCalls--;
      onEnd();
    }
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#rows = [];
    this.#source.stop();
  }
}

/** Adds to the error how many rows were delivered, and from when to go on. */
function withProgress(error: FleetError, { delivered, completeUntil, beginning }: RowProgress): FleetError {
  const range = completeUntil === null ? '' : `, including all rows up to ${completeUntil}`;
  return streamError(error, `${error.message} ${delivered} rows were delivered before${range}.`, {
    rowsGiven: delivered,
    resumeFrom: completeUntil ?? beginning,
  });
}
