// The request pipeline of one login: its steps and their shared state. Each user of the login has
// its own queue. All users share session, gate and connections.
import { listLoginUsers } from '../auth/login-endpoints.js';
import { type CredentialsSource, Session, type SessionInfo } from '../auth/session.js';
import type { TokenStore } from '../auth/token-store.js';
import { callChannel, requestChannel, retryChannel } from '../core/channels.js';
import type { CallDeadline, Deadline } from '../core/deadline.js';
import { durationText } from '../core/durations.js';
import type { Turns } from '../core/error-facts.js';
import { errorOf } from '../core/error-messages.js';
import { AuthenticationError, type LoginUser } from '../core/errors.js';
import type { Notifier, Warning } from '../core/hooks.js';
import type { Clock, Random, Timers } from '../core/ports.js';
import type { Gate } from '../locks/gate.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { ResponseLimit } from '../transport/response-limits.js';
import { type ClockJump, ServiceClock } from '../transport/service-clock.js';
import type { MergedCalls } from './batch.js';
import type { CallRequest, RequestAnswer } from './call.js';
import { Deadlines } from './deadlines.js';
import type { TransportOutcome } from './failure.js';
import type { HttpStep } from './http-steps.js';
import { loginRequests, PendingLogins } from './login-requests.js';
import { Merging } from './merging.js';
import { observe, reportRetry } from './observe.js';
import type { AddedHeaders } from './request-headers.js';
import { retry, ServiceHealth, type WaitedFor } from './retry.js';
import type { RetryPolicy } from './retry-policy.js';
import { sendOnce } from './send.js';
import type { ClientStats } from './stats.js';
import type { Next, RequestStep } from './steps.js';
import { UserTurns } from './turn.js';
import { unwrap } from './unwrap-result.js';
import { UserQueues } from './user-queue.js';

export interface PipelineOptions {
  /** Normalised: no slash at the end. */
  readonly baseUrl: string;
  readonly login: {
    readonly credentials?: CredentialsSource | undefined;
    readonly sessionKey?: string | undefined;
    readonly store: TokenStore;
  };
  readonly turns: { readonly gate: Gate; readonly among: Turns };
  readonly http: HttpTransport;
  readonly limits: {
    readonly timeoutMs: number;
    readonly maxWaiting: number;
    /** Limit of root fields in one document; 0 disables merging. */
    readonly mergeMax: number;
    readonly response: ResponseLimit;
    readonly retry: RetryPolicy;
  };
  readonly addedHeaders: AddedHeaders;
  readonly notifier: Notifier;
  readonly exposeServiceMessages?: boolean;
  readonly world: { readonly clock: Clock; readonly timers: Timers; readonly random: Random };
}

/** A typed list of steps whose last one still needs a next step. */
class Steps<Request, Answer, LastRequest, LastAnswer> {
  readonly #endWith: (last: Next<LastRequest, LastAnswer>) => Next<Request, Answer>;

  constructor(endWith: (last: Next<LastRequest, LastAnswer>) => Next<Request, Answer>) {
    this.#endWith = endWith;
  }

