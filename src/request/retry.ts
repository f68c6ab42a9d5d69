// The step that sends a request again after a failure that the retry policy allows, until the
// deadline. It records the progress for the next try and for a caller that leaves early.
import type { Deadline } from '../core/deadline.js';
import type { Turns } from '../core/error-facts.js';
import type { FleetError } from '../core/errors.js';
import type { Notifier, RequestEvent } from '../core/hooks.js';
import { isRateLimited, isTransient } from '../core/http-status.js';
import type { Random, Timers } from '../core/ports.js';
import type { RequestIds } from '../core/request-ids.js';
import type { Failure, SendOutcome } from './failure.js';
import { FailedRequest, reasonOf } from './failure-error.js';
import { reportRetry } from './observe.js';
import { decideRetry, type RetryableCall, type RetryPolicy, type Tries } from './retry-policy.js';
import type { RequestStep } from './steps.js';

export interface WaitedFor {
  /** A text that can end a sentence. */
  readonly text: string;
  /** The last failure of that reason. */
  readonly refusal?: FleetError | undefined;
}

export interface Repeatable {
  readonly call: RetryableCall;
  readonly deadline: Deadline;
  readonly progress: CallProgress;
  /** Returns the client's policy with the limits of this request. */
  policy(ofClient: RetryPolicy): RetryPolicy;
  inContext<Result>(task: () => Result): Result;
}

export class CallProgress {
  /** Requests sent, and connections that could not be made. */
  attempts = 0;
  /** True when a request may have arrived and its outcome is unknown. */
  inDoubt = false;
  /** True from the first byte sent until the response is complete. */
  isOnWire = false;
  /** Time when the last request's first byte was sent, on the timers' clock; null before. */
  firstByteAt: number | null = null;
  /** The failure after which the call waits for a retry. */
  lastFailure: FailedRequest | null = null;
  /** The last 429, 503 or similar, even after later requests. */
  lastRefusal: FailedRequest | null = null;
  /** True when the last token was refused and the call waits for another one. */
  needsToken = false;
  token = '';
  refusedToken: string | null = null;
  event: RequestEvent | null = null;
  /** The reason of the wait. Null: other calls of the user. */
  waitedFor: (() => WaitedFor) | null = null;

  /**
   * Records that the first byte is sent. Call it right before that.
   * @throws {DeadlineExceeded} when nothing may be sent any more: the callers' errors already
   * report only the earlier requests.
   */
  recordSend(deadline: Deadline, now: number): void {
    deadline.throwIfExceeded();
    this.firstByteAt = now;
    this.attempts++;
    this.inDoubt = true;
    this.isOnWire = true;
    this.lastFailure = null;
    this.needsToken = false;
  }
}

/** Returns the ids of the last request; null for parts of a document that are not sent yet. */
export function lastRequestOf(
  progress: CallProgress | null,
  trace?: { readonly requestIds: readonly string[] },
): RequestIds {
  const requestId = progress?.event?.requestId ?? trace?.requestIds.at(-1) ?? null;
  return { requestId, responseId: progress?.lastFailure?.ids.responseId ?? null };
}

/** State about the service that the requests of a client share. */
export class ServiceHealth {
  readonly #timers: Timers;
  #budget: RetryBudget | null = null;
  hasAnswered = false;
  #accepted = '';
  /** True when a new token did not help against a 403. */
  #isPermissionProblem = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Created with the first failure: until then nothing is spent. */
  get budget(): RetryBudget {
    this.#budget ??= new RetryBudget(this.#timers);
    return this.#budget;
  }

  succeeded(token: string): void {
    this.hasAnswered = true;
    this.#accepted = token;
    this.#budget?.succeeded();
  }

  /** True when a 403 may mean that the service has lost this token. */
  mayHaveLost(token: string): boolean {
    return token !== '' && token === this.#accepted && !this.#isPermissionProblem;
  }

