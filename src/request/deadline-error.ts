// The error for a caller that stops waiting: what had happened to its call by then, and whether a change may have been made.
import { AbortError, AmbiguousMutationError, type FleetError, TimeoutError } from '../core/errors.js';
import type { WaitingCaller } from './batch.js';
import type { EndReason } from './deadline.js';
import type { WaitedFor } from './progress.js';

export function deadlineError(reason: EndReason, { call, attemptsBefore, batch }: WaitingCaller): FleetError {
  const { attempts: sent = 0, inDoubt = false, lastFailure = null, needsToken = false } = batch?.progress ?? {};
  const attempts = attemptsBefore + sent;
  const details = { operation: call.name, attempts };
  if (inDoubt && call.kind === 'mutation') {
    // Between two requests, the answer to the last one is known.
    if (lastFailure) return lastFailure.errorFor(call.name, attemptsBefore);
    const why = reason === 'timeout' ? 'its time (timeoutMs) ran out' : 'it was aborted';
    return new AmbiguousMutationError(
      `${call.name} was sent, but ${why} before the answer arrived: the change may or may not have been made. Check whether it was before you send it again.`,
      details,
    );
  }
  if (attempts === 0 || needsToken)
    return unsentError(reason, details, batch?.progress.waitedFor?.() ?? { text: OTHER_CALLS });
  if (reason === 'abort') return new AbortError(`${call.name} was aborted.`, details);
  // Between two requests the last failure says more than the clock.
  if (lastFailure) return lastFailure.errorFor(call.name, attemptsBefore);
  return new TimeoutError(
    `The time for ${call.name} (timeoutMs) ran out before the answer arrived. Allow more time, or ask for less.`,
    details,
  );
}

const OTHER_CALLS = 'other calls of the same user were still under way';

/** For a call of which nothing was sent, or only with a token that was refused; `waitedFor` says what it was waiting for. */
export function unsentError(
  reason: EndReason,
  details: { readonly operation: string; readonly attempts?: number },
  { text: waitedFor, refusal }: WaitedFor,
): FleetError {
  // What the service said is told however short before the deadline it said it.
  if (reason === 'timeout' && refusal) return refusal;
  const { operation, attempts = 0 } = details;
  const sent = attempts === 0 ? 'sent' : 'sent with a new token';
  return reason === 'abort'
    ? new AbortError(`${operation} was aborted before it was ${sent}: ${waitedFor}.`, details)
    : new TimeoutError(
        `The time for ${operation} (timeoutMs) ran out before it could be ${sent}: ${waitedFor}. Allow more time, or make fewer calls at once.`,
        { ...details, waitedFor },
      );
}
