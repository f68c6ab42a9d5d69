import { onAbort } from "./abort-listener.js";
import { AbortError, ClosedError, FleetError } from "./errors.js";
import { errorOfSignal } from "./wait-end.js";
class GeneratorStream {
  #name;
  #signal;
  #ended = new AbortController();
  #items;
  #onAbort = () => this.#ended.abort();
  #isRead = false;
  /**
   * `run` is called with a signal that fires when the stream ends. It does nothing before the first item is asked for. `signal`: ends the
   * stream, and its errors say no more than that; left out where the generator follows the caller's signal itself.
   */
  constructor(name, run, signal) {
    this.#name = name;
    this.#signal = signal;
    this.#items = run(this.#ended.signal);
  }
  [Symbol.asyncIterator]() {
    return this;
  }
  async next() {
    if (this.#signal?.aborted) {
      this.#finish();
      throw this.#aborted();
    }
    if (this.#signal && !this.#isRead) onAbort(this.#signal, this.#onAbort);
    this.#isRead = true;
    try {
      const { done, value } = await this.#untilEnd(this.#items.next());
      return done === true || this.#isEnded ? { done: true, value: void 0 } : { done: false, value };
    } catch (error) {
      const isEnded = this.#isEnded;
      this.#finish();
      if (this.#signal?.aborted && error instanceof FleetError) throw this.#aborted();
      if (isEnded) return { done: true, value: void 0 };
      if (!(error instanceof ClosedError) || error.resumeFrom !== void 0) throw error;
      throw new ClosedError(`${this.#name} has ended: the client was closed.`, {
        operation: this.#name,
        facts: error.facts
      });
    }
  }
  /** Ends the stream, a request under way included; a pending `next()` then resolves with `done`. */
  async return() {
    this.#finish();
    return { done: true, value: void 0 };
  }
  async [Symbol.asyncDispose]() {
    this.#finish();
  }
  /** Rejects as soon as the stream has ended: the generator may be waiting for the request of another one. */
  #untilEnd(item) {
    const { signal } = this.#ended;
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(this.#aborted());
      signal.addEventListener("abort", onEnd, { once: true });
      item.then(resolve, reject).finally(() => signal.removeEventListener("abort", onEnd));
    });
  }
  get #isEnded() {
    return this.#ended.signal.aborted;
  }
  #aborted() {
    const call = { operation: this.#name };
    if (this.#signal?.aborted) return errorOfSignal(this.#signal, call);
    return new AbortError(`${this.#name} was ended.`, call);
  }
  #finish() {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#ended.abort();
    void this.#items.return(void 0).catch(() => void 0);
  }
}
export {
  GeneratorStream
};
