// Sends the requests of the login endpoints over the shared transport and with the step `retry`.
// They have their own deadline, because all callers that wait for a token share them.
import type { LoginAnswer, LoginRequest, LoginStep, SendLogin } from '../auth/login-endpoints.js';
import { AbortFlag, CallDeadline, onAbort } from '../core/deadline.js';
import type { RequestEvent } from '../core/hooks.js';
import { isRateLimited, isServerError, isTransient } from '../core/http-status.js';
import { endError } from '../core/wait-errors.js';
import { withAttemptTimeout } from '../transport/attempt-timeout.js';
import type { HttpResponse } from '../transport/http-transport.js';
import { responseIdOf, retryAfterOf } from '../transport/response-headers.js';
import { failureOf, type TransportOutcome } from './failure.js';
import { FailedRequest } from './failure-error.js';
import { sendThroughSteps } from './http-steps.js';
import { type HeaderMap, programHeaders } from './request-headers.js';
import { CallProgress, lastRequestOf, type Repeatable, type RetryStepOptions, retry, type WaitedFor } from './retry.js';
import type { SendOptions } from './send.js';
import type { Next } from './steps.js';

/** A login request that receives no byte for this long is sent again on a new connection. */
export const LOGIN_ATTEMPT_TIMEOUT_MS = 10_000;
/** Timeout of a refresh. It is longer, because the refresh may have spent the refresh token. */
const REFRESH_ATTEMPT_TIMEOUT_MS = 25_000;
/** Time of a refresh, even with shorter call deadlines: it may have spent the refresh token. */
const REFRESH_TIMEOUT_MS = 30_000;
/** Extra time to answer and store an active refresh after close or timeout. */
const LEFT_REFRESH_MS = 8_000;

export interface LoginRequestOptions {
  readonly sending: SendOptions;
  readonly retrying: RetryStepOptions<RepeatableLogin>;
  readonly timeoutMs: number;
  readonly pending: PendingLogins;
  readonly closing: AbortSignal;
}

interface RepeatableLogin extends Repeatable {
  readonly request: LoginRequest;
  readonly giveUp: AbortFlag;
}

export function loginRequests({ sending, retrying, timeoutMs, pending, closing }: LoginRequestOptions): SendLogin {
  const { timers } = sending;
  const sendAgain = retry<RepeatableLogin, LoginAnswer>(retrying);
  const sender = new LoginSender(sending);
  return async (request) => {
    const isRefresh = request.step === 'refresh';
    const patienceMs = isRefresh ? Math.max(timeoutMs, REFRESH_TIMEOUT_MS) : timeoutMs;
    const deadline = new CallDeadline(patienceMs, undefined, timers);
    const close = () => deadline.close();
    if (closing.aborted) close();
    else onAbort(closing, close);
    const progress = new CallProgress();
    const giveUp = new AbortFlag();
    let cancelGrace = () => {};
    deadline.onExceeded(() => {
      const end = () => giveUp.abort(deadline.reason);
      // The answer to a refresh may hold the only refresh token that still works.
      if (isRefresh && progress.isOnWire) cancelGrace = timers.after(LEFT_REFRESH_MS, end, { inRealTime: true });
      else end();
    });
    const login: RepeatableLogin = {
      request,
      call: { kind: 'login', idempotent: true },
      deadline,
      progress,
      giveUp,
      policy: (ofClient) => (request.isEarly ? { ...ofClient, enabled: false } : ofClient),
      inContext: (task) => task(),
    };
    try {
      return await pending.during({ step: request.step, progress }, () => sendAgain(login, sender.send));
    } catch (error) {
      throw errorOf(error, login);
    } finally {
      cancelGrace();
      closing.removeEventListener('abort', close);
      deadline.end();
    }
  };
}

function errorOf(error: unknown, { request: { step }, deadline, progress }: RepeatableLogin): unknown {
  const { endReason } = deadline;
  if (endReason === null) return error instanceof FailedRequest ? error.errorFor(step) : error;
  const refusal = (progress.lastRefusal ?? progress.lastFailure)?.errorFor(step);
  if (endReason.kind === 'timeout' && refusal) return refusal;
  return endError(endReason, { operation: step, attempts: progress.attempts, ...lastRequestOf(progress) });
}

