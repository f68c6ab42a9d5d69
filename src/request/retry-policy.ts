// The retry policy: a pure function of the failure, the kind of call and the tries.
import { backoffMs } from '../core/backoff.js';
import { isRateLimited, isServerError, isTransient } from '../core/http-status.js';
import type { RetryLimits } from '../core/operation.js';
import type { Random } from '../core/ports.js';
import { retryAfterMs } from '../transport/response-headers.js';
import type { Failure } from './failure.js';

/** Limits and pauses of the retries of a failed request. */
export interface RetryOptions extends RetryLimits {
  /** Longest first pause in milliseconds; it doubles with every retry. Default 100. */
  readonly baseDelayMs?: number | undefined;
  /** Longest pause in milliseconds. Default 5000. */
  readonly maxDelayMs?: number | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly forMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** False: only a request whose token was refused is sent again. */
  readonly enabled: boolean;
}

/** Time for retries while the service is down: a rolling restart takes about 30 s. */
const RETRY_FOR_MS = 40_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

export function retryPolicy(options: RetryOptions | false | undefined): RetryPolicy {
  const {
    attempts = Number.POSITIVE_INFINITY,
    forMs = RETRY_FOR_MS,
    baseDelayMs = FIRST_DELAY_MS,
    maxDelayMs = MAX_DELAY_MS,
  } = options || {};
  return { attempts, forMs, baseDelayMs, maxDelayMs, enabled: options !== false };
}

export interface RetryableCall {
  readonly kind: 'query' | 'mutation' | 'login';
  /** True when a mutation may be sent again although its outcome is unknown. */
  readonly idempotent: boolean;
}

export interface Tries {
  readonly attempts: number;
  /** Number of answers with 429. */
  readonly rateLimited: number;
  /** Number of failures of the last kind. */
  readonly sameFailures: number;
  readonly failingForMs: number;
  readonly tokenReplaced: boolean;
  /** True when the service accepted the token before and no 403 concerned rights. */
  readonly mayHaveLostToken: boolean;
}

export interface RetryConditions {
  readonly policy: RetryPolicy;
  readonly random: Random;
  /** False before the first answer of the service: its address may be wrong. */
  readonly hasAnswered: boolean;
  readonly answerMs: number;
  readonly remainingMs: number;
  /** The service's wall clock, to read a Retry-After date. */
  readonly wallTime: number;
}

export type RetryDecision =
  | { readonly action: 'wait'; readonly ms: number }
  | { readonly action: 'replaceToken' }
  | { readonly action: 'stop' };

const STOP: RetryDecision = { action: 'stop' };
const REPLACE_TOKEN: RetryDecision = { action: 'replaceToken' };

export function decideRetry(
  failure: Failure,
  call: RetryableCall,
  tries: Tries,
  conditions: RetryConditions,
): RetryDecision {
  const isSafe = call.kind !== 'mutation' || call.idempotent;
  const again = (): RetryDecision => retryFailure(failure, call, tries, conditions);
  switch (failure.kind) {
    case 'unauthorized':
      if (failure.mayHaveRun && !isSafe) return STOP;
      return tries.tokenReplaced || call.kind === 'login' ? STOP : REPLACE_TOKEN;
    case 'unreachable':
      return failure.retryable ? again() : STOP;
    case 'disconnected':
    case 'truncated':
      return isSafe ? again() : STOP;
    case 'tooLarge':
    case 'redirected':
    case 'fault':
      // A repeat would fail in this code again.
      return STOP;
    case 'malformed':
      // A complete answer off the contract: another request would not change it.
      return STOP;
    case 'status':
      if (failure.status === 401 && call.kind !== 'login') return tries.tokenReplaced ? STOP : REPLACE_TOKEN;
      // A restarted service may refuse its own token with a 403 that looks like missing rights.
      if (failure.status === 403 && isSafe && tries.mayHaveLostToken) return tries.tokenReplaced ? STOP : REPLACE_TOKEN;
      if (isRateLimited(failure.status)) return retryRateLimited(failure.retryAfter, call, tries, conditions);
      return isSafe && (isTransient(failure.status) || isServerError(failure.status)) ? again() : STOP;
  }
}

function retryFailure(failure: Failure, call: RetryableCall, tries: Tries, conditions: RetryConditions): RetryDecision {
  if (!conditions.policy.enabled || isSpent(failure, tries, conditions)) return STOP;
  const retryAfter = failure.kind === 'status' ? failure.retryAfter : null;
  return wait(pauseOf(retryAfter, failures(tries), conditions), call, conditions);
}

/** Requests for a call that the service answers with 500. */
const SERVER_ERROR_ATTEMPTS = 3;
/** Requests for a call with lost connections, or to a service that has never answered. */
const LOST_CONNECTION_ATTEMPTS = 5;

/** Returns true when the policy allows no further attempt after this failure. */
function isSpent(failure: Failure, tries: Tries, { policy, hasAnswered }: RetryConditions): boolean {
  if (failures(tries) >= policy.attempts) return true;
  const isDown =
    failure.kind === 'status' ? isTransient(failure.status) : failure.kind === 'unreachable' && hasAnswered;
  if (isDown) return tries.failingForMs >= policy.forMs;
  return tries.sameFailures >= (failure.kind === 'status' ? SERVER_ERROR_ATTEMPTS : LOST_CONNECTION_ATTEMPTS);
}

/** A 429 is a queue, not a failure: it uses up no attempt. */
function failures({ attempts, rateLimited }: Tries): number {
  return attempts - rateLimited;
}

/** The request did not run, so a mutation may be sent again; only the deadline ends it. */
function retryRateLimited(
  retryAfter: string | null,
  call: RetryableCall,
  { rateLimited }: Tries,
  conditions: RetryConditions,
): RetryDecision {
  if (!conditions.policy.enabled) return STOP;
  return wait(pauseOf(retryAfter, rateLimited, conditions), call, conditions);
}

/** Returns Retry-After, but at least the usual pause: some services send 0 or a past date. */
function pauseOf(retryAfter: string | null, repeats: number, conditions: RetryConditions): number {
  return Math.max(retryAfterMs(retryAfter, conditions.wallTime) ?? 0, backOff(repeats, conditions));
}

/** Full jitter: a random part of the exponential step, so that clients do not retry together. */
function backOff(repeats: number, { policy, random }: RetryConditions): number {
  return random() * backoffMs(repeats, { firstMs: policy.baseDelayMs, longestMs: policy.maxDelayMs });
}

/** Below this time, another request makes no sense. */
const SHORTEST_REMAINING_MS = 20;
/** Largest part of the remaining time for one pause. */
const LONGEST_PART = 0.9;
/** Time to answer a mutation: sent later, its outcome could be unknown at the deadline. */
const MUTATION_ANSWER_MS = 250;
/** Time for an answer, as a multiple of the last one, up to a limit. */
const ANSWER_MARGIN = 3;
const LONGEST_ANSWER_MS = 1000;

/** Leaves time for the answer, so that the error reports the last refusal instead of a timeout. */
function wait(ms: number, { kind }: RetryableCall, { remainingMs, answerMs }: RetryConditions): RetryDecision {
  const minimumMs = kind === 'mutation' ? MUTATION_ANSWER_MS : SHORTEST_REMAINING_MS;
  const reserveMs = Math.max(minimumMs, Math.min(LONGEST_ANSWER_MS, answerMs * ANSWER_MARGIN));
  if (remainingMs <= reserveMs) return STOP;
  return { action: 'wait', ms: Math.min(ms, remainingMs * LONGEST_PART, remainingMs - reserveMs) };
}
