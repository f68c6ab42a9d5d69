// The repeat table: what a failed request is followed by, as one pure function of what happened, the kind of call and how
// often it was tried. Nothing here waits or sends.
import type { Random } from '../core/ports.js';
import type { Failure } from '../transport/failure.js';

/** How often and how patiently a failed request is sent again. */
export interface RetryOptions {
  /** Requests per call at most, the first included; answers of 429 are not counted. Default 5. */
  readonly attempts?: number | undefined;
  /** Longest first pause in milliseconds; it doubles with every repeat. Default 100. */
  readonly baseDelayMs?: number | undefined;
  /** Longest pause in milliseconds. Default 5000. */
  readonly maxDelayMs?: number | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** False: nothing is repeated but a request whose token was refused. */
  readonly enabled: boolean;
}

export function retryPolicy(options: RetryOptions | false | undefined): RetryPolicy {
  const { attempts = 5, baseDelayMs = 100, maxDelayMs = 5000 } = options || {};
  return { attempts, baseDelayMs, maxDelayMs, enabled: options !== false };
}

/** What the table needs to know of the call. */
export interface RetryableCall {
  readonly kind: 'query' | 'mutation' | 'login';
  /** The caller said that a mutation may be sent again when its outcome is unknown. */
  readonly idempotent: boolean;
}

export interface RetryContext extends RetryableCall {
  /** Requests sent so far. */
  readonly attempt: number;
  /** How many of them were answered with 429. */
  readonly refusals: number;
  readonly tokenReplaced: boolean;
  readonly remainingMs: number;
  /** The service's wall clock, to read a Retry-After date. */
  readonly wallTime: number;
  readonly policy: RetryPolicy;
  readonly random: Random;
}

export type RetryDecision =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'replaceToken' }
  /** `inDoubt`: a mutation may have been carried out. */
  | { readonly do: 'stop'; readonly inDoubt: boolean };

/** The repeat table. */
export function decideRetry(failure: Failure, now: RetryContext): RetryDecision {
  const isMutation = now.kind === 'mutation';
  switch (failure.what) {
    case 'unauthorized':
      return now.tokenReplaced || now.kind === 'login' ? stop() : { do: 'replaceToken' };
    case 'unreachable':
      return failure.again ? again(now) : stop();
    case 'broken':
    case 'cut':
      return isMutation && !now.idempotent ? stop(true) : again(now, isMutation);
    case 'garbled':
      // Something answered, whole, but not the service as the contract has it: a repeat will not change that.
      return stop(isMutation);
    case 'status':
      if (failure.status === 401 && now.kind !== 'login') return now.tokenReplaced ? stop() : { do: 'replaceToken' };
      if (failure.status === 429) return pause(failure.retryAfter, now);
      if (failure.status >= 502 && failure.status <= 504) {
        return isMutation && !now.idempotent ? stop(true) : again(now, isMutation, failure.retryAfter);
      }
      // Any other 5xx is not repeated, but whether a mutation was carried out before it, nobody knows.
      return stop(isMutation && failure.status >= 500);
  }
}

function stop(inDoubt = false): RetryDecision {
  return { do: 'stop', inDoubt };
}

function again(now: RetryContext, inDoubt = false, retryAfter: string | null = null): RetryDecision {
  // A 429 is a queue, not a failure: it does not use up what is allowed for failures.
  const counted = now.attempt - now.refusals;
  if (!now.policy.enabled || counted >= now.policy.attempts) return stop(inDoubt);
  const ms = capped(readRetryAfter(retryAfter, now.wallTime) ?? backOff(counted, now), now.remainingMs);
  return ms === null ? stop(inDoubt) : { do: 'wait', ms };
}

/** 429: the request was refused before it ran, so it is safe for mutations too; only the deadline ends it. */
function pause(retryAfter: string | null, now: RetryContext): RetryDecision {
  if (!now.policy.enabled) return stop();
  const wanted = readRetryAfter(retryAfter, now.wallTime) ?? backOff(now.refusals, now);
  const ms = now.kind === 'mutation' ? cappedForAnswer(wanted, now.remainingMs) : capped(wanted, now.remainingMs);
  return ms === null ? stop() : { do: 'wait', ms };
}

/** Full jitter: anything between nothing and the exponential step, so that clients that failed together part. */
function backOff(failures: number, now: RetryContext): number {
  const step = Math.min(now.policy.maxDelayMs, now.policy.baseDelayMs * 2 ** Math.max(0, failures - 1));
  return now.random() * step;
}

/**
 * A pause never eats the whole deadline: a tenth of what remains is kept for sending once more, and when that is next to
 * nothing there is no point in another try (null).
 */
function capped(ms: number, remainingMs: number): number | null {
  return remainingMs < 20 ? null : Math.min(ms, remainingMs * 0.9);
}

/** What a service may need to answer, when it is sent what nobody should be left in doubt about. */
const answerMs = 250;

/**
 * As `capped`, for a mutation that was refused: nothing is in doubt yet, and it is left so rather than cut off by the deadline
 * right after it was sent once more.
 */
function cappedForAnswer(ms: number, remainingMs: number): number | null {
  return remainingMs <= answerMs ? null : Math.min(ms, remainingMs * 0.9, remainingMs - answerMs);
}

/** Retry-After in seconds or as an HTTP date; null when absent or unreadable. */
export function readRetryAfter(value: string | null, wallTime: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse takes nearly anything for a date; an HTTP date begins with the day of the week.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - wallTime);
}
