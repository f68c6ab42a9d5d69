// Creates the error of a caller that stops waiting: by timeout, by its signal, or because the
// client was closed.
import { type EndReason, endBySignal, isTimeLimit } from './deadline.js';
import type { FactsOf } from './error-facts.js';
import { messageOf } from './error-messages.js';
import { AbortError, ClosedError, type FailedCall, type FleetError, TimeoutError } from './errors.js';

/** The state of a call that could not be sent. `waitedFor` can end a sentence. */
export interface UnsentCall {
  readonly waitedFor: string;
  /** True when it was sent with a refused token. */
  readonly isSentBefore: boolean;
}

const SENT = { waitedFor: null, isSentBefore: false } as const;

/** Returns the facts of a wait that ended. `unsent`: null for a call that was sent. */
export function endFacts(
  end: EndReason,
  unsent: UnsentCall | null,
): FactsOf<'aborted' | 'closed' | 'timeRanOut' | 'notSentInTime'> {
  if (end.kind === 'close') return { kind: 'closed', ...(unsent ?? SENT) };
  if (end.kind === 'signal' && !isTimeLimit(end.reason)) return { kind: 'aborted', ...(unsent ?? SENT) };
  const limit = end.kind === 'signal' ? 'signal' : 'timeoutMs';
  return unsent === null ? { kind: 'timeRanOut', limit } : { kind: 'notSentInTime', ...unsent, limit };
}

/** Returns the error of the end. A signal's reason becomes the cause unchanged. */
export function endError(end: EndReason, call: FailedCall, unsent: UnsentCall | null = null): FleetError {
  const facts = endFacts(end, unsent);
  const details = { ...call, facts, ...(end.kind === 'signal' ? { cause: end.reason } : {}) };
  const message = messageOf(facts, { ...call, responseId: null });
  switch (facts.kind) {
    case 'closed':
      return new ClosedError(message, details);
    case 'aborted':
      return new AbortError(message, details);
    case 'timeRanOut':
      return new TimeoutError(message, details);
    case 'notSentInTime':
      return new TimeoutError(message, { ...details, waitedFor: facts.waitedFor });
  }
}

export function errorOfSignal(signal: Pick<AbortSignal, 'reason'>, call: FailedCall): FleetError {
  return endError(endBySignal(signal), call);
}
