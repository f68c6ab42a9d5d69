// Timers that a test advances, one after the other. Waiting code runs between two timers.
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

  async pass(ms: number): Promise<void> {
    await this.#passUntil(() => false, this.#now + ms);
  }

  /** Advances the time until the condition holds or no timer is left. */
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
    // Work over several event loop turns, such as a service's answer, continues before the test.
    for (let round = 0; round < 5; round++) await nextRound();
  }
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
