const RETRY_BUDGET = 30;
const RETRY_BUDGET_REFILL_MS = 1e3;
class RetryBudget {
  #timers;
  #left = RETRY_BUDGET;
  /** Up to when repeats were added for the time that passed. */
  #filledAt;
  #waiting = /* @__PURE__ */ new Set();
  #cancelTimer = null;
  constructor(timers) {
    this.#timers = timers;
    this.#filledAt = timers.now();
  }
  /** A request succeeded. */
  succeeded() {
    this.#add(1);
  }
  /** Resolves when a repeat may be sent, first come, first served. Rejects when the deadline is exceeded before. */
  async take(deadline) {
    this.#fill();
    if (this.#left > 0 && this.#waiting.size === 0) {
      this.#left--;
      return;
    }
    let grant = () => {
    };
    const granted = new Promise((resolve) => {
      grant = resolve;
    });
    this.#waiting.add(grant);
    this.#schedule();
    try {
      await deadline.within(granted);
    } catch (error) {
      if (!this.#waiting.delete(grant)) this.#add(1);
      this.#schedule();
      throw error;
    }
  }
  #fill() {
    const earned = Math.floor((this.#timers.now() - this.#filledAt) / RETRY_BUDGET_REFILL_MS);
    if (earned <= 0) return;
    this.#filledAt += earned * RETRY_BUDGET_REFILL_MS;
    this.#add(earned);
  }
  #add(repeats) {
    this.#left = Math.min(RETRY_BUDGET, this.#left + repeats);
    for (const grant of this.#waiting) {
      if (this.#left === 0) break;
      this.#left--;
      this.#waiting.delete(grant);
      grant();
    }
    if (this.#waiting.size === 0) this.#stopTimer();
  }
  /** One timer while anybody waits, none otherwise. */
  #schedule() {
    this.#stopTimer();
    if (this.#waiting.size === 0) return;
    const dueInMs = this.#filledAt + RETRY_BUDGET_REFILL_MS - this.#timers.now();
    this.#cancelTimer = this.#timers.after(Math.max(0, dueInMs), () => {
      this.#fill();
      this.#schedule();
    });
  }
  #stopTimer() {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
export {
  RetryBudget
};
