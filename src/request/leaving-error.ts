// What a caller is told that stops waiting: what happened to its call until then, and whether a change may have been made.
import { AbortError, AmbiguousMutationError, type FleetError, TimeoutError } from '../errors.js';
import type { Member } from './batch.js';
import type { OverReason } from './patience.js';

export function leavingError(reason: OverReason, member: Member): FleetError {
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
  if (reason === 'abort')
    return new AbortError(`${call.name} was aborted${attempts === 0 ? ' before it was sent' : ''}.`, known);
  // Between two requests the last failure says more than the clock.
  if (lastFailure) return lastFailure.errorFor(call.name, attemptsBefore);
  return new TimeoutError(
    attempts === 0
      ? `The time for ${call.name} (timeoutMs) ran out while it waited for its turn or for a token. Allow more time, or ask for less at once.`
      : `The time for ${call.name} (timeoutMs) ran out before the answer arrived. Allow more time, or ask for less.`,
    known,
  );
}
