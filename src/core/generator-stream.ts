// A stream from an async generator. Unlike a generator it can be ended while it waits.
import { onAbort } from './deadline.js';
import { AbortError, ClosedError, FleetError } from './errors.js';
import { errorOfSignal } from './wait-errors.js';

/**
 * A stream of rows, trips or events for `for await`, each delivered as it arrives. It can be
 * iterated once; `break` cancels a running request.
 */
export interface FleetStream<Item> extends AsyncIterator<Item, undefined>, AsyncDisposable {
  [Symbol.asyncIterator](): FleetStream<Item>;
  // TypeScript before 5.6 cannot type the return value of an iterator.
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Ends the stream and cancels its request; a pending `next()` resolves with `done`. */
  return(): Promise<IteratorResult<Item, undefined>>;
}

export class GeneratorStream<Item> implements FleetStream<Item> {
  readonly #name: string;
  readonly #signal: AbortSignal | undefined;
  readonly #ended = new AbortController();
  readonly #items: AsyncGenerator<Item, unknown>;
  readonly #onAbort = () => this.#ended.abort();
  #isRead = false;

  /**
   * `run` gets a signal that fires when the stream ends, and does nothing before the first
   * `next()`. `signal` ends the stream, and its errors then only report that. It is left out when
   * the generator follows the caller's signal itself.
   */
  constructor(name: string, run: (signal: AbortSignal) => AsyncGenerator<Item, unknown>, signal?: AbortSignal) {
    this.#name = name;
    this.#signal = signal;
    this.#items = run(this.#ended.signal);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#signal?.aborted) {
      this.#finish();
      throw this.#aborted();
    }
    if (this.#signal && !this.#isRead) onAbort(this.#signal, this.#onAbort);
    this.#isRead = true;
    try {
      const { done, value } = await this.#untilEnd(this.#items.next());
      return done === true || this.#isEnded ? { done: true, value: undefined } : { done: false, value: value as Item };
    } catch (error) {
      const isEnded = this.#isEnded;
      this.#finish();
      if (this.#signal?.aborted && error instanceof FleetError) throw this.#aborted();
      if (isEnded) return { done: true, value: undefined };
      // An error with progress says where to resume.
      if (!(error instanceof ClosedError) || error.resumeFrom !== undefined) throw error;
      throw new ClosedError(`${this.#name} has ended: the client was closed.`, {
        operation: this.#name,
        facts: error.facts,
      });
    }
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#finish();
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish();
  }

  /** Rejects when the stream ends: the generator may wait for a request shared with others. */
  #untilEnd<Result>(item: Promise<Result>): Promise<Result> {
    const { signal } = this.#ended;
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(this.#aborted());
      signal.addEventListener('abort', onEnd, { once: true });
      item.then(resolve, reject).finally(() => signal.removeEventListener('abort', onEnd));
    });
  }

  get #isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  #aborted(): FleetError {
    const call = { operation: this.#name };
    if (this.#signal?.aborted) return errorOfSignal(this.#signal, call);
    // Only after `return()`: no caller sees it.
    return new AbortError(`${this.#name} was ended.`, call);
  }

  #finish(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#ended.abort();
    void this.#items.return(undefined).catch(() => undefined);
  }
}