  /** Records that a new token was refused with 403 like the one before. */
  recordForbidden(): void {
    this.#isPermissionProblem = true;
  }
}

export interface RetryStepOptions<Request> {
  readonly policy: RetryPolicy;
  readonly health: ServiceHealth;
  readonly timers: Pick<Timers, 'now'>;
  readonly random: Random;
  /** The service's wall clock, to read a Retry-After date. */
  readonly wallClock: { now(): number };
  readonly notifier: Notifier;
  /** Names who takes turns, for advice after 429, and lets others wait too. */
  readonly turns: { readonly among: Turns; pause?(request: Request, ms: number): void };
}

/** Rejects with a FailedRequest, or with DeadlineExceeded when no caller waits any more. */
export function retry<Request extends Repeatable, Value>(
  options: RetryStepOptions<Request>,
): RequestStep<Request, Value, Request, SendOutcome<Value>> {
  const { health, timers } = options;
  return async (request, next) => {
    const { progress } = request;
    let count: TryCount | null = null;
    for (;;) {
      const startedAt = timers.now();
      progress.firstByteAt = null;
      const outcome = await next(request);
      progress.isOnWire = false;
      if ('value' in outcome) {
        health.succeeded(progress.token);
        return outcome.value;
      }
      count ??= new TryCount(timers.now());
      await waitForRetry(options, request, outcome, count, startedAt);
    }
  };
}

type FailedOutcome = Extract<SendOutcome<unknown>, { readonly failure: Failure }>;

/**
 * Records the failure, and resolves when the request may be sent again.
 * @throws {FailedRequest} when it is not sent again
 */
async function waitForRetry<Request extends Repeatable>(
  { policy, health, timers, random, wallClock, notifier, turns }: RetryStepOptions<Request>,
  request: Request,
  { failure, isPartlyRead = false, responseId }: FailedOutcome,
  count: TryCount,
  startedAt: number,
): Promise<void> {
  const { call, deadline, progress } = request;
  if (failure.kind === 'status' || failure.kind === 'unauthorized') health.hasAnswered = true;
  if (progress.firstByteAt === null) {
    deadline.throwIfExceeded();
    // A connection that could not be made is an attempt too.
    progress.attempts++;
  }
  const counted = count.failed(failure, progress.firstByteAt !== null, timers.now());
  const tries = { ...counted, mayHaveLostToken: health.mayHaveLost(progress.token) };
  if (failure.kind === 'status' && failure.status === 403 && tries.tokenReplaced) health.recordForbidden();
  progress.inDoubt = count.mayHaveRun;
  const decision = decideRetry(failure, call, tries, {
    policy: request.policy(policy),
    random,
    wallTime: wallClock.now(),
    hasAnswered: health.hasAnswered,
    answerMs: timers.now() - (progress.firstByteAt ?? startedAt),
    remainingMs: deadline.remainingMs(),
  });
  const inDoubt = count.mayHaveRun && call.kind === 'mutation';
  const ids = { requestId: progress.event?.requestId ?? null, responseId: responseId?.() ?? null };
  const failed = new FailedRequest(failure, progress.attempts, inDoubt, wallClock.now(), turns.among, ids);
  progress.lastFailure = failed;
  const isQueued = failure.kind === 'status' && isRateLimited(failure.status);
  if (isQueued || (failure.kind === 'status' && isTransient(failure.status))) progress.lastRefusal = failed;
  if (decision.action === 'stop' || isPartlyRead) throw failed;
  const pauseMs = decision.action === 'wait' ? decision.ms : 0;
  notifyRetry(notifier, request, failure, pauseMs);
  if (decision.action === 'replaceToken') {
    count.tokenReplaced = true;
    progress.needsToken = true;
    progress.refusedToken = progress.token;
    return;
  }
  if (isQueued) turns.pause?.(request, pauseMs);
  await deadline.wait(pauseMs);
  if (!isQueued) await health.budget.take(deadline);
}

