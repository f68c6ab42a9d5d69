// The retry budget of a client: a burst at once, one more for every successful request, and one
// more per second. So waiting calls do not multiply an outage, and they all continue when it ends.

import type { Deadline } from '../core/deadline.js';
import type { Timers } from '../core/ports.js';

const RETRY_BUDGET = 30;

const RETRY_BUDGET_REFILL_MS = 1_000;

export class RetryBudget {
  readonly #timers: Timers;
  #left = RETRY_BUDGET;
  /** Time until which the refill was added. */
  #filledAt: number;
  readonly #waiting = new Set<() => void>();
  #cancelTimer: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#filledAt = timers.now();
  }

  succeeded(): void {
    this.#add(1);
  }

  /** Resolves when a retry may be sent, in order. Rejects when the deadline is exceeded before. */
  async take(deadline: Deadline): Promise<void> {
    this.#fill();
    if (this.#left > 0 && this.#waiting.size === 0) {
      this.#left--;
      return;
    }
    let grant = () => {};
    const granted = new Promise<void>((resolve) => {
      grant = resolve;
    });
    this.#waiting.add(grant);
    this.#schedule();
    try {
      await deadline.within(granted);
    } catch (error) {
      // Granted when its caller had just left: the next one may have it.
      if (!this.#waiting.delete(grant)) this.#add(1);
      this.#schedule();
      throw error;
    }
  }

  #fill(): void {
    const earned = Math.floor((this.#timers.now() - this.#filledAt) / RETRY_BUDGET_REFILL_MS);
    if (earned <= 0) return;
    this.#filledAt += earned * RETRY_BUDGET_REFILL_MS;
    this.#add(earned);
  }

  #add(repeats: number): void {
    this.#left = Math.min(RETRY_BUDGET, this.#left + repeats);
    for (const grant of this.#waiting) {
      if (this.#left === 0) break;
      this.#left--;
      this.#waiting.delete(grant);
      grant();
    }
    if (this.#waiting.size === 0) this.#stopTimer();
  }

  #schedule(): void {
    this.#stopTimer();
    if (this.#waiting.size === 0) return;
    const dueInMs = this.#filledAt + RETRY_BUDGET_REFILL_MS - this.#timers.now();
    this.#cancelTimer = this.#timers.after(Math.max(0, dueInMs), () => {
      this.#fill();
      this.#schedule();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
