import { onAbort } from "../core/abort-listener.js";
import { AbortFlag, CallDeadline } from "../core/deadline.js";
import { isRateLimited, isServerError, isTransient } from "../core/http-status.js";
import { endError } from "../core/wait-end.js";
import { withAttemptTimeout } from "../transport/attempt-timeout.js";
import { responseIdOf } from "../transport/response-id.js";
import { retryAfterOf } from "../transport/retry-after.js";
import { failureOf } from "./failure.js";
import { FailedRequest } from "./failure-error.js";
import { sendThrough } from "./http-steps.js";
import { programHeaders } from "./request-headers.js";
import { CallProgress, lastRequestOf, retry } from "./retry.js";
const LOGIN_ATTEMPT_TIMEOUT_MS = 1e4;
const REFRESH_ATTEMPT_TIMEOUT_MS = 25e3;
const REFRESH_TIMEOUT_MS = 3e4;
const LEFT_REFRESH_MS = 8e3;
function loginRequests({ sending, retrying, timeoutMs, pending, closing }) {
  const { timers } = sending;
  const sendAgain = retry(retrying);
  const sendOnce = sender(sending);
  return async (request) => {
    const isRefresh = request.step === "refresh";
    const patienceMs = isRefresh ? Math.max(timeoutMs, REFRESH_TIMEOUT_MS) : timeoutMs;
    const deadline = new CallDeadline(patienceMs, void 0, timers);
    const close = () => deadline.close();
    if (closing.aborted) close();
    else onAbort(closing, close);
    const progress = new CallProgress();
    const giveUp = new AbortFlag();
    let cancelGrace = () => {
    };
    deadline.onExceeded(() => {
      const end = () => giveUp.abort(deadline.reason);
      if (isRefresh && progress.isOnWire) cancelGrace = timers.after(LEFT_REFRESH_MS, end, { inRealTime: true });
      else end();
    });
    const login = {
      request,
      call: { kind: "login", idempotent: true },
      deadline,
      progress,
      giveUp,
      policy: (ofClient) => request.isEarly ? { ...ofClient, enabled: false } : ofClient,
      inContext: (task) => task()
    };
    try {
      return await pending.during({ step: request.step, progress }, () => sendAgain(login, sendOnce));
    } catch (error) {
      throw errorOf(error, login);
    } finally {
      cancelGrace();
      closing.removeEventListener("abort", close);
      deadline.end();
    }
  };
}
function errorOf(error, { request: { step }, deadline, progress }) {
  const { endReason } = deadline;
  if (endReason === null) return error instanceof FailedRequest ? error.errorFor(step) : error;
  const refusal = (progress.lastRefusal ?? progress.lastFailure)?.errorFor(step);
  if (endReason.kind === "timeout" && refusal) return refusal;
  return endError(endReason, { operation: step, attempts: progress.attempts, ...lastRequestOf(progress) });
}
function sender(sending) {
  const { baseUrl, http, responseLimit: limit, serviceClock, timers, notifier, addedHeaders } = sending;
  return (login) => {
    const { request, deadline, progress } = login;
    deadline.throwIfExceeded();
    progress.event = eventOf(request, progress.attempts + 1);
    const { event } = progress;
    const { path, init } = request;
    const target = { method: init.method, url: `${baseUrl}${path}`, path };
    const added = programHeaders(addedHeaders, event);
    const contract = { ...addedHeaders.agent, ...init.headers };
    return sendThrough(sending, { event, target, deadline, added, contract }, (headers) => exchange(login, headers));
  };
  function eventOf({ step }, attempt) {
    if (!addedHeaders.ofRequest && sending.steps.length === 0 && !sending.isObserved()) return null;
    const { label } = notifier;
    const which = { requestId: notifier.newId(), label, user: null, callIds: [], operations: [step] };
    return { ...which, kind: "login", attempt, merged: 1, waitMs: 0 };
  }
  async function exchange({ request: { step, path, init }, deadline, progress, giveUp }, headers) {
    const attemptTimeoutMs = step === "refresh" ? REFRESH_ATTEMPT_TIMEOUT_MS : LOGIN_ATTEMPT_TIMEOUT_MS;
    const fetch = withAttemptTimeout(http.fetch.bind(http), timers, attemptTimeoutMs);
    let sentAt = 0;
    const beforeSend = () => {
      progress.leaves(deadline, timers.now());
      sentAt = serviceClock.localNow();
    };
    let response = null;
    const responseId = () => response && responseIdOf(response, [init.body, init.headers.authorization?.replace(/^Bearer /, "")]);
    try {
      response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal: giveUp, beforeSend, limit });
      const { status } = response;
      serviceClock.observe(response, sentAt);
      const text = await response.text();
      const bytes = response.bytes ?? Buffer.byteLength(text);
      if (isRateLimited(status) || isTransient(status) || isServerError(status)) {
        const failure = { kind: "status", status, retryAfter: retryAfterOf(response), errors: [] };
        return { failure, response, bytes, responseId };
      }
      const challenge = response.headers.get("www-authenticate");
      const ids = { requestId: progress.event?.requestId ?? null, responseId: responseId() };
      return {
        value: { status, text, challenge, sentAt, attempts: progress.attempts, ids },
        response,
        bytes,
        responseId
      };
    } catch (error) {
      const failure = failureOf(error, response?.status ?? null, baseUrl.startsWith("http:"));
      return { failure, response, bytes: response?.bytes ?? null, responseId };
    }
  }
}
export {
  LOGIN_ATTEMPT_TIMEOUT_MS,
  loginRequests
};
