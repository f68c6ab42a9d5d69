// Polls: each request begins after the pause since the last answer, or after the backoff since a
// failure. Request and clock are dependencies.

import { backoffMs } from '../../core/backoff.js';
import { mayPassLater } from '../../core/http-status.js';

export interface TimedAnswer<Answer> {
  readonly answer: Answer;
  /** Local time in milliseconds since 1970. */
  readonly receivedAt: number;
  /** The time of the service. */
  readonly at: number;
}

export interface PollAnswer<Answer> extends TimedAnswer<Answer> {
  readonly kind: 'answer';
  /** The outage that this answer ends. `since`: by the service's clock; `ms`: its duration. */
  readonly outage: { readonly since: number; readonly ms: number } | null;
}

export interface PollFailure {
  readonly kind: 'failure';
  readonly error: unknown;
  /** By the service's clock: the last answer, else the first request. */
  readonly since: number;
  /** By the service's clock: the time of the failure. */
  readonly at: number;
  /** 1 for the first failure of an outage. */
  readonly failures: number;
  /** In milliseconds, until the next request. */
  readonly waitMs: number;
}

export interface PollDependencies {
  /** Local time in milliseconds since 1970. */
  now(): number;
  /** The time of the service. */
  serviceNow(): number;
  /** Returns 0 to 1 (no jitter): spreads the pauses after failures of many programs. */
  random(): number;
  /** Rejects when the watch has ended. */
  pause(ms: number): Promise<void>;
}

/** The first pause after a failure; it doubles up to the longest one. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

const SHORTEST_ANSWER_MS = 10_000;
const LONGEST_ANSWER_MS = 30_000;

const ONCE = { attempts: 1 } as const;

export interface PollOptions {
  readonly retry: { readonly attempts: 1 };
  readonly timeoutMs: number;
  readonly attemptTimeoutMs?: number;
}

/**
 * Returns the call options of a poll: a single attempt, because the poll retries and reports an
 * outage at once. An attempt without a byte for the interval (10 to 30 s) has hung; waiting in the
 * user's queue does not count. `timeoutMs`: the option of the caller.
 */
export function pollOptions(everyMs: number, timeoutMs: number | undefined): PollOptions {
  if (timeoutMs !== undefined) return { retry: ONCE, timeoutMs };
  const attemptTimeoutMs = Math.min(Math.max(everyMs, SHORTEST_ANSWER_MS), LONGEST_ANSWER_MS);
  return { retry: ONCE, timeoutMs: LONGEST_ANSWER_MS, attemptTimeoutMs };
}

/** Yields answers and failures. Throws errors that are not an outage, and those of `pause`. */
export async function* poll<Answer>(
  everyMs: number,
  request: () => Promise<TimedAnswer<Answer>>,
  { now, serviceNow, random, pause }: PollDependencies,
): AsyncGenerator<PollAnswer<Answer> | PollFailure, never> {
  // Durations use the local clock, which answers of the service do not adjust.
  let since = { machine: now(), service: serviceNow() };
  let failures = 0;
  let hasAnswered = false;
  for (;;) {
    let event: PollAnswer<Answer> | PollFailure;
    try {
      const received = await request();
      const { receivedAt, at } = received;
      const outage = failures === 0 ? null : { since: since.service, ms: receivedAt - since.machine };
      event = { kind: 'answer', ...received, outage };
      since = { machine: receivedAt, service: at };
      failures = 0;
      hasAnswered = true;
    } catch (error) {
      if (!isOutage(error, hasAnswered)) throw error;
      failures++;
      const longest = backoffMs(failures, { firstMs: FIRST_WAIT_MS, longestMs: Math.max(LONGEST_WAIT_MS, everyMs) });
      const waitMs = longest * (0.5 + random() / 2);
      event = { kind: 'failure', error, since: since.service, at: serviceNow(), failures, waitMs };
    }
    yield event;
    // The time that the caller spent on the event is part of the pause.
    const left = event.kind === 'failure' ? event.waitMs : event.receivedAt + everyMs - now();
    // The clock may have been set back meanwhile.
    await pause(event.kind === 'failure' ? left : Math.min(Math.max(0, left), everyMs));
  }
}

/**
 * Returns true for an outage. Some failures count only after a good answer: before it, probably the
 * request, the address or a certificate is wrong. The error is a FleetError, or one of the command
 * line with an equal code.
 */
function isOutage(error: unknown, hasAnswered: boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code, retryable, status }: Error & { code?: unknown; retryable?: unknown; status?: unknown } = error;
  if (retryable === true) return true;
  if (code === 'HTTP') return typeof status === 'number' && mayPassLater(status);
  if (code === 'NETWORK') return hasAnswered || retryable === undefined;
  return hasAnswered && (code === 'GRAPHQL' || code === 'PROTOCOL');
}
