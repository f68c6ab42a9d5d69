import { endBySignal, isTimeLimit } from "./deadline.js";
import { messageOf } from "./error-messages.js";
import { AbortError, ClosedError, TimeoutError } from "./errors.js";
const SENT = { waitedFor: null, isSentBefore: false };
function endFacts(end, unsent) {
  if (end.kind === "close") return { kind: "closed", ...unsent ?? SENT };
  if (end.kind === "signal" && !isTimeLimit(end.reason)) return { kind: "aborted", ...unsent ?? SENT };
  const limit = end.kind === "signal" ? "signal" : "timeoutMs";
  return unsent === null ? { kind: "timeRanOut", limit } : { kind: "notSentInTime", ...unsent, limit };
}
function endError(end, call, unsent = null) {
  const facts = endFacts(end, unsent);
  const details = { ...call, facts, ...end.kind === "signal" ? { cause: end.reason } : {} };
  const message = messageOf(facts, { ...call, responseId: null });
  switch (facts.kind) {
    case "closed":
      return new ClosedError(message, details);
    case "aborted":
      return new AbortError(message, details);
    case "timeRanOut":
      return new TimeoutError(message, details);
    case "notSentInTime":
      return new TimeoutError(message, { ...details, waitedFor: facts.waitedFor });
  }
}
function errorOfSignal(signal, call) {
  return endError(endBySignal(signal), call);
}
export {
  endError,
  endFacts,
  errorOfSignal
};
