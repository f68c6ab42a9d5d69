// Requests the same thing again and again: the next time only after the last answer or failure, and after failures with growing
// pauses. It knows neither what is requested nor how time passes.
import { pauseAfter } from '../../core/growing-pause.js';
import { isOutage } from './outage.js';

/** An answer, and when it arrived. */
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

/** How the requests of a poll are sent. */
export interface PollOptions {
  readonly attempts: 1;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs?: number;
}

/**
 * Once, because a poll asks again by itself and tells an outage at once. A service that sends nothing for the interval, or the shortest time,
 * hangs; the wait for the turn of the user may take longer. `timeoutMs` is what the user chose.
 */
export function pollOptions(everyMs: number, timeoutMs: number | undefined): PollOptions {
  if (timeoutMs !== undefined) return { attempts: 1, timeoutMs };
  const attemptTimeoutMs = Math.min(Math.max(everyMs, SHORTEST_ANSWER_MS), LONGEST_ANSWER_MS);
  return { attempts: 1, timeoutMs: LONGEST_ANSWER_MS, attemptTimeoutMs };
}

/** Ends only with an error: one that is no outage, or that of a pause. */
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
    // What the caller did with the event counts as part of the pause.
    const left = event.kind === 'failure' ? event.waitMs : event.receivedAt + everyMs - now();
    // The clock may have been set back meanwhile.
    await pause(event.kind === 'failure' ? left : Math.min(Math.max(0, left), everyMs));
  }
}
