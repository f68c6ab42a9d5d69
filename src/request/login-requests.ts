// Carries out the requests of the login endpoints: over the same fetch and by the same repeat table as everything else, with
// a deadline of their own, because they are shared by all the callers who wait for a token.
import type { LoginAnswer, LoginRequest, SendLogin } from '../auth/login-endpoints.js';
import { AbortFlag } from '../core/abort-flag.js';
import { AbortError, TimeoutError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import type { Clock, Random, Timers } from '../core/ports.js';
import { failureOf, type TransportOutcome } from '../transport/failure.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { CallDeadline, DeadlineExceeded } from './deadline.js';
import { FailedRequest, reasonOf } from './failure-error.js';
import { instrumented } from './instrumentation.js';
import { type CallProgress, sendWithRetries } from './retry.js';
import type { RetryPolicy } from './retry-policy.js';

export interface LoginRequestOptions {
  readonly baseUrl: string;
  readonly http: HttpTransport;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly clock: Clock;
  readonly serviceTime: ServiceClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Notifier;
  /** Fires when the client is closed. */
  readonly closing: AbortSignal;
}

/** While a token is still good, its successor is not waited for longer. */
const AHEAD_MS = 5_000;

export function loginRequests(options: LoginRequestOptions): SendLogin {
  return async (request) => {
    const timeoutMs = request.isAhead ? Math.min(options.timeoutMs, AHEAD_MS) : options.timeoutMs;
    const patience = new CallDeadline(timeoutMs, options.closing, options.timers);
    const progress: CallProgress = { attempts: 0, inDoubt: false, isOnWire: false, lastFailure: null };
    const over = new AbortFlag();
    patience.onExceeded((reason) => over.abort(new DeadlineExceeded(reason)));
    const call = { operations: [request.step], kind: 'login' as const, idempotent: true };
    try {
      return await sendWithRetries<LoginAnswer>(call, {
        send: async (number, beforeSend) => {
          if (patience.reason !== null) throw new DeadlineExceeded(patience.reason);
          return instrumented(
            options.report,
            options.timers,
            () => ({ operations: call.operations, kind: call.kind, attempt: number, merged: 1, waitMs: 0 }),
            () => sendOnce(request, options, over, progress, beforeSend),
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
        deadline: patience,
        progress,
        policy: request.isAhead ? { ...options.retryPolicy, enabled: false } : options.retryPolicy,
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
  { baseUrl, http, clock, serviceTime }: LoginRequestOptions,
  signal: AbortFlag,
  progress: CallProgress,
  beforeSend: () => void,
): Promise<TransportOutcome<LoginAnswer>> {
  let sentAt = 0;
  const leave = () => {
    beforeSend();
    sentAt = clock.now();
  };
  let status: number | null = null;
  try {
    const response = await http.fetch(`${baseUrl}${path}`, { ...init, signal, beforeSend: leave });
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
