// The error for a caller that stops waiting: what had happened to its call by then, and whether a change may have been made.
import { AbortError, AmbiguousMutationError, type FleetError, TimeoutError } from '../core/errors.js';
import type { WaitingCaller } from './batch.js';
import type { EndReason } from './deadline.js';
import type { WaitedFor } from './retry.js';

export function deadlineError(reason: EndReason, { call, attemptsBefore, batch }: WaitingCaller): FleetError {
  const { attempts: sent = 0, inDoubt = false, lastFailure = null } = batch?.progress ?? {};
  const attempts = attemptsBefore + sent;
  const details = { operation: call.name, attempts };
  if (inDoubt && call.kind === 'mutation') {
    const why = reason === 'timeout' ? 'its time (timeoutMs) ran out' : 'it was aborted';
    return new AmbiguousMutationError(
      `${call.name} was sent, but ${why} before the answer arrived: the change may or may not have been made. Check whether it was before you send it again.`,
      details,
    );
  }
  if (attempts === 0) return unsentError(reason, call.name, batch?.progress.waitedFor?.() ?? { text: OTHER_CALLS });
  if (reason === 'abort') return new AbortError(`${call.name} was aborted.`, details);
  // Between two requests the last failure says more than the clock.
  if (lastFailure) return lastFailure.errorFor(call.name, attemptsBefore);
  return new TimeoutError(
    `The time for ${call.name} (timeoutMs) ran out before the answer arrived. Allow more time, or ask for less.`,
    details,
  );
}

const OTHER_CALLS = 'other calls of the same user were still under way';

/** For a call of which nothing was sent; `waitedFor` says what it was waiting for. */
export function unsentError(reason: EndReason, operation: string, { text: waitedFor, refusal }: WaitedFor): FleetError {
  // What the service said is told however short before the deadline it said it.
  if (reason === 'timeout' && refusal) return refusal;
  return reason === 'abort'
    ? new AbortError(`${operation} was aborted before it was sent: ${waitedFor}.`, { operation })
    : new TimeoutError(
        `The time for ${operation} (timeoutMs) ran out before it could be sent: ${waitedFor}. Allow more time, or make fewer calls at once.`,
        { operation, waitedFor },
      );
}
