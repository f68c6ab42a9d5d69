const MOST_UNREAD = 4 * 1024 * 1024;
const MAX_HELD_MS = 5e3;
class ReadingPace {
  #timers;
  #leftMs = MAX_HELD_MS;
  #isHurried = false;
  #held = null;
  constructor(timers) {
    this.#timers = timers;
  }
  /** A promise to wait for before more is read from the connection; undefined: go on. */
  hold(unreadBytes) {
    if (this.#isHurried || unreadBytes <= MOST_UNREAD) return void 0;
    this.#held ??= this.#begin();
    return this.#held.until;
  }
  /** Rows have been read. */
  read(unreadBytes) {
    if (unreadBytes <= MOST_UNREAD / 2) this.#held?.release();
  }
  /** From now on nothing is held back. */
  hurry() {
    this.#isHurried = true;
    this.#held?.release();
  }
  #begin() {
    const since = this.#timers.now();
    let settle = () => {
    };
    const until = new Promise((resolve) => {
      settle = resolve;
    });
    const cancel = this.#timers.after(this.#leftMs, () => this.hurry());
    const release = () => {
      cancel();
      this.#leftMs = Math.max(0, this.#leftMs - (this.#timers.now() - since));
      this.#held = null;
      settle();
    };
    return { until, release };
  }
}
export {
  ReadingPace
};
