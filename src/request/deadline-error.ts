// What a caller is told that stops waiting: what happened to its call until then, and whether a change may have been made.
import { AbortError, AmbiguousMutationError, type FleetError, TimeoutError } from '../core/errors.js';
import type { WaitingCaller } from './batch.js';
import type { EndReason } from './deadline.js';

export function deadlineError(reason: EndReason, member: WaitingCaller): FleetError {
  const { call, attemptsBefore, batch } = member;
  const { attempts: sent = 0, inDoubt = false, lastFailure = null } = batch?.progress ?? {};
  const attempts = attemptsBefore + sent;
  const known = { operation: call.name, attempts };
  if (inDoubt && call.kind === 'mutation') {
    const why = reason === 'timeout' ? 'its time (timeoutMs) ran out' : 'it was aborted';
    return new AmbiguousMutationError(
      `${call.name} was sent, and ${why} before the answer arrived: the change may or may not have been made. Look whether it was before you send it again.`,
      known,
    );
  }
  if (attempts === 0) return unsentError(reason, call.name, batch?.progress.waitedFor?.() ?? LANE_WAITED_FOR);
  if (reason === 'abort') return new AbortError(`${call.name} was aborted.`, known);
  // Between two requests the last failure says more than the clock.
  if (lastFailure) return lastFailure.errorFor(call.name, attemptsBefore);
  return new TimeoutError(
    `The time for ${call.name} (timeoutMs) ran out before the answer arrived. Allow more time, or ask for less.`,
    known,
  );
}

const LANE_WAITED_FOR = 'others of the same user were still taking their turn';

/** For a call of which nothing was sent; `waitedFor` says what kept it. */
export function unsentError(reason: EndReason, operation: string, waitedFor: string): FleetError {
  return reason === 'abort'
    ? new AbortError(`${operation} was aborted before it was sent: ${waitedFor}.`, { operation })
    : new TimeoutError(
        `The time for ${operation} (timeoutMs) ran out before it could be sent: ${waitedFor}. Allow more time, or ask for less at once.`,
        { operation, waitedFor },
      );
}
