import { pauseAfter } from "../../core/growing-pause.js";
import { isPassing } from "../../core/http-status.js";
const FIRST_WAIT_MS = 1e3;
const LONGEST_WAIT_MS = 6e4;
const SHORTEST_ANSWER_MS = 1e4;
const LONGEST_ANSWER_MS = 3e4;
const ONCE = { attempts: 1 };
function pollOptions(everyMs, timeoutMs) {
  if (timeoutMs !== void 0) return { retry: ONCE, timeoutMs };
  const attemptTimeoutMs = Math.min(Math.max(everyMs, SHORTEST_ANSWER_MS), LONGEST_ANSWER_MS);
  return { retry: ONCE, timeoutMs: LONGEST_ANSWER_MS, attemptTimeoutMs };
}
async function* poll(everyMs, request, { now, serviceNow, random, pause }) {
  let since = { machine: now(), service: serviceNow() };
  let failures = 0;
  let hasAnswered = false;
  for (; ; ) {
    let event;
    try {
      const received = await request();
      const { receivedAt, at } = received;
      const outage = failures === 0 ? null : { since: since.service, ms: receivedAt - since.machine };
      event = { kind: "answer", ...received, outage };
      since = { machine: receivedAt, service: at };
      failures = 0;
      hasAnswered = true;
    } catch (error) {
      if (!isOutage(error, hasAnswered)) throw error;
      failures++;
      const longest = pauseAfter(failures, { firstMs: FIRST_WAIT_MS, longestMs: Math.max(LONGEST_WAIT_MS, everyMs) });
      const waitMs = longest * (0.5 + random() / 2);
      event = { kind: "failure", error, since: since.service, at: serviceNow(), failures, waitMs };
    }
    yield event;
    const left = event.kind === "failure" ? event.waitMs : event.receivedAt + everyMs - now();
    await pause(event.kind === "failure" ? left : Math.min(Math.max(0, left), everyMs));
  }
}
function isOutage(error, hasAnswered) {
  if (!(error instanceof Error)) return false;
  const { code, retryable, status } = error;
  if (retryable === true) return true;
  if (code === "HTTP") return typeof status === "number" && isPassing(status);
  if (code === "NETWORK") return hasAnswered || retryable === void 0;
  return hasAnswered && (code === "GRAPHQL" || code === "PROTOCOL");
}
export {
  poll,
  pollOptions
};
