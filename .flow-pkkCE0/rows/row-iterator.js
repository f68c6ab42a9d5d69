import { FleetError, streamError } from "../core/errors.js";
import { errorOfSignal } from "../core/wait-end.js";
class RowIterator {
  #operation;
  #source;
  #signal;
  #explain;
  #rows = [];
  #index = 0;
  #delivered = 0;
  #isDone = false;
  /** Calls of next() that wait for rows. Each waits for the one before it. */
  #pendingCalls = 0;
  #lastCall = Promise.resolve();
  constructor(operation, source, signal, explain = withProgress) {
    this.#operation = operation;
    this.#source = source;
    this.#signal = signal;
    this.#explain = explain;
  }
  [Symbol.asyncIterator]() {
    return this;
  }
  next() {
    if (this.#pendingCalls === 0 && !this.#signal?.aborted) {
      const row = this.#takeRow();
      if (row) return Promise.resolve(row);
    }
    const before = this.#pendingCalls === 0 ? null : this.#lastCall;
    let onEnd = () => {
    };
    this.#lastCall = new Promise((resolve) => {
      onEnd = resolve;
    });
    this.#pendingCalls++;
    return this.#refill(before, onEnd);
  }
  /** All rows in arrays, for callers that read every row and do not want a promise for each. */
  async *batches() {
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
  async return() {
    this.#finish();
    return { done: true, value: void 0 };
  }
  async [Symbol.asyncDispose]() {
    this.#finish();
  }
  #takeRow() {
    if (this.#isDone) return { done: true, value: void 0 };
    if (this.#index >= this.#rows.length) return null;
    const value = this.#rows[this.#index++];
    this.#delivered++;
    return { done: false, value };
  }
  async #refill(before, onEnd) {
    try {
      await before;
      for (; ; ) {
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
      if (this.#isDone) return { done: true, value: void 0 };
      const completeUntil = this.#source.completeUntil();
      this.#finish();
      if (!(error instanceof FleetError)) throw error;
      throw this.#explain(error, { delivered: this.#delivered, completeUntil, beginning: this.#source.beginning });
    } finally {
      this.#pendingCalls--;
      onEnd();
    }
  }
  #finish() {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#rows = [];
    this.#source.stop();
  }
}
function withProgress(error, { delivered, completeUntil, beginning }) {
  const range = completeUntil === null ? "" : `, including all rows up to ${completeUntil}`;
  return streamError(error, `${error.message} ${delivered} rows were delivered before${range}.`, {
    rowsGiven: delivered,
    resumeFrom: completeUntil ?? beginning
  });
}
export {
  RowIterator
};
