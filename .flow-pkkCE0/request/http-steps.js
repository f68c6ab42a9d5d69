import { HeadersError } from "../core/errors.js";
import { allHeaders, NO_HEADERS } from "../transport/response-headers.js";
import { reasonOf } from "./failure-error.js";
import { reported } from "./observe.js";
import { headersProblem, withTracing } from "./request-headers.js";
function sendThrough({ steps, notifier, timers }, { event, target, deadline, added, contract }, exchange) {
  if (event === null) return exchange({ ...added, ...contract });
  const send = (headers) => {
    const all = { ...headers, ...contract };
    return reported(notifier, timers, event, target, (tracing) => exchange(withTracing(tracing, all)));
  };
  if (steps.length === 0) return send(added);
  return throughSteps(steps, { ...event, ...target, headers: { ...added } }, deadline, timers, send);
}
function throughSteps(steps, request, deadline, timers, send) {
  return new Promise((resolve, reject) => {
    let isSent = false;
    let isOver = false;
    const refuse = (error) => {
      if (isSent) return;
      isOver = true;
      reject(error);
    };
    const sendOnce = async ({ headers }) => {
      if (isSent || isOver) throw stepError(request, "The request of this step is over: next sends it once.");
      const problem = headersProblem(headers, "A request that a step of use() hands on");
      if (problem !== null) refuse(stepError(request, `${problem}. The request was not sent.`));
      if (isOver) throw stepError(request, "The request was not sent.");
      isSent = true;
      const startedAt = timers.now();
      const sending = send(lowerCased(headers));
      sending.then(resolve, reject);
      return answerOf(await sending, timers.now() - startedAt);
    };
    const watched = (next) => (one) => {
      const answer = next(one);
      answer.catch(() => void 0);
      return answer;
    };
    const first = steps.reduceRight(
      (next, step) => watched(async (one) => step(one, next)),
      watched(sendOnce)
    );
    const removeListener = deadline.onExceeded(() => refuse(deadline.reason));
    const unsent = "A step of use() ended without a call of next, so the request was not sent.";
    const failed = "A step of use() failed, so the request was not sent: error.cause is what it threw.";
    first(request).then(
      () => refuse(stepError(request, unsent)),
      (cause) => refuse(stepError(request, failed, cause))
    ).finally(removeListener);
  });
}
function lowerCased(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
function answerOf(outcome, durationMs) {
  const { response } = outcome;
  return {
    status: response?.status ?? null,
    headers: response ? allHeaders(response.headers) : NO_HEADERS,
    durationMs,
    reason: "failure" in outcome ? reasonOf(outcome.failure) : null
  };
}
function stepError({ kind, operations }, message, cause) {
  const operation = kind === "login" ? operations[0] ?? null : null;
  return new HeadersError(message, cause === void 0 ? { operation, retryable: false } : { operation, cause });
}
export {
  sendThrough
};
