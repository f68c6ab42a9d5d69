// Iterates over rows that arrive in batches. A row that has arrived costs the caller one promise.
import { AbortError, FleetError } from '../core/errors.js';

/** The source of the rows. */
export interface RowSource<Row> {
  /** The next rows; null when there are no more. */
  next(): Promise<readonly Row[] | null>;
  /** Cancels what is in progress. */
  stop(): void;
  /** The time up to which all rows have been delivered, as text; null when there is none yet. */
  completeUntil(): string | null;
}

export class RowIterator<Row> implements AsyncIterableIterator<Row, undefined> {
  readonly #operation: string;
  readonly #source: RowSource<Row>;
  readonly #signal: AbortSignal | undefined;
  #rows: readonly Row[] = [];
  #index = 0;
  #delivered = 0;
  #isDone = false;
  /** Calls of next() that wait for rows. Each waits for the one before it. */
  #pendingCalls = 0;
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(operation: string, source: RowSource<Row>, signal: AbortSignal | undefined) {
    this.#operation = operation;
    this.#source = source;
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Row, undefined>> {
    if (this.#pendingCalls === 0 && !this.#signal?.aborted) {
      const row = this.#takeRow();
      if (row) return Promise.resolve(row);
    }
    const next = this.#pendingCalls === 0 ? this.#refill() : this.#lastCall.then(() => this.#refill());
    this.#pendingCalls++;
    this.#lastCall = next.catch(() => undefined);
    return next;
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

  #takeRow(): IteratorResult<Row, undefined> | null {
    if (this.#isDone) return { done: true, value: undefined };
    if (this.#index >= this.#rows.length) return null;
    // The index is below the length, so this is a row.
    const value = this.#rows[this.#index++] as Row;
    this.#delivered++;
    return { done: false, value };
  }

  async #refill(): Promise<IteratorResult<Row, undefined>> {
    try {
      // The caller counts this call before it goes on.
      await null;
      for (;;) {
        if (this.#signal?.aborted && !this.#isDone) {
          throw new AbortError(`${this.#operation} was aborted.`, { operation: this.#operation });
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
      throw error instanceof FleetError ? withProgress(error, this.#delivered, completeUntil) : error;
    } finally {
      this.#pendingCalls--;
    }
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#rows = [];
    this.#source.stop();
  }
}

/** Adds to the message of the error, which belongs to this call alone, how many rows were delivered. */
function withProgress<Failed extends FleetError>(
  error: Failed,
  delivered: number,
  completeUntil: string | null,
): Failed {
  const range = completeUntil === null ? '' : `, including all rows up to ${completeUntil}`;
  const { message } = error;
  error.message = `${message} ${delivered} rows were delivered before${range}.`;
  if (error.stack !== undefined) error.stack = error.stack.replace(message, () => error.message);
  return error;
}
