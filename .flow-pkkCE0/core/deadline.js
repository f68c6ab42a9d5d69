import { onAbort } from "./abort-listener.js";
import { readMember } from "./odd-values.js";
class AbortFlag {
  #aborted = false;
  #reason;
  #listeners = null;
  #controller = null;
  get aborted() {
    return this.#aborted;
  }
  get reason() {
    return this.#reason;
  }
  abort(reason) {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason ?? new DOMException("This operation was aborted", "AbortError");
    this.#controller?.abort(this.#reason);
    const listeners = this.#listeners;
    this.#listeners = null;
    for (const listener of listeners ?? []) listener();
  }
  addEventListener(_type, listener) {
    if (this.#aborted) return;
    this.#listeners ??= /* @__PURE__ */ new Set();
    this.#listeners.add(listener);
  }
  removeEventListener(_type, listener) {
    this.#listeners?.delete(listener);
  }
  /** Nobody listens any more. */
  removeListeners() {
    this.#listeners = null;
  }
  /** A real AbortSignal that fires together with this flag. */
  get signal() {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}
const OUT_OF_TIME = { kind: "timeout" };
const CLOSED = { kind: "close" };
function isTimeLimit(reason) {
  return readMember(reason, "name") === "TimeoutError";
}
function endBySignal(signal) {
  return { kind: "signal", reason: readMember(signal, "reason") };
}
class DeadlineExceeded extends Error {
  reason;
  /** For events: why a request was not sent. */
  code;
  constructor(reason) {
    super(reason.kind);
    this.reason = reason;
    this.code = codeOf(reason);
  }
}
function codeOf(end) {
  if (end.kind === "close") return "CLOSED";
  return end.kind === "timeout" || isTimeLimit(end.reason) ? "TIMEOUT" : "ABORTED";
}
class Deadline extends AbortFlag {
  timers;
  #endReason = null;
  constructor(timers) {
    super();
    this.timers = timers;
  }
  /** Null until the deadline is exceeded. */
  get endReason() {
    return this.#endReason;
  }
  /** @throws {DeadlineExceeded} when nobody waits any more */
  throwIfExceeded() {
    if (this.aborted) throw this.reason;
  }
  /** Calls the listener when the deadline is exceeded, at once if it already is. The returned function removes the listener. */
  onExceeded(listener) {
    const tell = () => {
      if (this.#endReason !== null) listener(this.#endReason);
    };
    if (this.aborted) tell();
    else this.addEventListener("abort", tell);
    return () => this.removeEventListener("abort", tell);
  }
  /** Returns the outcome of the work, or rejects with DeadlineExceeded as soon as the deadline is exceeded. The work itself goes on. */
  within(work) {
    return new Promise((resolve, reject) => {
      const removeListener = this.onExceeded(() => reject(this.reason));
      work.then(
        (value) => {
          removeListener();
          resolve(value);
        },
        (error) => {
          removeListener();
          reject(error);
        }
      );
    });
  }
  /** Resolves after this many milliseconds, or rejects with DeadlineExceeded as soon as the deadline is exceeded. */
  wait(ms) {
    let cancel = () => {
    };
    const pause = new Promise((resolve) => {
      cancel = this.timers.after(ms, resolve);
    });
    return this.within(pause).finally(cancel);
  }
  exceed(reason) {
    if (this.aborted) return;
    this.#endReason = reason;
    this.abort(new DeadlineExceeded(reason));
  }
}
class CallDeadline extends Deadline {
  /** When the call was made, on the timers' clock. */
  startedAt;
  /** The begin of its time; null until it is sent. */
  #countsFrom;
  #timeoutMs;
  #signal;
  #cancelTimer = null;
  #onAbort = null;
  /** `fromSending`: the time of the call does not count before it is sent. */
  constructor(timeoutMs, signal, timers, fromSending = false) {
    super(timers);
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.startedAt = timers.now();
    this.#countsFrom = fromSending ? null : this.startedAt;
    if (signal?.aborted) {
      this.exceed(endBySignal(signal));
      return;
    }
    if (signal) {
      this.#onAbort = () => this.#exceedNow(endBySignal(signal));
      onAbort(signal, this.#onAbort);
    }
    if (!fromSending) this.#startTimer();
  }
  remainingMs() {
    if (this.aborted) return 0;
    return this.#countsFrom === null ? this.#timeoutMs : Math.max(0, this.#countsFrom + this.#timeoutMs - this.timers.now());
  }
  /** The call is about to be sent. */
  begin() {
    if (this.#countsFrom !== null || this.aborted) return;
    this.#countsFrom = this.timers.now();
    this.#startTimer();
  }
  #startTimer() {
    if (this.#timeoutMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.timers.after(this.#timeoutMs, () => this.#exceedNow(OUT_OF_TIME));
  }
  /** Ends the deadline when the call is over: no timer may stay behind, and no listener on a signal that lives on. */
  end() {
    this.#cancelTimer?.();
    if (this.#onAbort) this.#signal?.removeEventListener("abort", this.#onAbort);
    this.removeListeners();
  }
  /** Ends the wait: the client was closed. */
  close() {
    this.#exceedNow(CLOSED);
  }
  #exceedNow(reason) {
    this.exceed(reason);
    this.end();
  }
}
class GroupDeadline extends Deadline {
  #members;
  constructor(members, timers) {
    super(timers);
    this.#members = members;
  }
  remainingMs() {
    let most = 0;
    for (const member of this.#members()) most = Math.max(most, member.remainingMs());
    return most;
  }
  /** Ends the wait when the last caller has left. */
  abandon(reason) {
    this.exceed(reason);
  }
}
class OpenCalls {
  /** Those of the client that this one is a fork of: what ends them ends these too. A fork of a fork may go deep, so nothing calls itself. */
  #of;
  #calls = /* @__PURE__ */ new Set();
  /** The waits of watches: they have nothing to finish. */
  #ofWatches = /* @__PURE__ */ new Set();
  #isClosed = false;
  #onIdle = null;
  constructor(of = null) {
    this.#of = of;
  }
  /** True when no more calls are taken. */
  get isClosed() {
    for (let calls = this; calls; calls = calls.#of) if (calls.#isClosed) return true;
    return false;
  }
  add(deadline, isOfWatch) {
    for (let calls = this; calls; calls = calls.#of) {
      (isOfWatch ? calls.#ofWatches : calls.#calls).add(deadline);
    }
  }
  remove(deadline) {
    for (let calls = this; calls; calls = calls.#of) {
      calls.#ofWatches.delete(deadline);
      calls.#calls.delete(deadline);
      if (calls.#calls.size === 0) calls.#onIdle?.();
    }
  }
  /** Takes no more calls, and resolves when all have ended, after this many milliseconds at the latest. Ends watches at once. */
  async drain(ms, timers) {
    this.#isClosed = true;
    endAll(this.#ofWatches);
    if (this.#calls.size === 0 || ms <= 0) return;
    await new Promise((resolve) => {
      const cancel = timers.after(ms, resolve);
      const wasIdle = this.#onIdle;
      this.#onIdle = () => {
        wasIdle?.();
        cancel();
        resolve();
      };
    });
  }
  /** Takes no more calls, and ends those that are open, as an abort does. */
  close() {
    this.#isClosed = true;
    endAll(this.#ofWatches);
    endAll(this.#calls);
  }
}
function endAll(deadlines) {
  for (const deadline of [...deadlines]) deadline.close();
}
export {
  AbortFlag,
  CallDeadline,
  Deadline,
  DeadlineExceeded,
  GroupDeadline,
  OpenCalls,
  endBySignal,
  isTimeLimit
};
