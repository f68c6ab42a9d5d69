import { AbortError } from "../core/errors.js";
class Renewal {
  /** What the callers get: the session that the work ends with, or another one that they can go on with before. */
  result;
  work;
  #left = new AbortController();
  #onAbandoned;
  #callers = 0;
  #isWaiting = true;
  #answer = () => void 0;
  /** `onAbandoned` is called when the last caller has left while it still waits for the lock. */
  constructor(work, onAbandoned) {
    this.#onAbandoned = onAbandoned;
    const early = new Promise((resolve) => {
      this.#answer = resolve;
    });
    this.work = work(this);
    this.result = Promise.race([early, this.work]);
    this.work.catch(() => void 0);
    this.result.catch(() => void 0);
  }
  /** Fires when the last caller has left while it still waits for the lock. */
  get signal() {
    return this.#left.signal;
  }
  /** Without a deadline the caller never leaves. */
  join(deadline) {
    this.#callers++;
    deadline?.onExceeded(() => {
      this.#callers--;
      if (this.#callers === 0) this.abandon();
    });
  }
  /** Gives up the wait for the lock; work that has begun goes on. */
  abandon() {
    if (!this.#isWaiting || this.#left.signal.aborted) return;
    this.#onAbandoned();
    this.#left.abort(new AbortError("The wait for the lock of the session was given up: nobody needed it any more."));
  }
  /** The lock is held: from now on the work goes on without callers. */
  begin() {
    this.#isWaiting = false;
  }
  /** Lets the callers go on with this session while the work continues. */
  answer(session) {
    this.#answer(session);
  }
}
export {
  Renewal
};
