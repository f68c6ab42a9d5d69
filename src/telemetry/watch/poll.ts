// Polls: each request begins after the pause since the last answer, or after a backoff since a
// failure. It knows neither the request nor the passing of time.

import { pauseAfter } from '../../core/growing-pause.js';
import { isPassing } from '../../core/http-status.js';

/** An answer with its time of arrival. */
export interface TimedAnswer<Answer> {
  readonly answer: Answer;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly receivedAt: number;
  /** The same moment by the clock of the service. */
  readonly at: number;
}

export interface PollAnswer<Answer> extends TimedAnswer<Answer> {
  readonly kind: 'answer';
  /** The outage that this answer ends. `since` is by the clock of the service, `ms` how long it lasted. */
  readonly outage: { readonly since: number; readonly ms: number } | null;
}

export interface PollFailure {
  readonly kind: 'failure';
  readonly error: unknown;
  /** By the clock of the service: the last answer, or the first request when there was none. */
  readonly since: number;
  /** By the clock of the service: when the request failed. */
  readonly at: number;
  /** 1 for the first failure of an outage. */
  readonly failures: number;
  /** The pause until the next request, in milliseconds. */
  readonly waitMs: number;
}

export interface PollDependencies {
  /** Milliseconds since 1970, by the clock of this machine. */
  now(): number;
  /** The same by the clock of the service. */
  serviceNow(): number;
  /** From 0 up to 1: spreads the pauses after failures, so that many programs do not return at once. 1 leaves them as they are. */
  random(): number;
  /** Rejects when the watch has ended. */
  pause(ms: number): Promise<void>;
}

/** The first pause after a failure, which doubles up to the longest one. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** The least and the longest time for an answer. */
const SHORTEST_ANSWER_MS = 10_000;
const LONGEST_ANSWER_MS = 30_000;

const ONCE = { attempts: 1 } as const;

/** The call options of a poll. */
export interface PollOptions {
  readonly retry: { readonly attempts: 1 };
  readonly timeoutMs: number;
  readonly attemptTimeoutMs?: number;
}

/**
 * Returns the call options of a poll: one attempt, because a poll retries and reports an outage at
 * once. A service that sends nothing for the interval, or the shortest time, hangs; the wait for
 * the turn of the user may take longer. `timeoutMs`: the choice of the user.
 */
export function pollOptions(everyMs: number, timeoutMs: number | undefined): PollOptions {
  if (timeoutMs !== undefined) return { retry: ONCE, timeoutMs };
  const attemptTimeoutMs = Math.min(Math.max(everyMs, SHORTEST_ANSWER_MS), LONGEST_ANSWER_MS);
  return { retry: ONCE, timeoutMs: LONGEST_ANSWER_MS, attemptTimeoutMs };
}

/**
 * Yields answers and failures. Ends only with an error: one that is no outage, or that of a pause.
 */
export async function* poll<Answer>(
  everyMs: number,
  request: () => Promise<TimedAnswer<Answer>>,
  { now, serviceNow, random, pause }: PollDependencies,
): AsyncGenerator<PollAnswer<Answer> | PollFailure, never> {
  // Durations are measured with this machine's clock, which the answers of the service do not move.
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
      const longest = pauseAfter(failures, { firstMs: FIRST_WAIT_MS, longestMs: Math.max(LONGEST_WAIT_MS, everyMs) });
      const waitMs = longest * (0.5 + random() / 2);
      event = { kind: 'failure', error, since: since.service, at: serviceNow(), failures, waitMs };
    }
    yield event;
    // The time that the caller took for the event is a part of the pause.
    const left = event.kind === 'failure' ? event.waitMs : event.receivedAt + everyMs - now();
    // The clock may have been set back meanwhile.
    await pause(event.kind === 'failure' ? left : Math.min(Math.max(0, left), everyMs));
  }
}

/**
 * Returns true for an outage. Some failures are one only after a good answer: before it, the
 * request, the address or a certificate is probably wrong. The error is a FleetError, or one of the
 * command line with the same codes.
 */
function isOutage(error: unknown, hasAnswered: boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code, retryable, status }: Error & { code?: unknown; retryable?: unknown; status?: unknown } = error;
  if (retryable === true) return true;
  if (code === 'HTTP') return typeof status === 'number' && isPassing(status);
  if (code === 'NETWORK') return hasAnswered || retryable === undefined;
  return hasAnswered && (code === 'GRAPHQL' || code === 'PROTOCOL');
}
