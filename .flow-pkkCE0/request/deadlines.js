import { CallDeadline, DeadlineExceeded, OpenCalls } from "../core/deadline.js";
import { messageOf } from "../core/error-messages.js";
import { ClosedError, errorForCaller, FleetError } from "../core/errors.js";
import { unsentError } from "./deadline-error.js";
const CALL_TIMEOUT_MS = 6e4;
class Deadlines {
  #options;
  /** What a caller waits for whose call is in no queue yet. */
  #waitedFor;
  /** Those of all clients of the login. */
  calls = new OpenCalls();
  constructor(options, waitedFor) {
    this.#options = options;
    this.#waitedFor = waitedFor;
  }
  /** The step. */
  limit = (request, next) => this.during(request.call.name, request, (deadline) => next({ ...request, deadline }));
  /** Runs a task under a deadline of its own. When that, or anything else, ends it, the error is one of this operation. */
  async during(operation, waiting, task) {
    if ((waiting.calls ?? this.calls).isClosed) {
      const facts = { kind: "closed", waitedFor: null, isSentBefore: false };
      throw new ClosedError(messageOf(facts, { operation }), { operation, facts });
    }
    try {
      return await this.within(waiting, task);
    } catch (error) {
      const told = error instanceof DeadlineExceeded ? unsentError(error.reason, { operation }, this.#waitedFor()) : error;
      throw told instanceof FleetError ? errorForCaller(told, this.#messageOf(told)) : told;
    }
  }
  /** The same for work that has no caller of its own: it rejects with DeadlineExceeded. */
  async within({ timeoutMs, signal, calls = this.calls, isOfWatch = false, fromSending }, task) {
    const deadline = new CallDeadline(timeoutMs ?? this.#options.timeoutMs, signal, this.#options.timers, fromSending);
    calls.add(deadline, isOfWatch);
    try {
      return await task(deadline);
    } finally {
      deadline.end();
      calls.remove(deadline);
    }
  }
  /** Ends watches, and waits until the calls have ended; no more are taken. */
  drain(calls, ms) {
    return calls.drain(ms, this.#options.timers);
  }
  #messageOf(error) {
    return this.#options.exposeServiceMessages ? messageWithServiceWords(error) : error.message;
  }
}
const MOST_CHARACTERS = 1e3;
function messageWithServiceWords(error) {
  const said = wordsIn(error) ?? wordsIn(error.cause);
  return said === null ? error.message : `${error.message} The service said: ${said}`;
}
function wordsIn(error) {
  if (!FleetError.is(error) || error.code !== "GRAPHQL" && error.code !== "HTTP") return null;
  if (error.serviceErrors.length === 0) return null;
  const said = error.serviceErrors.map(({ message }) => message).join("; ");
  return said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS)}\u2026` : said;
}
export {
  CALL_TIMEOUT_MS,
  Deadlines
};
