// The error of a caller that stops waiting: because its time is over, its signal fired, or the client was closed.
import { type EndReason, endBySignal, isTimeLimit } from './deadline.js';
import type { FactsOf } from './error-facts.js';
import { messageOf } from './error-messages.js';
import { AbortError, ClosedError, type FailedCall, type FleetError, TimeoutError } from './errors.js';

/** What a call waited for that could not be sent, as a text that can end a sentence. */
export interface Unsent {
  readonly waitedFor: string;
  /** With a token that was refused. */
  readonly isSentBefore: boolean;
}

const SENT = { waitedFor: null, isSentBefore: false } as const;

/** `unsent`: null for a call that was sent. */
export function endFacts(
  end: EndReason,
  unsent: Unsent | null,
): FactsOf<'aborted' | 'closed' | 'timeRanOut' | 'notSentInTime'> {
  if (end.kind === 'close') return { kind: 'closed', ...(unsent ?? SENT) };
  if (end.kind === 'signal' && !isTimeLimit(end.reason)) return { kind: 'aborted', ...(unsent ?? SENT) };
  const limit = end.kind === 'signal' ? 'signal' : 'timeoutMs';
  return unsent === null ? { kind: 'timeRanOut', limit } : { kind: 'notSentInTime', ...unsent, limit };
}

/** The reason of a signal is the caller's own, so it is the cause as it is. */
export function endError(end: EndReason, call: FailedCall, unsent: Unsent | null = null): FleetError {
  const facts = endFacts(end, unsent);
  const details = { ...call, facts, ...(end.kind === 'signal' ? { cause: end.reason } : {}) };
  // No answer is what it comes from.
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

/** For what a signal of the caller has ended. */
export function errorOfSignal(signal: Pick<AbortSignal, 'reason'>, call: FailedCall): FleetError {
  return endError(endBySignal(signal), call);
}
