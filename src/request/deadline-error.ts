// The error for a caller that stops waiting: it states if a mutation may have run.

import type { EndReason } from '../core/deadline.js';
import { messageOf } from '../core/error-messages.js';
import { AmbiguousMutationError, type FailedCall, type FleetError } from '../core/errors.js';
import { endError, endFacts } from '../core/wait-errors.js';
import type { WaitingCaller } from './batch.js';
import type { FailedRequest } from './failure-error.js';
import { lastRequestOf, type WaitedFor } from './retry.js';

export function deadlineError(end: EndReason, { call, attemptsBefore, batch, trace }: WaitingCaller): FleetError {
  const { attempts: sent = 0, inDoubt = false, lastFailure = null, needsToken = false } = batch?.progress ?? {};
  const attempts = attemptsBefore + sent;
  const details = { operation: call.name, attempts, ...lastRequestOf(batch?.progress ?? null, trace) };
  // The call ended before it waited for anything.
  if (batch === null) return endError(end, details);
  // Between two requests, the last failure explains more than the timeout.
  const isAnswered = end.kind === 'timeout' && lastFailure !== null;
  if (inDoubt && call.kind === 'mutation') {
    return isAnswered ? lastFailure.errorFor(call.name, attemptsBefore) : inDoubtError(end, lastFailure, details);
  }
  if (attempts === 0 || needsToken) {
    return unsentError(end, details, batch?.progress.waitedFor?.() ?? { text: OTHER_CALLS });
  }
  return isAnswered ? lastFailure.errorFor(call.name, attemptsBefore) : endError(end, details);
}

const OTHER_CALLS = 'other calls of the same user were still under way';

function inDoubtError(end: EndReason, answered: FailedRequest | null, call: FailedCall): FleetError {
  const status = answered?.status ?? null;
  const facts = { kind: 'inDoubt', status, because: endFacts(end, null) } as const;
  const cause = end.kind === 'signal' ? end.reason : endError(end, call);
  return new AmbiguousMutationError(messageOf(facts, call), { ...call, facts, status, cause });
}

/** For a call that was never sent, or only with a refused token. */
export function unsentError(end: EndReason, call: FailedCall, { text: waitedFor, refusal }: WaitedFor): FleetError {
  // An answer of the service explains more than the timeout, even right before the deadline.
  if (end.kind === 'timeout' && refusal) return refusal;
  return endError(end, call, { waitedFor, isSentBefore: (call.attempts ?? 0) > 0 });
}
