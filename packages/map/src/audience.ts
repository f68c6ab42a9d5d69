// The pages that are open and visible. A hidden page leaves, so nobody asks the service for a map that nobody looks at.
import type { LiveMessage } from './shapes.js';

/** Takes a message of the stream. */
export type Listener = (message: LiveMessage) => void;

export class Audience {
  readonly #listeners = new Set<Listener>();
  readonly #greeting: () => readonly LiveMessage[];
  #onArrival: (() => void) | null = null;

  /** `greeting`: what a page must be told to know everything. */
  constructor(greeting: () => readonly LiveMessage[]) {
    this.#greeting = greeting;
  }

  /** Greets the page. Returns how it leaves. */
  join(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const message of this.#greeting()) listener(message);
    this.#onArrival?.();
    return () => this.#listeners.delete(listener);
  }

  /** What a page that could not keep up must be told. */
  greeting(): readonly LiveMessage[] {
    return this.#greeting();
  }

  tell(message: LiveMessage): void {
    for (const listener of this.#listeners) listener(message);
  }

  /** Resolves when somebody is there, or when the signal fires. */
  async present(signal: AbortSignal): Promise<void> {
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
