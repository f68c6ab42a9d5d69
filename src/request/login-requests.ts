// Sends the requests of the login endpoints: over the same transport and by the same retry policy as all others, with a deadline of
// their own, because all callers that wait for a token share them.
import type { LoginAnswer, LoginRequest, SendLogin } from '../auth/login-endpoints.js';
import { AbortFlag } from '../core/abort-flag.js';
import { EARLY_REFRESH_TIMEOUT_MS } from '../core/defaults.js';
import { AbortError, TimeoutError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import { isRateLimited, isTransient } from '../core/http-status.js';
import type { Clock, Random, Timers } from '../core/ports.js';
import { failureOf, type TransportOutcome } from '../transport/failure.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { CallDeadline, DeadlineExceeded } from './deadline.js';
import { FailedRequest, reasonOf } from './failure-error.js';
import { instrumented } from './instrumentation.js';
import { type CallProgress, newProgress, sendWithRetries } from './retry.js';
import type { RetryPolicy } from './retry-policy.js';

export interface LoginRequestOptions {
  readonly baseUrl: string;
  readonly http: HttpTransport;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Notifier;
  /** Fires when the client is closed. */
  readonly closing: AbortSignal;
}

export function loginRequests(options: LoginRequestOptions): SendLogin {
  return async (request) => {
    const timeoutMs = request.isEarly ? Math.min(options.timeoutMs, EARLY_REFRESH_TIMEOUT_MS) : options.timeoutMs;
    const deadline = new CallDeadline(timeoutMs, options.closing, options.timers);
    const progress = newProgress();
    const ended = new AbortFlag();
    deadline.onExceeded((reason) => ended.abort(new DeadlineExceeded(reason)));
    const call = { operations: [request.step], kind: 'login' as const, idempotent: true };
    try {
      return await sendWithRetries<LoginAnswer>(call, {
        send: async (attempt, beforeSend) => {
          if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
          return instrumented(
            options.report,
            options.timers,
            () => ({ operations: call.operations, kind: call.kind, attempt, merged: 1, waitMs: 0 }),
            () => sendOnce(request, options, ended, progress, beforeSend),
          );
        },
        // Never asked for: a login or refresh that is refused has no token to replace.
        replaceToken: async () => undefined,
        onRetry: (failure, waitMs, attempt) =>
          options.report.retry({
            operations: call.operations,
            kind: call.kind,
            attempt,
            reason: reasonOf(failure),
            waitMs,
          }),
        deadline,
        progress,
        policy: request.isEarly ? { ...options.retryPolicy, enabled: false } : options.retryPolicy,
        random: options.random,
        wallClock: () => options.serviceClock.now(),
      });
    } catch (error) {
      const { reason } = deadline;
      if (reason === null) throw error instanceof FailedRequest ? error.errorFor(request.step) : error;
      const details = { operation: request.step, attempts: progress.attempts };
      if (reason === 'abort') {
        throw new AbortError(`The ${request.step} request was given up: the client was closed.`, details);
      }
      throw (
        progress.lastFailure?.errorFor(request.step) ??
        new TimeoutError(
          `The service did not answer the ${request.step} request in time (timeoutMs). Try again later.`,
          details,
        )
      );
    } finally {
      deadline.end();
    }
  };
}

async function sendOnce(
  { path, init }: LoginRequest,
  { baseUrl, http, clock, serviceClock }: LoginRequestOptions,
  signal: AbortFlag,
  progress: CallProgress,
  beforeSend: () => void,
): Promise<TransportOutcome<LoginAnswer>> {
  let sentAt = 0;
  const onSend = () => {
    beforeSend();
    sentAt = clock.now();
  };
  let status: number | null = null;
  try {
    const response = await http.fetch(`${baseUrl}${path}`, { ...init, signal, beforeSend: onSend });
    status = response.status;
    serviceClock.observe(response, sentAt);
    const text = await response.text();
    if (isRateLimited(status) || isTransient(status)) {
      const retryAfter = response.headers.get('retry-after');
      return { failure: { kind: 'status', status, retryAfter, errors: [] }, status, text };
    }
    return { value: { status, text, sentAt, attempts: progress.attempts }, status, text };
  } catch (error) {
    return { failure: status === null ? failureOf(error) : { kind: 'truncated' }, status, text: null };
  }
}
