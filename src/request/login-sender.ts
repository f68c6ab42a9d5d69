// Carries out the requests of the login endpoints: over the same fetch and by the same repeat table as everything else, with
// a deadline of their own, because they are shared by all the callers who wait for a token.
import type { LoginAnswer, LoginRequest, SendLogin } from '../auth/login.js';
import { AbortError, TimeoutError } from '../errors.js';
import type { Report } from '../hooks.js';
import type { Clock, Random, Timers } from '../outside.js';
import { attempt, type Progress } from './attempt.js';
import { failureOf } from './failure.js';
import { FailedRequest, reasonOf } from './failure-error.js';
import { type Observed, observed } from './observe.js';
import { Patience, PatienceOver } from './patience.js';
import type { RetryRule } from './repeat.js';
import type { ServiceTime } from './service-time.js';
import { Stop } from './stop.js';
import type { ThinFetch } from './thin-fetch.js';

export interface LoginSenderOptions {
  readonly baseUrl: string;
  readonly http: ThinFetch;
  readonly timeoutMs: number;
  readonly rule: RetryRule;
  readonly clock: Clock;
  readonly serviceTime: ServiceTime;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Report;
  /** Fires when the client is closed. */
  readonly closing: AbortSignal;
}

/** While a token is still good, its successor is not waited for longer. */
const AHEAD_MS = 5_000;

export function loginSender(options: LoginSenderOptions): SendLogin {
  return async (request) => {
    const timeoutMs = request.isAhead ? Math.min(options.timeoutMs, AHEAD_MS) : options.timeoutMs;
    const patience = new Patience(timeoutMs, options.closing, options.timers);
    const progress: Progress = { attempts: 0, inDoubt: false, lastFailure: null };
    const over = new Stop();
    patience.onOver((reason) => over.abort(new PatienceOver(reason)));
    const call = { operations: [request.step], kind: 'login' as const, idempotent: true };
    try {
      return await attempt<LoginAnswer>(call, {
        send: async (number, leaving) => {
          if (patience.reason !== null) throw new PatienceOver(patience.reason);
          return observed(
            options.report,
            options.timers,
            () => ({ operations: call.operations, kind: call.kind, attempt: number, merged: 1, waitMs: 0 }),
            () => {
              leaving();
              return sendOnce(request, options, over, progress);
            },
          );
        },
        // A refused login or refresh has no token to replace: the repeat table never asks for it.
        replaceToken: async () => undefined,
        onPause: (failure, ms, number) =>
          options.report.retry({
            operations: call.operations,
            kind: call.kind,
            attempt: number,
            reason: reasonOf(failure),
            waitMs: ms,
          }),
        patience,
        progress,
        rule: request.isAhead ? { ...options.rule, enabled: false } : options.rule,
        random: options.random,
        wallClock: () => options.serviceTime.now(),
      });
    } catch (error) {
      const reason = patience.reason;
      if (reason === null) throw error instanceof FailedRequest ? error.errorFor(request.step) : error;
      const known = { operation: request.step, attempts: progress.attempts };
      if (reason === 'abort')
        throw new AbortError(`The ${request.step} request was given up: the client was closed.`, known);
      throw (
        progress.lastFailure?.errorFor(request.step) ??
        new TimeoutError(
          `The service did not answer the ${request.step} request in time (timeoutMs). Try again later.`,
          known,
        )
      );
    } finally {
      patience.end();
    }
  };
}

async function sendOnce(
  { path, init }: LoginRequest,
  { baseUrl, http, clock, serviceTime }: LoginSenderOptions,
  signal: Stop,
  progress: Progress,
): Promise<Observed<LoginAnswer>> {
  const sentAt = clock.now();
  let status: number | null = null;
  try {
    const response = await http.fetch(`${baseUrl}${path}`, { ...init, signal });
    status = response.status;
    serviceTime.hear(response, sentAt);
    const text = await response.text();
    if (status === 429 || (status >= 502 && status <= 504)) {
      const retryAfter = response.headers.get('retry-after');
      return { failure: { what: 'status', status, retryAfter, errors: [] }, status, text };
    }
    return { value: { status, text, sentAt, attempts: progress.attempts }, status, text };
  } catch (error) {
    return { failure: status === null ? failureOf(error) : { what: 'cut' }, status, text: null };
  }
}
