// Rows one by one from batches of rows. A row that is at hand costs its caller one promise.
import { AbortError, FleetError } from '../core/errors.js';

/** Where the rows come from. */
export interface RowSource<Row> {
  /** The next rows; null when there are no more. */
  next(): Promise<readonly Row[] | null>;
  /** Gives up what is under way. */
  stop(): void;
  /** Up to when all rows have been handed over, as text; null when that is nowhere. */
  reached(): string | null;
}

export class RowIterator<Row> implements AsyncIterableIterator<Row, undefined> {
  readonly #operation: string;
  readonly #source: RowSource<Row>;
  readonly #signal: AbortSignal | undefined;
  #rows: readonly Row[] = [];
  #at = 0;
  #given = 0;
  #isOver = false;
  /** Calls of next() that wait for more rows; each waits for the one before it. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(operation: string, source: RowSource<Row>, signal: AbortSignal | undefined) {
    this.#operation = operation;
    this.#source = source;
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Row, undefined>> {
    if (this.#waiting === 0 && !this.#signal?.aborted) {
      const row = this.#take();
      if (row) return Promise.resolve(row);
    }
    const next = this.#waiting === 0 ? this.#refill() : this.#last.then(() => this.#refill());
    this.#waiting++;
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** All rows, in arrays of those that are at hand: for who wants every one of them, and no promise for each. */
  async *batches(): AsyncGenerator<readonly Row[], void, undefined> {
    try {
      for (let next = await this.next(); next.done !== true; next = await this.next()) {
        const rows = [next.value, ...this.#rows.slice(this.#at)];
        this.#given += rows.length - 1;
        this.#at = this.#rows.length;
        yield rows;
      }
    } finally {
      this.#end();
    }
  }

  /** Ends it: what is under way is given up, and nothing more is asked for. */
  async return(): Promise<IteratorResult<Row, undefined>> {
    this.#end();
    return { done: true, value: undefined };
  }

  #take(): IteratorResult<Row, undefined> | null {
    if (this.#isOver) return { done: true, value: undefined };
    if (this.#at >= this.#rows.length) return null;
    // Below the length there is a row; it may be of any type.
    const value = this.#rows[this.#at++] as Row;
    this.#given++;
    return { done: false, value };
  }

  async #refill(): Promise<IteratorResult<Row, undefined>> {
    try {
      // Whoever called is counted before this goes on.
      await null;
      for (;;) {
        if (this.#signal?.aborted && !this.#isOver) {
          throw new AbortError(`${this.#operation} was aborted.`, { operation: this.#operation });
        }
        const row = this.#take();
        if (row) return row;
        const rows = await this.#source.next();
        this.#at = 0;
        this.#rows = rows ?? [];
        if (rows === null) this.#end();
      }
    } catch (error) {
      if (this.#isOver) return { done: true, value: undefined };
      const reached = this.#source.reached();
      this.#end();
      throw error instanceof FleetError ? withProgress(error, this.#given, reached) : error;
    } finally {
      this.#waiting--;
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rows = [];
    this.#source.stop();
  }
}

/** The same error, which was made for this call alone, saying how far it got. */
function withProgress<Failed extends FleetError>(error: Failed, given: number, reached: string | null): Failed {
  const all = reached === null ? '' : `, and all up to ${reached} are among them`;
  const before = error.message;
  error.message = `${before} ${given} rows had been given${all}.`;
  if (error.stack !== undefined) error.stack = error.stack.replace(before, () => error.message);
  return error;
}
