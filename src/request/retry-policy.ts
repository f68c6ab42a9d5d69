// The retry policy: what follows a failed request, as one pure function of the failure, the kind of call and the tries so far. Nothing
// here waits or sends.
import { pauseAfter } from '../core/growing-pause.js';
import { isRateLimited, isServerError, isTransient } from '../core/http-status.js';
import type { RetryLimits } from '../core/operation.js';
import type { Random } from '../core/ports.js';
import { retryAfterMs } from '../transport/retry-after.js';
import type { Failure } from './failure.js';

/** How often a failed request is sent again, and after which pauses. */
export interface RetryOptions extends RetryLimits {
  /** Longest first pause in milliseconds; it doubles with every retry. Default 100. */
  readonly baseDelayMs?: number | undefined;
  /** Longest pause in milliseconds. Default 5000. */
  readonly maxDelayMs?: number | undefined;
}

export interface RetryPolicy {
  /** For any failures together. */
  readonly attempts: number;
  readonly forMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** False: nothing is sent again but a request whose token was refused. */
  readonly enabled: boolean;
}

/** After its first failure a call is sent again for this long while the service is down for a moment: a rolling restart takes about 30 s. */
const RETRY_FOR_MS = 40_000;
/** Longest pause before the first retry; it doubles with each one. */
const FIRST_DELAY_MS = 100;
/** Longest pause before any retry. */
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

/** What the policy needs to know of a call. */
export interface RetryableCall {
  readonly kind: 'query' | 'mutation' | 'login';
  /** The caller allows a mutation to be sent again when its outcome is unknown. */
  readonly idempotent: boolean;
}

/** The tries of one request so far. */
export interface Tries {
  readonly attempts: number;
  /** How many of them were answered with 429. */
  readonly rateLimited: number;
  /** How many failed as the last one did. */
  readonly alike: number;
  /** Since the first failure. */
  readonly failingForMs: number;
  readonly tokenReplaced: boolean;
  /** The service accepted the token before, and no 403 was about rights yet. */
  readonly mayHaveLostToken: boolean;
}

/** What else decides. */
export interface RetryConditions {
  readonly policy: RetryPolicy;
  readonly random: Random;
  /** Whether the service has ever answered this client: otherwise its address may be wrong. */
  readonly hasAnswered: boolean;
  /** How long the service took to answer the last request. */
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
      // The same code would fail in the same way.
      return STOP;
    case 'malformed':
      // Something answered in full, but not as the contract says: another request would not change that.
      return STOP;
    case 'status':
      if (failure.status === 401 && call.kind !== 'login') return tries.tokenReplaced ? STOP : REPLACE_TOKEN;
      // A service that was restarted may refuse a token that it gave, in a form that could be about rights too.
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
/** Requests for a call whose connection is lost, and for one to a service that has never answered. */
const LOST_CONNECTION_ATTEMPTS = 5;

/** Whether the call has been sent often enough. */
function isSpent(failure: Failure, tries: Tries, { policy, hasAnswered }: RetryConditions): boolean {
  if (failures(tries) >= policy.attempts) return true;
  const isDown =
    failure.kind === 'status' ? isTransient(failure.status) : failure.kind === 'unreachable' && hasAnswered;
  if (isDown) return tries.failingForMs >= policy.forMs;
  return tries.alike >= (failure.kind === 'status' ? SERVER_ERROR_ATTEMPTS : LOST_CONNECTION_ATTEMPTS);
}

/** A 429 is a queue, not a failure: it does not use up the attempts. */
function failures({ attempts, rateLimited }: Tries): number {
  return attempts - rateLimited;
}

/** The request was refused before it ran, so a mutation may be sent again too; only the deadline ends it. */
function retryRateLimited(
  retryAfter: string | null,
  call: RetryableCall,
  { rateLimited }: Tries,
  conditions: RetryConditions,
): RetryDecision {
  if (!conditions.policy.enabled) return STOP;
  return wait(pauseOf(retryAfter, rateLimited, conditions), call, conditions);
}

/** What the service asks for, and never less than the usual pause: some services always say 0, or a time that is past. */
function pauseOf(retryAfter: string | null, repeats: number, conditions: RetryConditions): number {
  return Math.max(retryAfterMs(retryAfter, conditions.wallTime) ?? 0, backOff(repeats, conditions));
}

/** Full jitter: a random part of the exponential step, so that clients that failed together do not retry together. */
function backOff(repeats: number, { policy, random }: RetryConditions): number {
  return random() * pauseAfter(repeats, { firstMs: policy.baseDelayMs, longestMs: policy.maxDelayMs });
}

/** With less time than this, another request makes no sense. */
const SHORTEST_REMAINING_MS = 20;
/** A pause takes at most this part of the remaining time. */
const LONGEST_PART = 0.9;
/** Time for the service to answer a mutation: it is not sent so late that the deadline would leave its outcome in doubt. */
const MUTATION_ANSWER_MS = 250;
/** An answer gets this many times the time of the last one, up to a limit. */
const ANSWER_MARGIN = 3;
const LONGEST_ANSWER_MS = 1000;

/** Leaves time for the answer, so that the error of a call that is refused to the end says so, and not that its time ran out. */
function wait(ms: number, { kind }: RetryableCall, { remainingMs, answerMs }: RetryConditions): RetryDecision {
  const least = kind === 'mutation' ? MUTATION_ANSWER_MS : SHORTEST_REMAINING_MS;
  const leave = Math.max(least, Math.min(LONGEST_ANSWER_MS, answerMs * ANSWER_MARGIN));
  if (remainingMs <= leave) return STOP;
  return { action: 'wait', ms: Math.min(ms, remainingMs * LONGEST_PART, remainingMs - leave) };
}
