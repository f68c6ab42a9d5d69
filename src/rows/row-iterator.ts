// Iterates over rows that arrive in batches. A row that has arrived costs the caller one promise.
import { FleetError, streamError } from '../core/errors.js';
import type { FleetStream } from '../core/generator-stream.js';
import { errorOfSignal } from '../core/wait-errors.js';

export interface RowSource<Row> {
  /** Returns the next rows; null at the end. */
  next(): Promise<readonly Row[] | null>;
  stop(): void;
  /** Start of the period, as text. */
  readonly beginning: string;
  /** Returns the time up to which all rows have been delivered, as text; null without one. */
  completeUntil(): string | null;
}

/** The number of delivered rows before an error, and the time up to which they are complete. */
export interface RowProgress {
  readonly delivered: number;
  readonly completeUntil: string | null;
  readonly beginning: string;
}

export type ErrorMapper = (error: FleetError, progress: RowProgress) => FleetError;

export class RowIterator<Row> implements FleetStream<Row> {
  readonly #operation: string;
  readonly #source: RowSource<Row>;
  readonly #signal: AbortSignal | undefined;
  readonly #mapError: ErrorMapper;
  #rows: readonly Row[] = [];
  #index = 0;
  #delivered = 0;
  #isDone = false;
  #pendingCalls = 0;
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(
    operation: string,
    source: RowSource<Row>,
    signal: AbortSignal | undefined,
    mapError: ErrorMapper = withProgress,
  ) {
    this.#operation = operation;
    this.#source = source;
    this.#signal = signal;
    this.#mapError = mapError;
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
    // Only the caller awaits this promise, so that V8 finds it for the stack of an error.
    return this.#refill(before, onEnd);
  }

  /** Yields all rows in arrays, for callers that do not want a promise per row. */
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
      throw this.#mapError(error, { delivered: this.#delivered, completeUntil, beginning: this.#source.beginning });
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

/** Adds the number of delivered rows, and the time to resume from. */
function withProgress(error: FleetError, { delivered, completeUntil, beginning }: RowProgress): FleetError {
  const range = completeUntil === null ? '' : `, including all rows up to ${completeUntil}`;
  return streamError(error, `${error.message} ${delivered} rows were delivered before${range}.`, {
    rowsGiven: delivered,
    resumeFrom: completeUntil ?? beginning,
  });
}
