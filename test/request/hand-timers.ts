// Time that passes only when a test says so: from one timer to the next, and what waits for one goes on before the next one fires.
import type { Timers } from '../../src/core/ports.js';

export class HandTimers implements Timers {
  #now = 0;
  readonly #waiting = new Set<{ readonly at: number; readonly run: () => void }>();

  readonly now = (): number => this.#now;

  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#waiting.add(timer);
    return () => this.#waiting.delete(timer);
  };

  get pending(): number {
    return this.#waiting.size;
  }

  /** Lets this much time pass. */
  async pass(ms: number): Promise<void> {
    await this.#passUntil(() => false, this.#now + ms);
  }

  /** Lets time pass until something has happened, or nothing more can. */
  async passUntil(happened: () => boolean): Promise<void> {
    await this.#passUntil(happened, Number.POSITIVE_INFINITY);
  }

  async #passUntil(happened: () => boolean, end: number): Promise<void> {
    for (;;) {
      await nextRound();
      if (happened()) return;
      let next: { readonly at: number; readonly run: () => void } | null = null;
      for (const timer of this.#waiting) if (next === null || timer.at < next.at) next = timer;
      if (next === null || next.at > end) break;
      this.#now = next.at;
      this.#waiting.delete(next);
      next.run();
    }
    if (end === Number.POSITIVE_INFINITY) return;
    this.#now = end;
    // What goes over several rounds, such as the answer of a service, goes on before the test does.
    for (let round = 0; round < 5; round++) await nextRound();
  }
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
