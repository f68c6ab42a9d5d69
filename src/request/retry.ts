// Sends a request; after a failure that the retry policy allows to be repeated, waits and sends it again, until the deadline.
import type { Turns } from '../core/error-facts.js';
import type { FleetError } from '../core/errors.js';
import { isRateLimited, isTransient } from '../core/http-status.js';
import type { Random, Timers } from '../core/ports.js';
import type { Failure, SendOutcome } from '../transport/failure.js';
import { type Deadline, DeadlineExceeded } from './deadline.js';
import { FailedRequest } from './failure-error.js';
import { RetryBudget } from './retry-budget.js';
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
  /** The last 429, 502, 503 or 504, whatever has been sent since. */
  lastRefusal: FailedRequest | null;
  /** The last request was refused because of its token: the call waits for another one to be sent with. */
  needsToken: boolean;
  /** What keeps the call from being sent. Not set: other calls of the same user. */
  waitedFor?: () => WaitedFor;
}

/** What keeps a call from being sent. */
export interface WaitedFor {
  /** As the end of a sentence. */
  readonly text: string;
  /** It has failed so far, and this is how. */
  readonly refusal?: FleetError | undefined;
}

export function newProgress(): CallProgress {
  return { attempts: 0, inDoubt: false, isOnWire: false, lastFailure: null, lastRefusal: null, needsToken: false };
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
  /** Asked for after each failure. */
  policy(): RetryPolicy;
  readonly health: ServiceHealth;
  readonly timers: Pick<Timers, 'now'>;
  readonly random: Random;
  /** The service's wall clock, to read a Retry-After date. */
  readonly wallClock: () => number;
  /** For advice after 429. */
  readonly turns: Turns;
}

/** What the calls of a client know together about the service. */
export class ServiceHealth {
  readonly budget: RetryBudget;
  hasAnswered = false;

  constructor(timers: Timers) {
    this.budget = new RetryBudget(timers);
  }
}

/** Rejects with a FailedRequest, or with DeadlineExceeded when no caller waits any more. */
export async function sendWithRetries<Value>(call: RetryableCall, steps: RetrySteps<Value>): Promise<Value> {
  const { progress, deadline, health } = steps;
  let attempt = 0;
  let rateLimited = 0;
  let tokenReplaced = false;
  let failedAt: number | null = null;
  const alike = new Map<string, number>();
  /** An earlier request may have arrived. Only an idempotent call goes on after one. */
  let mayHaveRun = false;
  for (;;) {
    attempt++;
    let hasLeft = false;
    let sentAt = steps.timers.now();
    const outcome = await steps.send(progress.attempts + 1, () => {
      // The caller was told about the requests that had left by then: this one must not follow.
      if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
      hasLeft = true;
      sentAt = steps.timers.now();
      progress.attempts++;
      progress.inDoubt = true;
      progress.isOnWire = true;
      progress.lastFailure = null;
      progress.needsToken = false;
    });
    progress.isOnWire = false;
    if ('value' in outcome) {
      health.hasAnswered = true;
      health.budget.succeeded();
      return outcome.value;
    }
    const { failure, isPartlyRead = false } = outcome;
    if (failure.kind === 'status' || failure.kind === 'unauthorized') health.hasAnswered = true;
    failedAt ??= steps.timers.now();
    const kind = failure.kind === 'status' ? String(failure.status) : failure.kind;
    alike.set(kind, (alike.get(kind) ?? 0) + 1);
    if (!hasLeft) {
      if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
      // A connection that could not be made is an attempt too.
      progress.attempts++;
    }
    const isQueued = failure.kind === 'status' && isRateLimited(failure.status);
    if (isQueued) rateLimited++;
    mayHaveRun ||= hasLeft && mayHaveArrived(failure);
    progress.inDoubt = mayHaveRun;
    const decision = decideRetry(failure, {
      ...call,
      attempt,
      rateLimited,
      alike: alike.get(kind) ?? 0,
      failingForMs: steps.timers.now() - failedAt,
      hasAnswered: health.hasAnswered,
      answerMs: steps.timers.now() - sentAt,
      tokenReplaced,
      remainingMs: deadline.remainingMs(),
      wallTime: steps.wallClock(),
      policy: steps.policy(),
      random: steps.random,
    });
    const inDoubt = mayHaveRun && call.kind === 'mutation';
    const failed = new FailedRequest(failure, progress.attempts, inDoubt, steps.wallClock(), steps.turns);
    progress.lastFailure = failed;
    if (failure.kind === 'status' && (isQueued || isTransient(failure.status))) progress.lastRefusal = failed;
    if (decision.action === 'stop' || isPartlyRead) throw failed;
    if (decision.action === 'replaceToken') {
      tokenReplaced = true;
      progress.needsToken = true;
      steps.onRetry(failure, 0, progress.attempts);
      await deadline.within(steps.replaceToken());
    } else {
      steps.onRetry(failure, decision.ms, progress.attempts);
      await deadline.wait(decision.ms);
      if (!isQueued) await health.budget.take(deadline);
    }
  }
}

function mayHaveArrived(failure: Failure): boolean {
  if (failure.kind === 'status') return failure.status >= 500;
  return failure.kind !== 'unreachable' && failure.kind !== 'unauthorized';
}
