import { onAbort } from "../core/abort-listener.js";
import { turnOfEventLoop } from "../core/real-time.js";
import { nullRows } from "../request/unwrap-result.js";
import { nextRows } from "../rows/list-rows.js";
import { ReadingPace } from "./reading-pace.js";
class ListSource {
  #list;
  #request;
  #notifier;
  #pace;
  #controller = new AbortController();
  #onAbort = () => this.stop(this.#list.signal?.reason);
  /** Of the last request. Those that wait when the answer is complete are given when it is known whether it is accepted. */
  #arriving = null;
  #isStarted = false;
  #isAnswered = false;
  #failure = null;
  /** Rows have been taken: the request cannot be sent again. */
  #hasGiven = false;
  /** Whether errors precede the rows, so that the caller gets them and no row; null while unknown. */
  #isRefused = null;
  #rows = 0;
  #nulls = 0;
  #wake = () => {
  };
  constructor(list, request, notifier, timers) {
    this.#list = list;
    this.#request = request;
    this.#notifier = notifier;
    this.#pace = new ReadingPace(timers);
  }
  // A list has no time up to which it is complete.
  beginning = "";
  completeUntil() {
    return null;
  }
  async next() {
    this.#start();
    for (; ; ) {
      const rows = this.#take();
      if (rows) {
        await turnOfEventLoop();
        return rows;
      }
      if (this.#failure) throw this.#failure.error;
      if (this.#isAnswered) {
        this.#warnOfNulls();
        return null;
      }
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }
  stop(reason) {
    this.#list.signal?.removeEventListener("abort", this.#onAbort);
    this.#controller.abort(reason);
  }
  #start() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { signal } = this.#list;
    if (signal) onAbort(signal, this.#onAbort);
    this.#request(this.#longList(), this.#controller.signal).then(
      () => this.#end(null),
      (error) => this.#end({ error })
    );
  }
  #longList() {
    const { maxBytes } = this.#list;
    return {
      expectedBytes: maxBytes,
      maxBytes,
      onArriving: (rows) => {
        this.#arriving = rows;
        this.#isRefused = null;
      },
      onBytes: () => this.#onBytes(),
      onWaitingCalls: () => this.#pace.hurry()
    };
  }
  #onBytes() {
    const arriving = this.#arriving;
    if (!arriving?.hasRows || this.#refuses(arriving)) return void 0;
    this.#wake();
    return this.#pace.hold(arriving.unreadBytes);
  }
  /** A call without `partial` fails when the answer has errors: then nobody gets rows that come after them. */
  #refuses({ head }) {
    this.#isRefused ??= !this.#list.partial && hasErrors(head);
    return this.#isRefused;
  }
  #take() {
    for (; ; ) {
      const rows = this.#nextBatch();
      if (rows === null) return null;
      this.#hasGiven = true;
      this.#rows += rows.length;
      if (!rows.includes(null)) return rows;
      const withoutNulls = rows.filter((row) => row !== null);
      this.#nulls += rows.length - withoutNulls.length;
      if (withoutNulls.length > 0) return withoutNulls;
    }
  }
  #nextBatch() {
    const arriving = this.#arriving;
    if (!arriving || this.#isRefused) return null;
    if (arriving.isComplete) {
      if (!this.#isAnswered && !this.#failure) return null;
    } else if (!arriving.hasRows || this.#refuses(arriving)) return null;
    const rows = nextRows(arriving, this.#list.name);
    this.#pace.read(arriving.unreadBytes);
    return rows;
  }
  /** The request is over. Rows of a complete answer are still given, unless the caller gets an error and no row at all. */
  #end(failure) {
    this.#list.signal?.removeEventListener("abort", this.#onAbort);
    this.#isAnswered = failure === null;
    this.#failure ??= failure;
    if (!this.#arriving?.isComplete || failure && !this.#hasGiven) this.#arriving = null;
    this.#pace.hurry();
    this.#wake();
  }
  #warnOfNulls() {
    const { name } = this.#list;
    if (this.#nulls === 0) return;
    this.#notifier.warning(nullRows(name, this.#nulls, this.#rows));
    this.#nulls = 0;
  }
}
function hasErrors(head) {
  try {
    const { errors } = JSON.parse(`${head}]}}`);
    return Array.isArray(errors) && errors.length > 0;
  } catch {
    return false;
  }
}
export {
  ListSource
};
