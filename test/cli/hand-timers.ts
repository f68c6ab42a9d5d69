// Timers that a test advances.
import type { Timers } from '../../src/core/ports.js';

export class HandTimers implements Pick<Timers, 'after'> {
  time: number;
  readonly #due = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(time: number) {
    this.time = time;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.#due.add(timer);
    return () => this.#due.delete(timer);
  }

  /** Milliseconds until the next timer; null without one. */
  get next(): number | null {
    const all = [...this.#due].map(({ at }) => at);
    return all.length === 0 ? null : Math.min(...all) - this.time;
  }

  advance(ms: number): void {
    this.time += ms;
    for (const timer of [...this.#due].filter(({ at }) => at <= this.time)) {
      this.#due.delete(timer);
      timer.run();
    }
  }
}
