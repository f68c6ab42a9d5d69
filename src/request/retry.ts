// Send; on a failure that is safe to repeat, wait and send again, until the deadline. What is safe is the repeat table's to say.
import type { Random } from '../core/ports.js';
import type { Failure } from '../transport/failure.js';
import type { Deadline } from './deadline.js';
import { FailedRequest } from './failure-error.js';
import { decideRetry, type RetryableCall, type RetryPolicy } from './retry-policy.js';

/** What is known of a call while it is under way: its lane tells the caller so when the caller leaves. */
export interface CallProgress {
  attempts: number;
  /** Whether a request may have arrived whose outcome is not known. */
  inDoubt: boolean;
  /** Why the call is waiting to be sent again. */
  lastFailure: FailedRequest | null;
  /** What keeps the call from being sent, as the end of a sentence; others of the same user when it is not set. */
  waitedFor?: () => string;
}

export type SendOutcome<Value> = { readonly value: Value } | { readonly failure: Failure };

export interface RetrySteps<Value> {
  /** Sends once. Must call `leaving` right before bytes may leave. */
  send(attempt: number, leaving: () => void): Promise<SendOutcome<Value>>;
  /** Gets another token in place of the one that was just refused. */
  replaceToken(): Promise<void>;
  /** Told before every repeat. */
  onPause(failure: Failure, ms: number, attempt: number): void;
  readonly deadline: Deadline;
  readonly progress: CallProgress;
  readonly policy: RetryPolicy;
  readonly random: Random;
  /** The service's, to read a Retry-After date. */
  readonly wallClock: () => number;
}

/** Sends until there is an answer or no hope. Rejects with a FailedRequest, or with PatienceOver when nobody waits any more. */
export async function sendWithRetries<Value>(call: RetryableCall, steps: RetrySteps<Value>): Promise<Value> {
  const { progress, deadline: patience } = steps;
  let sends = 0;
  let refusals = 0;
  let tokenReplaced = false;
  /** A request sent earlier that may have arrived; only with `idempotent` does the call go on after one. */
  let doubtful = false;
  for (;;) {
    sends++;
    const sent = await steps.send(progress.attempts + 1, () => {
      progress.attempts++;
      progress.inDoubt = true;
      progress.lastFailure = null;
    });
    if ('value' in sent) return sent.value;
    const { failure } = sent;
    if (failure.what === 'status' && failure.status === 429) refusals++;
    doubtful ||= mayHaveArrived(failure);
    progress.inDoubt = doubtful;
    const decision = decideRetry(failure, {
      ...call,
      attempt: sends,
      refusals,
      tokenReplaced,
      remainingMs: patience.remainingMs(),
      wallTime: steps.wallClock(),
      policy: steps.policy,
      random: steps.random,
    });
    const inDoubt = doubtful && call.kind === 'mutation';
    const failed = new FailedRequest(failure, progress.attempts, inDoubt, steps.wallClock());
    progress.lastFailure = failed;
    if (decision.do === 'stop') throw failed;
    if (decision.do === 'replaceToken') {
      tokenReplaced = true;
      steps.onPause(failure, 0, progress.attempts);
      await patience.within(steps.replaceToken());
    } else {
      steps.onPause(failure, decision.ms, progress.attempts);
      await patience.wait(decision.ms);
    }
  }
}

function mayHaveArrived(failure: Failure): boolean {
  if (failure.what === 'status') return failure.status >= 500;
  return failure.what === 'broken' || failure.what === 'cut' || failure.what === 'garbled';
}
