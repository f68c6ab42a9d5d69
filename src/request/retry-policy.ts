// The retry policy: what follows a failed request, as one pure function of the failure, the kind of call and the tries so far. Nothing
// here waits or sends.
import { RETRY_ATTEMPTS, RETRY_BASE_DELAY_MS, RETRY_MAX_DELAY_MS } from '../core/defaults.js';
import { isRateLimited, isTransient } from '../core/http-status.js';
import type { Random } from '../core/ports.js';
import type { Failure } from '../transport/failure.js';

/** How often a failed request is sent again, and after which pauses. */
export interface RetryOptions {
  /** Requests per call at most, the first included; answers of 429 are not counted. Default 5. */
  readonly attempts?: number | undefined;
  /** Longest first pause in milliseconds; it doubles with every retry. Default 100. */
  readonly baseDelayMs?: number | undefined;
  /** Longest pause in milliseconds. Default 5000. */
  readonly maxDelayMs?: number | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** False: nothing is sent again but a request whose token was refused. */
  readonly enabled: boolean;
}

export function retryPolicy(options: RetryOptions | false | undefined): RetryPolicy {
  const {
    attempts = RETRY_ATTEMPTS,
    baseDelayMs = RETRY_BASE_DELAY_MS,
    maxDelayMs = RETRY_MAX_DELAY_MS,
  } = options || {};
  return { attempts, baseDelayMs, maxDelayMs, enabled: options !== false };
}

/** What the policy needs to know of a call. */
export interface RetryableCall {
  readonly kind: 'query' | 'mutation' | 'login';
  /** The caller allows a mutation to be sent again when its outcome is unknown. */
  readonly idempotent: boolean;
}

export interface RetryContext extends RetryableCall {
  /** Requests so far. */
  readonly attempt: number;
  /** How many of them were answered with 429. */
  readonly rateLimited: number;
  readonly tokenReplaced: boolean;
  readonly remainingMs: number;
  /** The service's wall clock, to read a Retry-After date. */
  readonly wallTime: number;
  readonly policy: RetryPolicy;
  readonly random: Random;
}

export type RetryDecision =
  | { readonly action: 'wait'; readonly ms: number }
  | { readonly action: 'replaceToken' }
  | { readonly action: 'stop' };

const STOP: RetryDecision = { action: 'stop' };
const REPLACE_TOKEN: RetryDecision = { action: 'replaceToken' };

export function decideRetry(failure: Failure, context: RetryContext): RetryDecision {
  const isSafe = context.kind !== 'mutation' || context.idempotent;
  switch (failure.kind) {
    case 'unauthorized':
      return context.tokenReplaced || context.kind === 'login' ? STOP : REPLACE_TOKEN;
    case 'unreachable':
      return failure.retryable ? retryFailure(context) : STOP;
    case 'disconnected':
    case 'truncated':
      return isSafe ? retryFailure(context) : STOP;
    case 'malformed':
      // Something answered in full, but not as the contract says: another request would not change that.
      return STOP;
    case 'status':
      if (failure.status === 401 && context.kind !== 'login') return context.tokenReplaced ? STOP : REPLACE_TOKEN;
      if (isRateLimited(failure.status)) return retryRateLimited(failure.retryAfter, context);
      return isTransient(failure.status) && isSafe ? retryFailure(context, failure.retryAfter) : STOP;
  }
}

function retryFailure(context: RetryContext, retryAfter: string | null = null): RetryDecision {
  // A 429 is a queue, not a failure: it does not use up the attempts.
  const failures = context.attempt - context.rateLimited;
  if (!context.policy.enabled || failures >= context.policy.attempts) return STOP;
  const ms = readRetryAfter(retryAfter, context.wallTime) ?? backOff(failures, context);
  return wait(ms, context.remainingMs);
}

/** The request was refused before it ran, so a mutation may be sent again too; only the deadline ends it. */
function retryRateLimited(retryAfter: string | null, context: RetryContext): RetryDecision {
  if (!context.policy.enabled) return STOP;
  const ms = readRetryAfter(retryAfter, context.wallTime) ?? backOff(context.rateLimited, context);
  return context.kind === 'mutation' ? waitAndLeaveTime(ms, context.remainingMs) : wait(ms, context.remainingMs);
}

/** Full jitter: a random part of the exponential step, so that clients that failed together do not retry together. */
function backOff(failures: number, { policy, random }: RetryContext): number {
  const step = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** Math.max(0, failures - 1));
  return random() * step;
}

/** With less time than this, another request makes no sense. */
const SHORTEST_REMAINING_MS = 20;
/** A pause takes at most this part of the remaining time. */
const LONGEST_PART = 0.9;
/** Time for the service to answer a mutation. */
const ANSWER_MS = 250;

function wait(ms: number, remainingMs: number): RetryDecision {
  return remainingMs < SHORTEST_REMAINING_MS ? STOP : { action: 'wait', ms: Math.min(ms, remainingMs * LONGEST_PART) };
}

/** For a mutation that was refused: it is not sent so late that the deadline would leave its outcome in doubt. */
function waitAndLeaveTime(ms: number, remainingMs: number): RetryDecision {
  if (remainingMs <= ANSWER_MS) return STOP;
  return { action: 'wait', ms: Math.min(ms, remainingMs * LONGEST_PART, remainingMs - ANSWER_MS) };
}

/** Milliseconds of a Retry-After header, in seconds or as an HTTP date; null when it is absent or unreadable. */
export function readRetryAfter(value: string | null, wallTime: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse takes nearly any text for a date; an HTTP date begins with the day of the week.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - wallTime);
}
