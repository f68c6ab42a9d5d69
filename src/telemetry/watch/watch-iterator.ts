// The iterator that a watch gives its caller. Unlike a generator it can be ended while it waits.
import { onAbort } from '../../core/abort-listener.js';
import { AbortError, ClosedError, FleetError } from '../../core/errors.js';
import { errorOfSignal } from '../../core/wait-end.js';

export class WatchIterator<Event> implements AsyncIterableIterator<Event> {
  readonly #name: string;
  readonly #signal: AbortSignal | undefined;
  readonly #ended = new AbortController();
  readonly #events: AsyncGenerator<Event, unknown>;
  readonly #onAbort = () => this.#ended.abort();

  /** `run` is called with a signal that fires when the watch ends. It does nothing before the first event is asked for. */
  constructor(
    name: string,
    run: (signal: AbortSignal) => AsyncGenerator<Event, unknown>,
    signal: AbortSignal | undefined,
  ) {
    this.#name = name;
    this.#signal = signal;
    this.#events = run(this.#ended.signal);
    if (signal) onAbort(signal, this.#onAbort);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Event, undefined>> {
    if (this.#signal?.aborted) {
      this.#finish();
      throw this.#aborted();
    }
    try {
      const { done, value } = await this.#untilEnd(this.#events.next());
      // A generator that is done yields no event.
      return done === true || this.#isEnded ? { done: true, value: undefined } : { done: false, value: value as Event };
    } catch (error) {
      const isEnded = this.#isEnded;
      this.#finish();
      if (this.#signal?.aborted && error instanceof FleetError) throw this.#aborted();
      if (isEnded) return { done: true, value: undefined };
      if (!(error instanceof ClosedError)) throw error;
      throw new ClosedError(`${this.#name} has ended: the client was closed.`, {
        operation: this.#name,
        facts: error.facts,
      });
    }
  }

  /** Ends the watch, a request under way included; a pending `next()` then resolves with `done`. */
  async return(): Promise<IteratorResult<Event, undefined>> {
    this.#finish();
    return { done: true, value: undefined };
  }

  /** Rejects as soon as the watch has ended: the generator may be waiting for the request of another watch. */
  #untilEnd<Result>(event: Promise<Result>): Promise<Result> {
    const { signal } = this.#ended;
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(this.#aborted());
      signal.addEventListener('abort', onEnd, { once: true });
      event.then(resolve, reject).finally(() => signal.removeEventListener('abort', onEnd));
    });
  }

  get #isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  #aborted(): FleetError {
    const call = { operation: this.#name };
    if (this.#signal?.aborted) return errorOfSignal(this.#signal, call);
    // `return()` ends it: nobody sees this.
    return new AbortError(`${this.#name} was ended.`, call);
  }

  #finish(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#ended.abort();
    void this.#events.return(undefined).catch(() => undefined);
  }
}
