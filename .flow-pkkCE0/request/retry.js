import { isRateLimited, isTransient } from "../core/http-status.js";
import { FailedRequest, reasonOf } from "./failure-error.js";
import { reportRetry } from "./observe.js";
import { RetryBudget } from "./retry-budget.js";
import { decideRetry } from "./retry-policy.js";
class CallProgress {
  /** Requests sent so far, and connections that could not be made. */
  attempts = 0;
  /** Whether a request may have arrived whose outcome is unknown. */
  inDoubt = false;
  /** A request is under way: its first byte has left, and its response is not complete. */
  isOnWire = false;
  /** When the first byte of the last request left, on the timers' clock; null when it has not left. */
  leftAt = null;
  /** Why the call waits to be sent again. */
  lastFailure = null;
  /** The last 429, 503 or the like, whatever has been sent since. */
  lastRefusal = null;
  /** The last request was refused because of its token: the call waits for another one to be sent with. */
  needsToken = false;
  /** The token of the last request. */
  token = "";
  /** The token that is to be replaced before the next request. */
  refusedToken = null;
  /** The event of the last request; null when nobody wants to know of it. */
  event = null;
  /** What keeps the call from being sent. Not set: other calls of the same user. */
  waitedFor = null;
  /**
   * Notes that the first byte leaves. Call it right before that.
   * @throws {DeadlineExceeded} when nothing may be sent any more: the callers have their errors, which know only of earlier requests.
   */
  leaves(deadline, now) {
    deadline.throwIfExceeded();
    this.leftAt = now;
    this.attempts++;
    this.inDoubt = true;
    this.isOnWire = true;
    this.lastFailure = null;
    this.needsToken = false;
  }
}
function lastRequestOf(progress, trace) {
  const requestId = progress?.event?.requestId ?? trace?.requestIds.at(-1) ?? null;
  return { requestId, responseId: progress?.lastFailure?.ids.responseId ?? null };
}
class ServiceHealth {
  #timers;
  #budget = null;
  hasAnswered = false;
  /** The last token that the service accepted. */
  #accepted = "";
  /** A new token did not help against a 403. */
  #isAboutRights = false;
  constructor(timers) {
    this.#timers = timers;
  }
  /** How many repeats may be sent. Made with the first failure: until then nothing is spent. */
  get budget() {
    this.#budget ??= new RetryBudget(this.#timers);
    return this.#budget;
  }
  succeeded(token) {
    this.hasAnswered = true;
    this.#accepted = token;
    this.#budget?.succeeded();
  }
  /** Returns true where a 403 may mean that the service has lost this token. */
  mayHaveLost(token) {
    return token !== "" && token === this.#accepted && !this.#isAboutRights;
  }
  /** A token that is new was refused with 403 as the one before. */
  isForbidden() {
    this.#isAboutRights = true;
  }
}
function retry({
  policy,
  health,
  timers,
  random,
  wallClock,
  notifier,
  turns
}) {
  return async (request, next) => {
    const { call, deadline, progress } = request;
    let count = null;
    for (; ; ) {
      const startedAt = timers.now();
      progress.leftAt = null;
      const outcome = await next(request);
      progress.isOnWire = false;
      if ("value" in outcome) {
        health.succeeded(progress.token);
        return outcome.value;
      }
      const { failure, isPartlyRead = false } = outcome;
      const isAnswer = failure.kind === "status" || failure.kind === "unauthorized";
      if (isAnswer) health.hasAnswered = true;
      if (progress.leftAt === null) {
        deadline.throwIfExceeded();
        progress.attempts++;
      }
      count ??= new TryCount(timers.now());
      const counted = count.failed(failure, progress.leftAt !== null, timers.now());
      const tries = { ...counted, mayHaveLostToken: health.mayHaveLost(progress.token) };
      if (failure.kind === "status" && failure.status === 403 && tries.tokenReplaced) health.isForbidden();
      progress.inDoubt = count.mayHaveRun;
      const decision = decideRetry(failure, call, tries, {
        policy: request.policy(policy),
        random,
        wallTime: wallClock.now(),
        hasAnswered: health.hasAnswered,
        answerMs: timers.now() - (progress.leftAt ?? startedAt),
        remainingMs: deadline.remainingMs()
      });
      const inDoubt = count.mayHaveRun && call.kind === "mutation";
      const ids = { requestId: progress.event?.requestId ?? null, responseId: outcome.responseId?.() ?? null };
      const failed = new FailedRequest(failure, progress.attempts, inDoubt, wallClock.now(), turns.among, ids);
      progress.lastFailure = failed;
      const isQueued = failure.kind === "status" && isRateLimited(failure.status);
      if (isQueued || failure.kind === "status" && isTransient(failure.status)) progress.lastRefusal = failed;
      if (decision.action === "stop" || isPartlyRead) throw failed;
      const pauseMs = decision.action === "wait" ? decision.ms : 0;
      tell(request, failure, pauseMs);
      if (decision.action === "replaceToken") {
        count.tokenReplaced = true;
        progress.needsToken = true;
        progress.refusedToken = progress.token;
        continue;
      }
      if (isQueued) turns.pause?.(request, pauseMs);
      await deadline.wait(pauseMs);
      if (!isQueued) await health.budget.take(deadline);
    }
  };
  function tell(request, failure, waitMs) {
    const { progress } = request;
    if (progress.event === null) return;
    const { merged: _, ...event } = progress.event;
    request.inContext(
      () => reportRetry(notifier, { ...event, attempt: progress.attempts, reason: reasonOf(failure), waitMs })
    );
  }
}
class TryCount {
  #failedAt;
  #alike = /* @__PURE__ */ new Map();
  #attempts = 0;
  #rateLimited = 0;
  tokenReplaced = false;
  /** An earlier request may have arrived. Only an idempotent call goes on after one. */
  mayHaveRun = false;
  constructor(now) {
    this.#failedAt = now;
  }
  failed(failure, hasLeft, now) {
    this.#attempts++;
    const kind = failure.kind === "status" ? String(failure.status) : failure.kind;
    const alike = (this.#alike.get(kind) ?? 0) + 1;
    this.#alike.set(kind, alike);
    if (failure.kind === "status" && isRateLimited(failure.status)) this.#rateLimited++;
    this.mayHaveRun ||= hasLeft && mayHaveArrived(failure);
    return {
      attempts: this.#attempts,
      rateLimited: this.#rateLimited,
      alike,
      failingForMs: now - this.#failedAt,
      tokenReplaced: this.tokenReplaced
    };
  }
}
function mayHaveArrived(failure) {
  if (failure.kind === "status") return failure.status >= 500 || isTransient(failure.status);
  return failure.kind === "unauthorized" ? failure.mayHaveRun : failure.kind !== "unreachable";
}
export {
  CallProgress,
  ServiceHealth,
  lastRequestOf,
  retry
};
