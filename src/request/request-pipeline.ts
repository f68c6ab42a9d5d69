// The life of a request, put together for one login: queue, gate, session, retries, transport. Each user of the login has a queue of its
// own; they all share session, gate and connections.
import { type ActingUser, turnKey } from '../auth/acting-user.js';
import { listUsers } from '../auth/login-endpoints.js';
import { type CredentialsSource, Session, type SessionInfo } from '../auth/session.js';
import type { TokenStore } from '../auth/token-store.js';
import { durationText } from '../core/durations.js';
import type { Turns } from '../core/error-facts.js';
import { messageOf } from '../core/error-messages.js';
import { AuthenticationError, type FleetUser } from '../core/errors.js';
import type { Notifier, RequestEvent, WarningEvent } from '../core/hooks.js';
import { isRateLimited } from '../core/http-status.js';
import type { Clock, Random, Timers } from '../core/ports.js';
import type { Gate } from '../locks/gate.js';
import { RowsTransport } from '../rows/rows-transport.js';
import type { GraphQLCodec } from '../transport/graphql-codec.js';
import { type GraphQLTransport, graphqlTransport } from '../transport/graphql-transport.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { ResponseLimit } from '../transport/response-limits.js';
import { type ClockJump, ServiceClock } from '../transport/service-clock.js';
import type { Call, CallAnswer, RequestAnswer } from './batch.js';
import { CallDeadline, type Deadline, DeadlineExceeded } from './deadline.js';
import { reasonOf } from './failure-error.js';
import { type CallTrace, instrumented, isObserved } from './instrumentation.js';
import { loginRequests } from './login-requests.js';
import { Merging } from './merging.js';
import { PendingLogins } from './pending-logins.js';
import type { AddedHeaders } from './request-headers.js';
import { ServiceHealth, sendWithRetries, type WaitedFor } from './retry.js';
import type { RetryPolicy } from './retry-policy.js';
import { SharedLogin } from './shared-login.js';
import { type ClientStats, RequestCounts } from './stats.js';
import { type Turn, UserQueue } from './user-queue.js';

export interface RequestPipelineOptions {
  /** Normalised: no slash at the end. */
  readonly baseUrl: string;
  readonly credentials: CredentialsSource | undefined;
  readonly sessionKey: string | undefined;
  readonly store: TokenStore;
  readonly gate: Gate;
  readonly turns: Turns;
  readonly http: HttpTransport;
  readonly codec: GraphQLCodec;
  /** The limit of answers with lists. `http` applies it to all others. */
  readonly responseLimit: ResponseLimit;
  /** Most root fields in one document; 0: nothing is merged. */
  readonly mergeMax: number;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Notifier;
  readonly addedHeaders: AddedHeaders;
}

/** What all requests of a user have in common. */
interface UserRequests {
  /** As events name the user. */
  readonly user: string | null;
  readonly gateKey: string;
  readonly counts: RequestCounts;
  readonly headers: (token: string) => Readonly<Record<string, string>>;
}

/** The headers are put together once for each token. */
function headersOf(user: ActingUser, constant: AddedHeaders['constant']): UserRequests['headers'] {
  let last: { readonly token: string; readonly headers: Readonly<Record<string, string>> } | null = null;
  return (token) => {
    if (last?.token !== token) {
      const json = { 'content-type': 'application/json', accept: 'application/json' };
      last = { token, headers: { ...constant, ...json, authorization: `Bearer ${token}`, ...user.header } };
    }
    return last.headers;
  };
}

