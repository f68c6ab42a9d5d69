// Sends the requests of the login endpoints: over the same transport and by the same retry policy as all others, with a deadline of
// their own, because all callers that wait for a token share them.
import type { LoginAnswer, LoginRequest, SendLogin } from '../auth/login-endpoints.js';
import { AbortFlag } from '../core/abort-flag.js';
import {
  LEFT_REFRESH_MS,
  LOGIN_ATTEMPT_TIMEOUT_MS,
  REFRESH_ATTEMPT_TIMEOUT_MS,
  REFRESH_TIMEOUT_MS,
} from '../core/defaults.js';
import type { Turns } from '../core/error-facts.js';
import type { Notifier, RequestEvent } from '../core/hooks.js';
import { isRateLimited, isServerError, isTransient } from '../core/http-status.js';
import type { Clock, Random, Timers } from '../core/ports.js';
import { failureOf, type TransportOutcome } from '../transport/failure.js';
import type { HttpTransport } from '../transport/http-transport.js';
import { responseIdOf } from '../transport/response-id.js';
import { retryAfterOf } from '../transport/retry-after.js';
import type { ServiceClock } from '../transport/service-clock.js';
import { CallDeadline, DeadlineExceeded } from './deadline.js';
import { endedError } from './deadline-error.js';
import { FailedRequest, reasonOf } from './failure-error.js';
import { instrumented, isObserved } from './instrumentation.js';
import type { PendingLogins } from './pending-logins.js';
import type { AddedHeaders } from './request-headers.js';
import { type CallProgress, newProgress, type ServiceHealth, sendWithRetries } from './retry.js';
import type { RetryPolicy } from './retry-policy.js';

export interface LoginRequestOptions {
  readonly baseUrl: string;
  readonly http: HttpTransport;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly turns: Turns;
  readonly health: ServiceHealth;
  readonly pending: PendingLogins;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Notifier;
  readonly addedHeaders: AddedHeaders;
  /** Fires when the client is closed. */
  readonly closing: AbortSignal;
}

export function loginRequests(options: LoginRequestOptions): SendLogin {
  return async (request) => {
    const isRefresh = request.step === 'refresh';
    const timeoutMs = isRefresh ? Math.max(options.timeoutMs, REFRESH_TIMEOUT_MS) : options.timeoutMs;
    const deadline = new CallDeadline(timeoutMs, options.closing, options.timers);
    const progress = newProgress();
    const ended = new AbortFlag();
    let cancelGrace = () => {};
    deadline.onExceeded((reason) => {
      const giveUp = () => ended.abort(new DeadlineExceeded(reason));
      // The answer to a refresh may hold the only refresh token that still works.
      if (isRefresh && progress.isOnWire) cancelGrace = options.timers.after(LEFT_REFRESH_MS, giveUp);
      else giveUp();
    });
    const call = { kind: 'login', idempotent: true } as const;
    const { report, timers, addedHeaders } = options;
    const which = { operations: [request.step], kind: call.kind, tenant: report.tenant, user: null, callIds: [] };
    let event: RequestEvent | null = null;
    try {
      const send = () =>
        sendWithRetries<LoginAnswer>(call, {
          send: async (attempt, beforeSend) => {
            if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
            const isEventNeeded = addedHeaders.ofRequest || isObserved(report);
            event = isEventNeeded ? { ...which, requestId: report.newId(), attempt, merged: 1, waitMs: 0 } : null;
            const added = event && addedHeaders.ofRequest?.(event);
            const headers = { ...addedHeaders.constant, ...added, ...request.init.headers };
            const complete = { ...request, init: { ...request.init, headers } };
            return instrumented(report, timers, event, () => sendOnce(complete, options, ended, progress, beforeSend));
          },
          // Never asked for: a login or refresh that is refused has no token to replace.
          replaceToken: async () => undefined,
          onRetry: (failure, waitMs, attempt) => {
            if (event)
              report.retry({ ...which, requestId: event.requestId, attempt, reason: reasonOf(failure), waitMs });
          },
          deadline,
          progress,
          health: options.health,
          timers: options.timers,
          policy: () => (request.isEarly ? { ...options.retryPolicy, enabled: false } : options.retryPolicy),
          random: options.random,
          wallClock: () => options.serviceClock.now(),
          turns: options.turns,
        });
      return await options.pending.during({ step: request.step, progress }, send);
    } catch (error) {
      const { reason } = deadline;
      if (reason === null) throw error instanceof FailedRequest ? error.errorFor(request.step) : error;
      const refusal = (progress.lastRefusal ?? progress.lastFailure)?.errorFor(request.step);
      if (reason === 'timeout' && refusal) throw refusal;
      throw endedError(reason, { operation: request.step, attempts: progress.attempts });
    } finally {
      cancelGrace();
      deadline.end();
    }
  };
}

async function sendOnce(
  { step, path, init }: LoginRequest,
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
  let responseId: string | null = null;
  try {
    const response = await http.fetch(`${baseUrl}${path}`, {
      ...init,
      signal,
      beforeSend: onSend,
      attemptTimeoutMs: step === 'refresh' ? REFRESH_ATTEMPT_TIMEOUT_MS : LOGIN_ATTEMPT_TIMEOUT_MS,
    });
    status = response.status;
    responseId = responseIdOf(response);
    serviceClock.observe(response, sentAt);
    const text = await response.text();
    if (isRateLimited(status) || isTransient(status) || isServerError(status)) {
      const retryAfter = retryAfterOf(response);
      return { failure: { kind: 'status', status, retryAfter, errors: [] }, status, text, responseId };
    }
    const challenge = response.headers.get('www-authenticate');
    const value = { status, text, challenge, sentAt, attempts: progress.attempts };
    return { value, status, text, responseId };
  } catch (error) {
    const failure = failureOf(error, status, baseUrl.startsWith('http:'));
    return { failure, status, text: null, responseId };
  }
}
