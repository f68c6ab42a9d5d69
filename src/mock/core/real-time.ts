// Waiting that a test's fake timers can shorten, but neither stop nor lose: a request that never ends would keep its user's turn.
import * as timers from 'node:timers/promises';

const { setTimeout: realTimeout, setImmediate: nextTurn } = timers;

/** How a wait ended. */
export type WaitEnd = 'over' | 'shortened' | 'broken off';

/** The waits of a service, so that all of them can be ended. */
export class Waits {
  readonly #ends = new Set<(end: WaitEnd) => void>();

  /** Resolves when the time has passed, in reality or on the fake clock of a test, or when it was ended. */
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
      // It rejects only when it is stopped.
      realTimeout(ms, undefined, { ref: false, signal: stopWatching.signal }).then(isOver, () => undefined);
      this.#ends.add(end);
    });
  }

  endAll(how: WaitEnd): void {
    for (const end of [...this.#ends]) end(how);
  }
}

/** Resolves after a turn of the event loop, fake timers or not. */
export function turnOfEventLoop(): Promise<void> {
  return nextTurn();
}