  next<NextRequest, NextAnswer>(
    step: RequestStep<LastRequest, LastAnswer, NextRequest, NextAnswer>,
  ): Steps<Request, Answer, NextRequest, NextAnswer> {
    return new Steps((next) => this.#endWith((request) => step(request, next)));
  }

  last(last: Next<LastRequest, LastAnswer>): Next<Request, Answer> {
    return this.#endWith(last);
  }
}

function first<Request, Answer, NextRequest, NextAnswer>(
  step: RequestStep<Request, Answer, NextRequest, NextAnswer>,
): Steps<Request, Answer, NextRequest, NextAnswer> {
  return new Steps<Request, Answer, Request, Answer>((last) => last).next(step);
}

function onlyIf<Request, Answer>(
  condition: () => boolean,
  step: RequestStep<Request, Answer>,
): RequestStep<Request, Answer> {
  return (request, next) => (condition() ? step(request, next) : next(request));
}

/** Returns a function that is true while hooks or channels observe calls and requests. */
function observation(notifier: Notifier): () => boolean {
  return () =>
    notifier.watchesRequests ||
    callChannel.hasSubscribers ||
    requestChannel.hasSubscribers ||
    retryChannel.hasSubscribers;
}

const MINUTE_MS = 60_000;

function clockJumped({ aheadMs, beforeMs }: ClockJump): Warning {
  const difference = (ms: number) =>
    Math.abs(ms) < MINUTE_MS
      ? 'equal to'
      : `${durationText(Math.round(Math.abs(ms) / MINUTE_MS) * MINUTE_MS, 2)} ${ms > 0 ? 'ahead of' : 'behind'}`;
  return {
    code: 'SERVICE_CLOCK',
    message: `The service's clock is ${difference(aheadMs)} the clock of this machine; it was ${difference(beforeMs)} it at the login. One of them was changed, or another machine answers. Ages, "now" and times such as -2h follow the service's clock, so they may be wrong. If the difference is right, a new login accepts it.`,
  };
}

export class Pipeline {
  readonly session: Session;
  readonly serviceClock: ServiceClock;
  readonly deadlines: Deadlines;
  readonly send: <Value>(request: CallRequest<Value>) => Promise<Value>;
  readonly #options: PipelineOptions;
  readonly #sendLogin: ReturnType<typeof loginRequests>;
  readonly #queues: UserQueues;
  readonly #turns: UserTurns;
  readonly #steps: HttpStep[] = [];
  readonly #closing = new AbortController();
  #closed: Promise<void> | null = null;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { baseUrl, login, http, limits, addedHeaders, notifier } = options;
    const { clock, timers, random } = options.world;
    const warn = notifier.warning;
    const serviceClock = new ServiceClock(clock, (jump) => warn(clockJumped(jump)));
    const health = new ServiceHealth(timers);
    const pending = new PendingLogins();
    const retrying = { policy: limits.retry, health, timers, random, wallClock: serviceClock, notifier };
    const isObserved = observation(notifier);
    const common = { baseUrl, http, serviceClock, timers, notifier, addedHeaders };
    const sending = { ...common, responseLimit: limits.response, steps: this.#steps, isObserved };
    this.#sendLogin = loginRequests({
      sending,
      retrying: { ...retrying, turns: { among: options.turns.among } },
      timeoutMs: limits.timeoutMs,
      pending,
      closing: this.#closing.signal,
    });
    const session = new Session({ baseUrl, ...login, clock, timers, serviceClock, notifier, send: this.#sendLogin });
    const waitedFor = waitingForToken(session, pending);
    const deadlines = new Deadlines(
      { timeoutMs: limits.timeoutMs, exposeServiceMessages: options.exposeServiceMessages ?? false, timers },
      waitedFor,
    );
    const merging = new Merging(limits.mergeMax, timers, warn);
    const dependsOnContext = () => addedHeaders.ofRequest !== null || this.#steps.length > 0;
    const queues = new UserQueues(baseUrl, { timers, merging, maxWaiting: limits.maxWaiting, dependsOnContext });
    const turns = new UserTurns({ baseUrl, ...options.turns, http, session, timers, warn });

    // Calls go down this list, and answers come back up. After the queue they travel in batches.
    const send: Next<CallRequest, unknown> = first(onlyIf(isObserved, observe(notifier, timers)))
      .next(deadlines.limit)
      .next(unwrap)
      .next(queues.wait)
      .next(prepare(baseUrl, http, session, waitedFor))
      .next(turns.take)
      .next(retry<MergedCalls, RequestAnswer>({ ...retrying, turns }))
      .next(token(session, waitedFor))
      .last(sendOnce(sending));
    // The resolved value is the result of `request.read`.
    this.send = send as typeof this.send;

    this.session = session;
    this.serviceClock = serviceClock;
    this.deadlines = deadlines;
    this.#queues = queues;
    this.#turns = turns;
  }

  use(step: HttpStep): void {
    this.#steps.push(step);
  }

  stats(): ClientStats {
    return { label: this.#options.notifier.label, users: this.#queues.stats() };
  }

  /** Makes sure that there is a session, loads the transport's code, and opens a connection. */
  async ready(deadline: Deadline): Promise<SessionInfo> {
    const { http, baseUrl } = this.#options;
    const loading = http.prepare?.(baseUrl)?.catch(() => undefined);
    const session = await deadline.within(this.session.ready(deadline));
    await deadline.within(Promise.resolve(loading));
    this.#turns.openConnection();
    return session;
  }

  async users(deadline: CallDeadline): Promise<LoginUser[]> {
    const oldToken = await deadline.within(this.session.token(deadline));
    const users = await deadline.within(listLoginUsers(this.#sendLogin, oldToken));
    if (Array.isArray(users)) return users;
    const { notifier } = this.#options;
    const which = { requestId: notifier.newId(), label: notifier.label, user: null, callIds: [] };
    reportRetry(notifier, { ...which, operations: ['userinfo'], kind: 'login', attempt: 1, reason: '401', waitMs: 0 });
    const newToken = await deadline.within(this.session.replace(oldToken, deadline));
    const usersOfNewToken = await deadline.within(listLoginUsers(this.#sendLogin, newToken));
    if (Array.isArray(usersOfNewToken)) return usersOfNewToken;
    const call = { operation: 'userinfo', attempts: 2, ...usersOfNewToken };
    throw errorOf(AuthenticationError, { kind: 'tokenRefused', status: 401 }, call);
  }

  /**
   * Accepts no more calls and waits until all have ended, for `drainMs` at most. Then rejects the
   * waiting callers, gives up active requests, and closes the connections. Only a refresh that was
   * sent is finished: its answer may hold the only refresh token that still works.
   */
  async close(drainMs = 0): Promise<void> {
    await this.deadlines.drain(this.deadlines.calls, drainMs);
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    this.deadlines.calls.close();
    this.#queues.close();
    await this.session.finish();
    await this.#options.http.close();
  }
}

// The steps that give a request its token. It is requested before the turn, so that no login blocks
// the turn. Within the turn it is only read again, unless it has expired or was refused meanwhile.

type TokenSource = Pick<Session, 'validToken' | 'token' | 'replace'>;

const LOCK_OF_SESSION = 'another process or client held the lock of the session';

function waitingForToken(session: Pick<Session, 'isWaitingForLock'>, pending: PendingLogins): () => WaitedFor {
  return () => (session.isWaitingForLock ? { text: LOCK_OF_SESSION } : pending.waitedFor());
}

/** Prepares a request before its turn: a token, and the code of the transport. */
function prepare(
  baseUrl: string,
  http: Pick<HttpTransport, 'prepare'>,
  session: TokenSource,
  waitedFor: () => WaitedFor,
): RequestStep<MergedCalls, RequestAnswer> {
  return (batch, next) => {
    const { deadline, progress } = batch;
    // When a part cannot be loaded, the request that needs it fails and reports it.
    const loading = http.prepare?.(baseUrl)?.catch(() => undefined) ?? null;
    const isTokenThere = session.validToken() !== null;
    if (isTokenThere && loading === null) return next(batch);
    if (!isTokenThere) progress.waitedFor = waitedFor;
    const ready = Promise.all([isTokenThere ? null : session.token(deadline), loading]);
    return deadline.within(ready).then(() => next(batch));
  };
}

/** Gives each request a valid token other than the refused one. */
function token(
  session: TokenSource,
  waitedFor: () => WaitedFor,
): RequestStep<MergedCalls, TransportOutcome<RequestAnswer>> {
  return (batch, next) => {
    const { progress } = batch;
    const valid = progress.refusedToken === null ? session.validToken() : null;
    if (valid === null) return withNewToken(batch, next);
    progress.token = valid;
    return next(batch);
  };

  async function withNewToken(batch: MergedCalls, next: Next<MergedCalls, TransportOutcome<RequestAnswer>>) {
    const { deadline, progress } = batch;
    progress.waitedFor = waitedFor;
    if (progress.refusedToken !== null) await deadline.within(session.replace(progress.refusedToken, deadline));
    progress.refusedToken = null;
    progress.token = session.validToken() ?? (await deadline.within(session.token(deadline)));
    return next(batch);
  }
}