/** The user as events name it: an id of the contract, and nothing that was given as one by mistake. */
function shownUser({ key }: ActingUser): string | null {
  return /^(fleet:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(key) ? key : null;
}

const waitingForGate = (): WaitedFor => ({ text: 'a request of another client or process was still under way' });
const LOCK_OF_SESSION = 'another process or client held the lock of the session';
const waitingForConnection = (): WaitedFor => ({ text: 'the connection to the service was not open yet' });

const MINUTE_MS = 60_000;

function clockJumped({ aheadMs, beforeMs }: ClockJump): WarningEvent {
  const difference = (ms: number) =>
    Math.abs(ms) < MINUTE_MS
      ? 'equal to'
      : `${durationText(Math.round(Math.abs(ms) / MINUTE_MS) * MINUTE_MS, 2)} ${ms > 0 ? 'ahead of' : 'behind'}`;
  return {
    code: 'SERVICE_CLOCK',
    message: `The service's clock is ${difference(aheadMs)} the clock of this machine; it was ${difference(beforeMs)} it at the login. One of them was changed, or another machine answers. Ages, "now" and times such as -2h follow the service's clock, so they may be wrong. If the difference is right, a new login accepts it.`,
  };
}

export class RequestPipeline {
  readonly session: Session;
  readonly serviceClock: ServiceClock;
  readonly #options: RequestPipelineOptions;
  readonly #sendLogin: ReturnType<typeof loginRequests>;
  readonly #pendingLogins = new PendingLogins();
  readonly #waitingForToken = (): WaitedFor =>
    this.session.isWaitingForLock ? { text: LOCK_OF_SESSION } : this.#pendingLogins.waitedFor();
  readonly #transport: GraphQLTransport;
  readonly #rowsTransport: RowsTransport;
  readonly #queues = new Map<string, { readonly queue: UserQueue; readonly requests: UserRequests }>();
  readonly #deadlines = new Set<CallDeadline>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | null = null;
  /** Begins with a 429 while the gate was held: the service seems to count requests per login, not per user. */
  readonly #sharedLogin: SharedLogin;
  readonly #merging: Merging;
  readonly #health: ServiceHealth;

  constructor(options: RequestPipelineOptions) {
    this.#options = options;
    const { mergeMax, turns, timers, report } = options;
    this.#health = new ServiceHealth(timers);
    this.#merging = new Merging(mergeMax, timers, report.warning);
    this.#sharedLogin = new SharedLogin(turns, timers, report.warning);
    this.serviceClock = new ServiceClock(options.clock, (jump) => report.warning(clockJumped(jump)));
    const { serviceClock } = this;
    this.#sendLogin = loginRequests({
      ...options,
      serviceClock,
      health: this.#health,
      pending: this.#pendingLogins,
      closing: this.#closing.signal,
    });
    this.session = new Session({ ...options, serviceClock, send: this.#sendLogin });
    const { baseUrl, http, codec, responseLimit } = options;
    this.#transport = graphqlTransport(baseUrl, http, codec, serviceClock);
    this.#rowsTransport = new RowsTransport(baseUrl, http, codec, serviceClock, responseLimit);
  }

  get report(): Notifier {
    return this.#options.report;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** What a caller waits for whose call is in no queue yet, as the end of a sentence. */
  get waitedFor(): WaitedFor {
    return this.#waitingForToken();
  }

  /** Runs a task under a deadline of its own. */
  async withDeadline<T>(
    timeoutMs: number | undefined,
    signal: AbortSignal | undefined,
    task: (deadline: CallDeadline) => Promise<T>,
  ): Promise<T> {
    const deadline = this.begin(timeoutMs, signal);
    try {
      return await task(deadline);
    } finally {
      this.end(deadline);
    }
  }

  /** The deadline of a new call; to be ended with `end` when the call is over. */
  begin(timeoutMs: number | undefined, signal: AbortSignal | undefined): CallDeadline {
    const deadline = new CallDeadline(timeoutMs ?? this.#options.timeoutMs, signal, this.#options.timers);
    this.#deadlines.add(deadline);
    return deadline;
  }

  end(deadline: CallDeadline): void {
    deadline.end();
    this.#deadlines.delete(deadline);
  }

  /** Sends a call for this user when its turn comes. */
  send(call: Call, user: ActingUser, deadline: CallDeadline, trace: CallTrace | null = null): Promise<CallAnswer> {
    if (trace) trace.user = shownUser(user);
    let known = this.#queues.get(user.key);
    if (!known) {
      const { baseUrl, timers, addedHeaders } = this.#options;
      const requests = {
        user: shownUser(user),
        gateKey: turnKey(baseUrl, user),
        counts: new RequestCounts(),
        headers: headersOf(user, addedHeaders.constant),
      };
      const queue = new UserQueue((first, turn) => this.#takeTurn(first, turn, requests), timers, this.#merging);
      known = { queue, requests };
      this.#queues.set(user.key, known);
    }
    return known.queue.run(call, deadline, trace);
  }

  /** What the calls of each user are doing. Sends nothing. */
  stats(): ClientStats {
    const users = [...this.#queues.values()].map(({ queue, requests: { user, counts } }) => {
      const { requests, mergedCalls, refusals, bytes } = counts;
      return { user, ...queue.activity(), requests, mergedCalls, refusals, bytes };
    });
    return { tenant: this.report.tenant, users };
  }

  /** Makes sure that there is a session, loads what the first request needs, and opens its connection. */
  async ready(deadline: Deadline): Promise<SessionInfo> {
    const { http, baseUrl } = this.#options;
    const loading = http.prepare?.(baseUrl)?.catch(() => undefined);
    const session = await deadline.within(this.session.ready(deadline));
    await deadline.within(Promise.resolve(loading));
    this.#openConnection();
    return session;
  }

  /** Asks the service for the users of the login. */
  async users(deadline: CallDeadline): Promise<FleetUser[]> {
    const token = await deadline.within(this.session.token(deadline));
    const users = await deadline.within(listUsers(this.#sendLogin, token));
    if (users) return users;
    const { report } = this.#options;
    const which = { requestId: report.newId(), tenant: report.tenant, user: null, callIds: [] };
    report.retry({ ...which, operations: ['userinfo'], kind: 'login', attempt: 1, reason: '401', waitMs: 0 });
    const newToken = await deadline.within(this.session.replace(token, deadline));
    const usersOfNewToken = await deadline.within(listUsers(this.#sendLogin, newToken));
    if (usersOfNewToken) return usersOfNewToken;
    const facts = { kind: 'tokenRefused', status: 401 } as const;
    const call = { operation: 'userinfo', attempts: 2, facts };
    throw new AuthenticationError(messageOf(facts, call), call);
  }

  /**
   * Rejects the callers that still wait, gives up the requests under way, and closes the connections. Only a refresh that was sent is
   * finished, because its answer may hold the only refresh token that still works.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    for (const deadline of [...this.#deadlines]) deadline.abort();
    for (const { queue } of this.#queues.values()) queue.close();
    await this.session.finish();
    await this.#options.http.close();
  }

  #takeTurn(first: Call, turn: Turn, requests: UserRequests): Promise<RequestAnswer> {
    const preparing = this.#prepare(turn);
    return preparing === null
      ? this.#holdGate(first, turn, requests)
      : preparing.then(() => this.#holdGate(first, turn, requests));
  }

  /** Gets what a request needs, so that nobody waits for that in its turn. Null when everything is there. */
  #prepare({ deadline, progress }: Turn): Promise<unknown> | null {
    const { http, baseUrl } = this.#options;
    // What cannot be loaded is told by the request that needs it.
    const loading = http.prepare?.(baseUrl)?.catch(() => undefined) ?? null;
    if (this.session.validToken() !== null) return loading && deadline.within(loading);
    progress.waitedFor = this.#waitingForToken;
    return deadline.within(Promise.all([this.session.token(deadline), loading]));
  }

  #holdGate(first: Call, turn: Turn, requests: UserRequests): Promise<RequestAnswer> {
    turn.progress.waitedFor = waitingForGate;
    const { priority = 'normal' } = first;
    // `turn.left.signal` is made only for a gate that reads it, or for a call that is not like most.
    const options = priority === 'normal' ? turn.left : { signal: turn.left.signal, priority };
    const hold = (key: string, task: () => Promise<RequestAnswer>) =>
      this.#options.gate.hold(key, () => turn.inContext(task), options);
    let hasBegun = false;
    const holdUser = () =>
      hold(requests.gateKey, () => {
        hasBegun = true;
        return this.#sendTurn(first, turn, requests);
      });
    setImmediate(() => {
      if (!hasBegun) this.#openConnection();
    });
    try {
      // The gate of the user is held in any case: a client that met no 429 still knows only that one.
      return this.#sharedLogin.isOn ? this.#loginGateKey().then((key) => hold(key, holdUser)) : holdUser();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Who waits for a turn opens its connection meanwhile: nobody waits for that in the turn. */
  #openConnection(): void {
    const { http, baseUrl } = this.#options;
    http.open?.(`${baseUrl}/graphql`);
  }

  async #loginGateKey(): Promise<string> {
    return `${this.#options.baseUrl} login ${await this.session.key()}`;
  }

  #sendTurn(call: Call, turn: Turn, requests: UserRequests): Promise<RequestAnswer> {
    const { kind, idempotent } = call;
    const { timers, report, retryPolicy, random } = this.#options;
    const { ofRequest } = this.#options.addedHeaders;
    const { deadline, progress } = turn;
    const waitMs = timers.now() - turn.waitingSince;
    let token = '';
    let event: RequestEvent | null = null;
    let policy = retryPolicy;
    const sendWith = (validToken: string, attempt: number, beforeSend: () => void) => {
      if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
      token = validToken;
      progress.waitedFor = waitingForConnection;
      const payload = turn.payload();
      const { document, variables, operations, calls: merged, attemptTimeoutMs, attempts, lists } = payload;
      if (lists) for (const list of lists.byName.values()) list.onSent?.(merged);
      if (attempts < retryPolicy.attempts) policy = { ...retryPolicy, attempts };
      return turn.inContext(() => {
        event = null;
        let headers = requests.headers(token);
        if (ofRequest || isObserved(report)) {
          const requestId = report.newId();
          const callIds = turn.noteRequest(requestId);
          const { tenant } = report;
          event = { requestId, tenant, user: requests.user, callIds, operations, kind, attempt, merged, waitMs };
          if (ofRequest) headers = { ...ofRequest(event), ...headers };
        }
        requests.counts.sent(merged, attempt === 1);
        return instrumented(report, timers, event, async () => {
          const request = { document, variables, headers, signal: turn.giveUp, beforeSend, attemptTimeoutMs };
          const outcome = lists
            ? await this.#rowsTransport.send(request, lists, turn.left)
            : await this.#transport.send(request);
          requests.counts.ended(outcome);
          return outcome;
        });
      });
    };
    return sendWithRetries(
      { kind, idempotent },
      {
        send: (attempt, beforeSend) => {
          const validToken = this.session.validToken();
          if (validToken !== null) return sendWith(validToken, attempt, beforeSend);
          progress.waitedFor = this.#waitingForToken;
          return this.#withNewToken(deadline, (newToken) => sendWith(newToken, attempt, beforeSend));
        },
        replaceToken: async () => {
          progress.waitedFor = this.#waitingForToken;
          await this.session.replace(token, deadline);
        },
        onRetry: (failure, pauseMs, attempt) => {
          if (event) {
            const { merged: _, ...request } = event;
            turn.inContext(() => report.retry({ ...request, attempt, reason: reasonOf(failure), waitMs: pauseMs }));
          }
          if (failure.kind === 'status' && isRateLimited(failure.status)) {
            turn.pauseQueue(pauseMs);
            void this.#options.gate.pause?.(requests.gateKey, pauseMs).catch(() => undefined);
            this.#sharedLogin.rateLimited();
          }
        },
        deadline,
        progress,
        policy: () => policy,
        health: this.#health,
        timers,
        random,
        wallClock: () => this.serviceClock.now(),
        turns: this.#options.turns,
      },
    );
  }

  async #withNewToken<T>(deadline: Deadline, send: (token: string) => Promise<T>): Promise<T> {
    return send(await deadline.within(this.session.token(deadline)));
  }
}
