import { messageOf } from "../core/error-messages.js";
import { AmbiguousMutationError } from "../core/errors.js";
import { endError, endFacts } from "../core/wait-end.js";
import { lastRequestOf } from "./retry.js";
function deadlineError(end, { call, attemptsBefore, batch, trace }) {
  const { attempts: sent = 0, inDoubt = false, lastFailure = null, needsToken = false } = batch?.progress ?? {};
  const attempts = attemptsBefore + sent;
  const details = { operation: call.name, attempts, ...lastRequestOf(batch?.progress ?? null, trace) };
  if (batch === null) return endError(end, details);
  const isAnswered = end.kind === "timeout" && lastFailure !== null;
  if (inDoubt && call.kind === "mutation") {
    return isAnswered ? lastFailure.errorFor(call.name, attemptsBefore) : inDoubtError(end, lastFailure, details);
  }
  if (attempts === 0 || needsToken) {
    return unsentError(end, details, batch?.progress.waitedFor?.() ?? { text: OTHER_CALLS });
  }
  return isAnswered ? lastFailure.errorFor(call.name, attemptsBefore) : endError(end, details);
}
const OTHER_CALLS = "other calls of the same user were still under way";
function inDoubtError(end, answered, call) {
  const status = answered?.status ?? null;
  const facts = { kind: "inDoubt", status, because: endFacts(end, null) };
  const cause = end.kind === "signal" ? end.reason : endError(end, call);
  return new AmbiguousMutationError(messageOf(facts, call), { ...call, facts, status, cause });
}
function unsentError(end, call, { text: waitedFor, refusal }) {
  if (end.kind === "timeout" && refusal) return refusal;
  return endError(end, call, { waitedFor, isSentBefore: (call.attempts ?? 0) > 0 });
}
export {
  deadlineError,
  unsentError
};
