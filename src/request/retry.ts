// Sends a request; after a failure that the retry policy allows to be repeated, waits and sends it again, until the deadline.
import { isRateLimited } from '../core/http-status.js';
import type { Random } from '../core/ports.js';
import type { Failure, SendOutcome } from '../transport/failure.js';
import { type Deadline, DeadlineExceeded } from './deadline.js';
import { FailedRequest } from './failure-error.js';
import { decideRetry, type RetryableCall, type RetryPolicy } from './retry-policy.js';

/** What is known of a call under way, for a caller that leaves before its end. */
export interface CallProgress {
  /** Requests sent so far, and connections that could not be made. */
  attempts: number;
  /** Whether a request may have arrived whose outcome is unknown. */
  inDoubt: boolean;
  /** A request is under way: its first byte has left, and its response is not complete. */
  isOnWire: boolean;
  /** Why the call waits to be sent again. */
  lastFailure: FailedRequest | null;
  /** What keeps the call from being sent, as the end of a sentence. Not set: other calls of the same user. */
  waitedFor?: () => string;
}

export function newProgress(): CallProgress {
  return { attempts: 0, inDoubt: false, isOnWire: false, lastFailure: null };
}

export interface RetrySteps<Value> {
  /** Sends once. Calls `beforeSend` right before the first byte leaves; when that throws, nothing may be sent. */
  send(attempt: number, beforeSend: () => void): Promise<SendOutcome<Value>>;
  /** Gets another token in place of the one that was refused. */
  replaceToken(): Promise<void>;
  /** Called before every retry. */
  onRetry(failure: Failure, waitMs: number, attempt: number): void;
  readonly deadline: Deadline;
  readonly progress: CallProgress;
  readonly policy: RetryPolicy;
  readonly random: Random;
  /** The service's wall clock, to read a Retry-After date. */
  readonly wallClock: () => number;
}

/** Rejects with a FailedRequest, or with DeadlineExceeded when no caller waits any more. */
export async function sendWithRetries<Value>(call: RetryableCall, steps: RetrySteps<Value>): Promise<Value> {
  const { progress, deadline } = steps;
  let attempt = 0;
  let rateLimited = 0;
  let tokenReplaced = false;
  /** An earlier request may have arrived. Only an idempotent call goes on after one. */
  let mayHaveRun = false;
  for (;;) {
    attempt++;
    let hasLeft = false;
    const outcome = await steps.send(progress.attempts + 1, () => {
      // The caller was told about the requests that had left by then: this one must not follow.
      if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
      hasLeft = true;
      progress.attempts++;
      progress.inDoubt = true;
      progress.isOnWire = true;
      progress.lastFailure = null;
    });
    progress.isOnWire = false;
    if ('value' in outcome) return outcome.value;
    const { failure } = outcome;
    if (!hasLeft) {
      if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
      // A connection that could not be made is an attempt too.
      progress.attempts++;
    }
    if (failure.kind === 'status' && isRateLimited(failure.status)) rateLimited++;
    mayHaveRun ||= hasLeft && mayHaveArrived(failure);
    progress.inDoubt = mayHaveRun;
    const decision = decideRetry(failure, {
      ...call,
      attempt,
      rateLimited,
      tokenReplaced,
      remainingMs: deadline.remainingMs(),
      wallTime: steps.wallClock(),
      policy: steps.policy,
      random: steps.random,
    });
    const inDoubt = mayHaveRun && call.kind === 'mutation';
    const failed = new FailedRequest(failure, progress.attempts, inDoubt, steps.wallClock());
    progress.lastFailure = failed;
    if (decision.action === 'stop') throw failed;
    if (decision.action === 'replaceToken') {
      tokenReplaced = true;
      steps.onRetry(failure, 0, progress.attempts);
      await deadline.within(steps.replaceToken());
    } else {
      steps.onRetry(failure, decision.ms, progress.attempts);
      await deadline.wait(decision.ms);
    }
  }
}

function mayHaveArrived(failure: Failure): boolean {
  if (failure.kind === 'status') return failure.status >= 500;
  return failure.kind === 'disconnected' || failure.kind === 'truncated' || failure.kind === 'malformed';
}