class LoginSender {
  readonly #options: SendOptions;

  constructor(options: SendOptions) {
    this.#options = options;
  }

  readonly send: Next<RepeatableLogin, TransportOutcome<LoginAnswer>> = (login) => {
    const { baseUrl, addedHeaders } = this.#options;
    const { request, deadline, progress } = login;
    const { path, init } = request;
    deadline.throwIfExceeded();
    const event = this.#eventOf(request, progress.attempts + 1);
    progress.event = event;
    const target = { method: init.method, url: `${baseUrl}${path}`, path };
    const added = programHeaders(addedHeaders, event);
    const contract = { ...addedHeaders.agent, ...init.headers };
    return sendThroughSteps(this.#options, { event, target, deadline, added, contract }, (headers) =>
      this.#exchange(login, headers),
    );
  };

  #eventOf({ step }: LoginRequest, attempt: number): RequestEvent | null {
    const { addedHeaders, steps, isObserved, notifier } = this.#options;
    if (!addedHeaders.ofRequest && steps.length === 0 && !isObserved()) return null;
    const { label } = notifier;
    const which = { requestId: notifier.newId(), label, user: null, callIds: [], operations: [step] };
    return { ...which, kind: 'login', attempt, merged: 1, waitMs: 0 };
  }

  async #exchange(
    { request: { step, path, init }, deadline, progress, giveUp }: RepeatableLogin,
    headers: HeaderMap,
  ): Promise<TransportOutcome<LoginAnswer>> {
    const { baseUrl, http, timers, serviceClock, responseLimit: limit } = this.#options;
    const attemptTimeoutMs = step === 'refresh' ? REFRESH_ATTEMPT_TIMEOUT_MS : LOGIN_ATTEMPT_TIMEOUT_MS;
    const fetch = withAttemptTimeout(http.fetch.bind(http), timers, attemptTimeoutMs);
    let sentAt = 0;
    const beforeSend = () => {
      progress.recordSend(deadline, timers.now());
      sentAt = serviceClock.localNow();
    };
    let response: HttpResponse | null = null;
    const responseId = () =>
      response && responseIdOf(response, [init.body, init.headers.authorization?.replace(/^Bearer /, '')]);
    try {
      response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal: giveUp, beforeSend, limit });
      const { status } = response;
      serviceClock.observe(response, sentAt);
      const text = await response.text();
      const bytes = response.bytes ?? Buffer.byteLength(text);
      if (isRateLimited(status) || isTransient(status) || isServerError(status)) {
        const failure = { kind: 'status', status, retryAfter: retryAfterOf(response), errors: [] } as const;
        return { failure, response, bytes, responseId };
      }
      const challenge = response.headers.get('www-authenticate');
      const ids = { requestId: progress.event?.requestId ?? null, responseId: responseId() };
      return {
        value: { status, text, challenge, sentAt, attempts: progress.attempts, ids },
        response,
        bytes,
        responseId,
      };
    } catch (error) {
      const failure = failureOf(error, response?.status ?? null, baseUrl.startsWith('http:'));
      return { failure, response, bytes: response?.bytes ?? null, responseId };
    }
  }
}

interface PendingLogin {
  readonly step: LoginStep;
  readonly progress: CallProgress;
}

/** The active login requests, so that a timeout error can name the reason of the wait. */
export class PendingLogins {
  readonly #pending: PendingLogin[] = [];

  async during<T>(login: PendingLogin, work: () => Promise<T>): Promise<T> {
    this.#pending.push(login);
    try {
      return await work();
    } finally {
      this.#pending.splice(this.#pending.indexOf(login), 1);
    }
  }

  readonly waitedFor = (): WaitedFor => {
    // The list of users needs a token, so the token comes first.
    const login = this.#pending.find(({ step }) => step !== 'userinfo') ?? this.#pending[0];
    if (login === undefined) return { text: 'the token store or the credentials function had not answered' };
    const { step, progress } = login;
    const text = `the service had not answered the ${step === 'userinfo' ? 'request for the users of the login (userinfo)' : `${step} request`}`;
    return { text, refusal: (progress.lastRefusal ?? progress.lastFailure)?.errorFor(step) };
  };
}
