import { aliasOf, areAllNamed, splitAnswer } from "../contract/selection/merge.js";
import { messageOf } from "../core/error-messages.js";
import { AmbiguousMutationError, errorForCaller, FleetError, GateError, HeadersError } from "../core/errors.js";
import { isRateLimited, isTransient } from "../core/http-status.js";
import { answerField } from "./batch.js";
import { FailedRequest } from "./failure-error.js";
import { lastRequestOf } from "./retry.js";
const NO_RESEND = { fields: [], why: "field" };
function demultiplexAnswer(batch, answer, learner) {
  const fields = batch.sent;
  const parts = splitAnswer(rootFields(fields), answer);
  if (!parts) return { fields, why: "refused" };
  const resend = [];
  let succeeded = 0;
  for (const [index, field] of fields.entries()) {
    const part = parts[index];
    if (part === void 0 || part === "alone") resend.push(field);
    else {
      if (part.errors.length === 0) succeeded++;
      answerField(field, part, answer, answer.lists?.get(aliasOf(index)), batch.progress.attempts);
    }
  }
  if (succeeded > 0) learner.succeeded(succeeded);
  return { fields: resend, why: "field" };
}
function demultiplexFailure(batch, error) {
  const fields = batch.sent;
  if (fields.length > 1 && error instanceof FailedRequest && mayBeOfOneField(error.failure, fields.length)) {
    return { fields, why: isRefusalOfDocument(error.failure) ? "refused" : "trouble" };
  }
  for (const { members } of fields) for (const member of members) member.reject(errorFor(error, batch, member));
  return NO_RESEND;
}
function errorFor(error, { progress }, { call, attemptsBefore, trace }) {
  const { name, kind } = call;
  if (error instanceof FailedRequest) return error.errorFor(name, attemptsBefore);
  const details = { operation: name, attempts: attemptsBefore + progress.attempts, ...lastRequestOf(progress, trace) };
  if (kind === "mutation" && progress.inDoubt) {
    const because = error instanceof FleetError ? error.facts : null;
    const facts = { kind: "inDoubt", status: progress.lastFailure?.status ?? null, because };
    return new AmbiguousMutationError(messageOf(facts, details), {
      ...details,
      facts,
      status: facts.status,
      cause: error
    });
  }
  if (error instanceof GateError || error instanceof HeadersError) {
    return error.operation === null ? Object.assign(errorForCaller(error), details) : error;
  }
  if (error instanceof FleetError) return error;
  return new GateError(
    `The gate of the client failed, so ${name} ${details.attempts === 0 ? "was not sent" : "has no answer"}: error.cause is what it threw. Make the call again when the gate works.`,
    { ...details, cause: error }
  );
}
function mayBeOfOneField(failure, fields) {
  switch (failure.kind) {
    case "status":
      return failure.status !== 401 && !isRateLimited(failure.status) && !isTransient(failure.status);
    case "malformed":
    case "tooLarge":
      return true;
    case "unauthorized":
      return !areAllNamed(fields, failure.errors);
    case "disconnected":
    case "truncated":
    case "unreachable":
    case "redirected":
    case "fault":
      return false;
  }
}
function isRefusalOfDocument(failure) {
  return failure.kind === "unauthorized" || failure.kind === "status" && REFUSALS_OF_DOCUMENT.includes(failure.status);
}
const REFUSALS_OF_DOCUMENT = [400, 413, 414, 422];
function rootFields(fields) {
  return fields.flatMap(({ call: { field } }) => field ? [field] : []);
}
export {
  NO_RESEND,
  demultiplexAnswer,
  demultiplexFailure
};
