// The error for a caller that stops waiting: what had happened to its call by then, and whether a change may have been made.

import type { EndReason } from '../core/deadline.js';
import type { FactsOf } from '../core/error-facts.js';
import { messageOf } from '../core/error-messages.js';
import { AbortError, AmbiguousMutationError, type FleetError, TimeoutError } from '../core/errors.js';
import type { WaitingCaller } from './batch.js';
import type { WaitedFor } from './retry.js';

export function deadlineError(reason: EndReason, { call, attemptsBefore, batch }: WaitingCaller): FleetError {
  const { attempts: sent = 0, inDoubt = false, lastFailure = null, needsToken = false } = batch?.progress ?? {};
  const attempts = attemptsBefore + sent;
  const details = { operation: call.name, attempts };
  if (inDoubt && call.kind === 'mutation') {
    // Between two requests, the answer to the last one is known.
    if (lastFailure) return lastFailure.errorFor(call.name, attemptsBefore);
    const facts = { kind: 'inDoubt', status: null, because: endOf(reason) } as const;
    return new AmbiguousMutationError(messageOf(facts, details), { ...details, facts });
  }
  if (attempts === 0 || needsToken)
    return unsentError(reason, details, batch?.progress.waitedFor?.() ?? { text: OTHER_CALLS });
  // Between two requests the last failure says more than the clock.
  if (reason === 'timeout' && lastFailure) return lastFailure.errorFor(call.name, attemptsBefore);
  return endedError(reason, details);
}

/** For a call that was sent, and whose answer is not waited for any more. */
export function endedError(reason: EndReason, call: CallFacts): FleetError {
  const facts = endOf(reason);
  const message = messageOf(facts, call);
  return facts.kind === 'aborted'
    ? new AbortError(message, { ...call, facts })
    : new TimeoutError(message, { ...call, facts });
}

function endOf(reason: EndReason): FactsOf<'aborted' | 'timeRanOut'> {
  return reason === 'abort' ? { kind: 'aborted', waitedFor: null, isSentBefore: false } : { kind: 'timeRanOut' };
}

interface CallFacts {
  readonly operation: string;
  readonly attempts?: number;
}

const OTHER_CALLS = 'other calls of the same user were still under way';

/** For a call of which nothing was sent, or only with a token that was refused; `waitedFor` says what it was waiting for. */
export function unsentError(reason: EndReason, call: CallFacts, { text: waitedFor, refusal }: WaitedFor): FleetError {
  // An answer of the service says more than the clock, even when it came right before the deadline.
  if (reason === 'timeout' && refusal) return refusal;
  const waiting = { waitedFor, isSentBefore: (call.attempts ?? 0) > 0 };
  if (reason === 'abort') {
    const facts = { kind: 'aborted', ...waiting } as const;
    return new AbortError(messageOf(facts, call), { ...call, facts });
  }
  const facts = { kind: 'notSentInTime', ...waiting } as const;
  return new TimeoutError(messageOf(facts, call), { ...call, facts, waitedFor });
}
