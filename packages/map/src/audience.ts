// The open and visible pages. Hidden pages leave, so that the service is not polled for nobody.
import type { LiveMessage } from './shapes.js';

export type Listener = (message: LiveMessage) => void;

export class Audience {
  readonly #listeners = new Set<Listener>();
  readonly #greeting: () => readonly LiveMessage[];
  #onArrival: (() => void) | null = null;

  /** `greeting`: the messages with the complete state, for a new page. */
  constructor(greeting: () => readonly LiveMessage[]) {
    this.#greeting = greeting;
  }

  /** Sends the greeting to the page. Returns the function to leave. */
  join(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const message of this.#greeting()) listener(message);
    this.#onArrival?.();
    return () => this.#listeners.delete(listener);
  }

  greeting(): readonly LiveMessage[] {
    return this.#greeting();
  }

  send(message: LiveMessage): void {
    for (const listener of this.#listeners) listener(message);
  }

  /** Resolves when a page is open, or on abort. */
  async waitForPage(signal: AbortSignal): Promise<void> {
    if (this.#listeners.size > 0 || signal.aborted) return;
    let onAbort = () => {};
    await new Promise<void>((resolve) => {
      this.#onArrival = resolve;
      onAbort = () => resolve();
      signal.addEventListener('abort', onAbort);
    });
    this.#onArrival = null;
    signal.removeEventListener('abort', onAbort);
  }
}