function notifyRetry(notifier: Notifier, request: Repeatable, failure: Failure, waitMs: number): void {
  const { progress } = request;
  if (progress.event === null) return;
  const { merged: _, ...event } = progress.event;
  request.inContext(() =>
    reportRetry(notifier, { ...event, attempt: progress.attempts, reason: reasonOf(failure), waitMs }),
  );
}

class TryCount {
  readonly #failedAt: number;
  readonly #sameFailures = new Map<string, number>();
  #attempts = 0;
  #rateLimited = 0;
  tokenReplaced = false;
  /** True when an earlier request may have arrived. Then only an idempotent call is retried. */
  mayHaveRun = false;

  constructor(now: number) {
    this.#failedAt = now;
  }

  failed(failure: Failure, hasLeft: boolean, now: number): Omit<Tries, 'mayHaveLostToken'> {
    this.#attempts++;
    const kind = failure.kind === 'status' ? String(failure.status) : failure.kind;
    const sameFailures = (this.#sameFailures.get(kind) ?? 0) + 1;
    this.#sameFailures.set(kind, sameFailures);
    if (failure.kind === 'status' && isRateLimited(failure.status)) this.#rateLimited++;
    this.mayHaveRun ||= hasLeft && mayHaveArrived(failure);
    return {
      attempts: this.#attempts,
      rateLimited: this.#rateLimited,
      sameFailures,
      failingForMs: now - this.#failedAt,
      tokenReplaced: this.tokenReplaced,
    };
  }
}

function mayHaveArrived(failure: Failure): boolean {
  if (failure.kind === 'status') return failure.status >= 500 || isTransient(failure.status);
  return failure.kind === 'unauthorized' ? failure.mayHaveRun : failure.kind !== 'unreachable';
}

const RETRY_BUDGET = 30;
const RETRY_BUDGET_REFILL_MS = 1_000;

/**
 * The retry budget of a client: a burst at once, one more for every successful request, and one
 * more per second. So waiting calls do not multiply an outage, and they all continue when it ends.
 */
export class RetryBudget {
  readonly #timers: Timers;
  #left = RETRY_BUDGET;
  /** Time until which the refill was added. */
  #filledAt: number;
  readonly #waiting = new Set<() => void>();
  #cancelTimer: (() => void) | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#filledAt = timers.now();
  }

  succeeded(): void {
    this.#add(1);
  }

  /** Resolves when a retry may be sent, in order. Rejects when the deadline is exceeded before. */
  async take(deadline: Deadline): Promise<void> {
    this.#fill();
    if (this.#left > 0 && this.#waiting.size === 0) {
      this.#left--;
      return;
    }
    let grant = () => {};
    const granted = new Promise<void>((resolve) => {
      grant = resolve;
    });
    this.#waiting.add(grant);
    this.#schedule();
    try {
      await deadline.within(granted);
    } catch (error) {
      // Granted when its caller had just left: the next one may have it.
      if (!this.#waiting.delete(grant)) this.#add(1);
      this.#schedule();
      throw error;
    }
  }

  #fill(): void {
    const earned = Math.floor((this.#timers.now() - this.#filledAt) / RETRY_BUDGET_REFILL_MS);
    if (earned <= 0) return;
    this.#filledAt += earned * RETRY_BUDGET_REFILL_MS;
    this.#add(earned);
  }

  #add(repeats: number): void {
    this.#left = Math.min(RETRY_BUDGET, this.#left + repeats);
    for (const grant of this.#waiting) {
      if (this.#left === 0) break;
      this.#left--;
      this.#waiting.delete(grant);
      grant();
    }
    if (this.#waiting.size === 0) this.#stopTimer();
  }

  #schedule(): void {
    this.#stopTimer();
    if (this.#waiting.size === 0) return;
    const dueInMs = this.#filledAt + RETRY_BUDGET_REFILL_MS - this.#timers.now();
    this.#cancelTimer = this.#timers.after(Math.max(0, dueInMs), () => {
      this.#fill();
      this.#schedule();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
