import { pauseAfter } from "../core/growing-pause.js";
import { isRateLimited, isServerError, isTransient } from "../core/http-status.js";
import { retryAfterMs } from "../transport/retry-after.js";
const RETRY_FOR_MS = 4e4;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5e3;
function retryPolicy(options) {
  const {
    attempts = Number.POSITIVE_INFINITY,
    forMs = RETRY_FOR_MS,
    baseDelayMs = FIRST_DELAY_MS,
    maxDelayMs = MAX_DELAY_MS
  } = options || {};
  return { attempts, forMs, baseDelayMs, maxDelayMs, enabled: options !== false };
}
const STOP = { action: "stop" };
const REPLACE_TOKEN = { action: "replaceToken" };
function decideRetry(failure, call, tries, conditions) {
  const isSafe = call.kind !== "mutation" || call.idempotent;
  const again = () => retryFailure(failure, call, tries, conditions);
  switch (failure.kind) {
    case "unauthorized":
      if (failure.mayHaveRun && !isSafe) return STOP;
      return tries.tokenReplaced || call.kind === "login" ? STOP : REPLACE_TOKEN;
    case "unreachable":
      return failure.retryable ? again() : STOP;
    case "disconnected":
    case "truncated":
      return isSafe ? again() : STOP;
    case "tooLarge":
    case "redirected":
    case "fault":
      return STOP;
    case "malformed":
      return STOP;
    case "status":
      if (failure.status === 401 && call.kind !== "login") return tries.tokenReplaced ? STOP : REPLACE_TOKEN;
      if (failure.status === 403 && isSafe && tries.mayHaveLostToken) return tries.tokenReplaced ? STOP : REPLACE_TOKEN;
      if (isRateLimited(failure.status)) return retryRateLimited(failure.retryAfter, call, tries, conditions);
      return isSafe && (isTransient(failure.status) || isServerError(failure.status)) ? again() : STOP;
  }
}
function retryFailure(failure, call, tries, conditions) {
  if (!conditions.policy.enabled || isSpent(failure, tries, conditions)) return STOP;
  const retryAfter = failure.kind === "status" ? failure.retryAfter : null;
  return wait(pauseOf(retryAfter, failures(tries), conditions), call, conditions);
}
const SERVER_ERROR_ATTEMPTS = 3;
const LOST_CONNECTION_ATTEMPTS = 5;
function isSpent(failure, tries, { policy, hasAnswered }) {
  if (failures(tries) >= policy.attempts) return true;
  const isDown = failure.kind === "status" ? isTransient(failure.status) : failure.kind === "unreachable" && hasAnswered;
  if (isDown) return tries.failingForMs >= policy.forMs;
  return tries.alike >= (failure.kind === "status" ? SERVER_ERROR_ATTEMPTS : LOST_CONNECTION_ATTEMPTS);
}
function failures({ attempts, rateLimited }) {
  return attempts - rateLimited;
}
function retryRateLimited(retryAfter, call, { rateLimited }, conditions) {
  if (!conditions.policy.enabled) return STOP;
  return wait(pauseOf(retryAfter, rateLimited, conditions), call, conditions);
}
function pauseOf(retryAfter, repeats, conditions) {
  return Math.max(retryAfterMs(retryAfter, conditions.wallTime) ?? 0, backOff(repeats, conditions));
}
function backOff(repeats, { policy, random }) {
  return random() * pauseAfter(repeats, { firstMs: policy.baseDelayMs, longestMs: policy.maxDelayMs });
}
const SHORTEST_REMAINING_MS = 20;
const LONGEST_PART = 0.9;
const MUTATION_ANSWER_MS = 250;
const ANSWER_MARGIN = 3;
const LONGEST_ANSWER_MS = 1e3;
function wait(ms, { kind }, { remainingMs, answerMs }) {
  const least = kind === "mutation" ? MUTATION_ANSWER_MS : SHORTEST_REMAINING_MS;
  const leave = Math.max(least, Math.min(LONGEST_ANSWER_MS, answerMs * ANSWER_MARGIN));
  if (remainingMs <= leave) return STOP;
  return { action: "wait", ms: Math.min(ms, remainingMs * LONGEST_PART, remainingMs - leave) };
}
export {
  decideRetry,
  retryPolicy
};
