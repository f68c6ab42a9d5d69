// The pauses of the SDK pass at once, for tests in which much is sent again over real connections, whose answers no hand-driven time waits for.
import { afterEach, beforeEach, vi } from 'vitest';
import { realTimers } from '../../src/core/ports.js';

/** The shortest limit of an attempt; pauses are shorter. */
const SHORTEST_LIMIT_MS = 10_000;

/** Pauses pass at once and are counted as time; what is as long as a limit or a deadline never fires by itself. */
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

  /** Ends the limits and deadlines that are at least as long as this. */
  passLimits(ms: number): void {
    for (const timer of [...this.#waiting]) if (timer.ms >= ms) this.#fire(timer);
  }

  #fire(timer: { readonly ms: number; readonly run: () => void }): void {
    if (!this.#waiting.delete(timer)) return;
    this.#now += timer.ms;
    timer.run();
  }
}

/** Puts them in the place of the real ones for every test of the file, or of the group. */
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
