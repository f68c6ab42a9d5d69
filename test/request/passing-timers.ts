// Timers whose pauses take no time, for tests with many retries over real connections.
import { afterEach, beforeEach, vi } from 'vitest';
import { realTimers } from '../../src/core/ports.js';

/** The shortest limit of an attempt; pauses are shorter. */
const SHORTEST_LIMIT_MS = 10_000;

/** Pauses end at once and advance the clock; limits and deadlines never fire by themselves. */
class PassingTimers {
  readonly #waiting = new Set<{ readonly ms: number; readonly run: () => void }>();
  #now = 0;

  readonly now = (): number => this.#now;

  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { ms, run };
    this.#waiting.add(timer);
    if (ms < SHORTEST_LIMIT_MS) setImmediate(() => this.#fire(timer));
    return () => this.#waiting.delete(timer);
  };

  get pending(): number {
    return this.#waiting.size;
  }

  /** Ends all limits and deadlines of at least this length. */
  passLimits(ms: number): void {
    for (const timer of [...this.#waiting]) if (timer.ms >= ms) this.#fire(timer);
  }

  #fire(timer: { readonly ms: number; readonly run: () => void }): void {
    if (!this.#waiting.delete(timer)) return;
    this.#now += timer.ms;
    timer.run();
  }
}

/** Replaces the real timers for every test of the file or group. */
export function passingTimers(): () => PassingTimers {
  let timers = new PassingTimers();
  beforeEach(() => {
    timers = new PassingTimers();
    vi.spyOn(realTimers, 'now').mockImplementation(timers.now);
    vi.spyOn(realTimers, 'after').mockImplementation(timers.after);
  });
  afterEach(() => void vi.restoreAllMocks());
  return () => timers;
}
