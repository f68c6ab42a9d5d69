// Send; on a failure that is safe to repeat, wait and send again, until the deadline. What is safe is the repeat table's to say.
import type { Random } from '../core/ports.js';
import type { Failure, SendOutcome } from '../transport/failure.js';
import { type Deadline, DeadlineExceeded } from './deadline.js';
import { FailedRequest } from './failure-error.js';
import { decideRetry, type RetryableCall, type RetryPolicy } from './retry-policy.js';

/** What is known of a call while it is under way: its lane tells the caller so when the caller leaves. */
export interface CallProgress {
  attempts: number;
  /** Whether a request may have arrived whose outcome is not known. */
  inDoubt: boolean;
  /** Why the call is waiting to be sent again. */
  lastFailure: FailedRequest | null;
  /** A request is under way: its first byte has left, and its answer is not over. */
  isOnWire: boolean;
  /** What keeps the call from being sent, as the end of a sentence; others of the same user when it is not set. */
  waitedFor?: () => string;
}

export interface RetrySteps<Value> {
  /** Sends once. Calls `beforeSend` right before the first byte leaves; when it throws, nothing may be sent. */
  send(attempt: number, beforeSend: () => void): Promise<SendOutcome<Value>>;
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
    let hasLeft = false;
    const sent = await steps.send(progress.attempts + 1, () => {
      // The caller has been told by now, and of no request but those that left before.
      if (patience.reason !== null) throw new DeadlineExceeded(patience.reason);
      hasLeft = true;
      progress.attempts++;
      progress.inDoubt = true;
      progress.isOnWire = true;
      progress.lastFailure = null;
    });
    progress.isOnWire = false;
    if ('value' in sent) return sent.value;
    const { failure } = sent;
    if (!hasLeft) {
      if (patience.reason !== null) throw new DeadlineExceeded(patience.reason);
      // A connection that could not be made is an attempt too.
      progress.attempts++;
    }
    if (failure.what === 'status' && failure.status === 429) refusals++;
    doubtful ||= hasLeft && mayHaveArrived(failure);
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
