// Waits that fake timers can shorten but not stop: a request without an end would block its user.
import * as timers from 'node:timers/promises';

const { setTimeout: realTimeout, setImmediate: nextTurn } = timers;

export type WaitEnd = 'over' | 'shortened' | 'broken off';

/** The waits of a service, which can be ended together. */
export class Waits {
  readonly #ends = new Set<(end: WaitEnd) => void>();

  /** Resolves after the time, real or on a fake clock, or when ended early. */
  wait(ms: number): Promise<WaitEnd> {
    const { setTimeout, clearTimeout } = globalThis;
    return new Promise((resolve) => {
      const stopWatching = new AbortController();
      const end = (how: WaitEnd): void => {
        this.#ends.delete(end);
        clearTimeout(timer);
        stopWatching.abort();
        resolve(how);
      };
      const isOver = (): void => end('over');
      const timer = setTimeout(isOver, ms);
      // Rejects only when aborted.
      realTimeout(ms, undefined, { ref: false, signal: stopWatching.signal }).then(isOver, () => undefined);
      this.#ends.add(end);
    });
  }

  endAll(how: WaitEnd): void {
    for (const end of [...this.#ends]) end(how);
  }
}

/** Resolves after a turn of the event loop, even with fake timers. */
export function yieldToEventLoop(): Promise<void> {
  return nextTurn();
}
