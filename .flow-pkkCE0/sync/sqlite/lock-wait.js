import { setTimeout as sleep } from "node:timers/promises";
const LOCK_WAIT_MS = 6e4;
const PAUSE_MS = 200;
class LockWait {
  signal;
  #onWait;
  #monotonic;
  #sleep;
  constructor({ onWait, signal, ...options }) {
    this.#onWait = onWait;
    this.signal = signal;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#sleep = options.sleep ?? ((ms, of) => sleep(ms, void 0, { signal: of }));
  }
  /**
   * Does something as soon as the file is not locked. It may be called several times, so it must do all or nothing.
   * @throws What `work` threw last when the lock stays, and the reason of the signal.
   */
  async whenFree(work) {
    const begun = this.#monotonic();
    for (let isFirst = true; ; isFirst = false) {
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || this.#monotonic() - begun >= LOCK_WAIT_MS) throw error;
      }
      if (isFirst) this.#onWait();
      this.signal?.throwIfAborted();
      await this.#sleep(PAUSE_MS, this.signal).catch((error) => {
        this.signal?.throwIfAborted();
        throw error;
      });
    }
  }
}
function isLocked(error) {
  return error instanceof Error && /\blocked\b|\bbusy\b/i.test(error.message);
}
export {
  LOCK_WAIT_MS,
  LockWait,
  isLocked
};
