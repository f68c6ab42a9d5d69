// A request's life, put together for one login: lane, gate, session, attempt, wire. Every user of the login has a lane of their own;
// session, gate and sockets are shared by all of them.

import { type ActingUser, turnKey } from '../auth/acting-user.js';
import { listUsers } from '../auth/login-endpoints.js';
import { type CredentialsSource, Session } from '../auth/session.js';
import type { TokenStore } from '../auth/token-store.js';
import { AuthenticationError, type FleetUser } from '../core/errors.js';
import type { Notifier, WarningEvent } from '../core/hooks.js';
import type { Clock, Random, Timers } from '../core/ports.js';
import type { Gate } from '../locks/gate.js';
import { rowTransport } from '../rows/row-transport.js';
import type { GraphQLCodec } from '../transport/graphql-codec.js';
import type { GraphQLAnswer } from '../transport/graphql-response.js';
import { type GraphQLTransport, graphqlTransport } from '../transport/graphql-transport.js';
import type { HttpTransport } from '../transport/http-transport.js';
import { ServiceClock } from '../transport/service-clock.js';
import type { Call, CallAnswer } from './batch.js';
import { CallDeadline, type Deadline, DeadlineExceeded } from './deadline.js';
import { reasonOf } from './failure-error.js';
import { instrumented } from './instrumentation.js';
import { loginRequests } from './login-requests.js';
import { PendingLogins } from './pending-logins.js';
import { sendWithRetries } from './retry.js';
import type { RetryPolicy } from './retry-policy.js';
import { type Turn, UserQueue } from './user-queue.js';

export interface RequestPipelineOptions {
  /** Normalised: no slash at the end. */
  readonly baseUrl: string;
  readonly credentials: CredentialsSource | undefined;
  readonly sessionKey: string | undefined;
  readonly store: TokenStore;
  readonly gate: Gate;
  readonly http: HttpTransport;
  readonly codec: GraphQLCodec;
  /** Root fields in one document at most; 0: nothing is merged. */
  readonly mergeAtMost: number;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Notifier;
}

/** What is the same in all requests of a lane. */
interface QueueUser {
  readonly gateKey: string;
  readonly headers: (token: string) => Readonly<Record<string, string>>;
}

/** The headers are put together once for every token. */
function headersOf(user: ActingUser): QueueUser['headers'] {
  let last: { readonly token: string; readonly headers: Readonly<Record<string, string>> } | null = null;
  return (token) => {
    if (last?.token !== token) {
      const json = { 'content-type': 'application/json', accept: 'application/json' };
      last = { token, headers: { ...json, authorization: `Bearer ${token}`, ...user.header } };
    }
    return last.headers;
  };
}

const MERGING_STOPPED: WarningEvent = {
  code: 'MERGING_STOPPED',
  message:
    'The service refused several queries in one document and answered each of them alone. From now on every query of this user is sent by itself, one after the other; { merge: false } does so from the start.',
};

const gateWaitedFor = () => 'another client or process was still taking its turn';
const connectionWaitedFor = () => 'the connection to the service was not open yet';

export class RequestPipeline {
  readonly session: Session;
  /** What time the service has. */
  readonly serviceTime: ServiceClock;
  readonly #options: RequestPipelineOptions;
  readonly #sendLogin: ReturnType<typeof loginRequests>;
  readonly #loginSteps = new PendingLogins();
  readonly #wire: GraphQLTransport;
  readonly #lanes = new Map<string, UserQueue>();
  readonly #patiences = new Set<CallDeadline>();
  readonly #closing = new AbortController();
  /** Set by a 429 that met us while the gate was held: the service seems to count per login, not per user. */
  #oneGateForLogin = false;

  constructor(given: RequestPipelineOptions) {
    this.#options = given;
    this.serviceTime = new ServiceClock(given.clock);
    const options = { ...given, serviceTime: this.serviceTime };
    this.#sendLogin = this.#loginSteps.watch(loginRequests({ ...options, closing: this.#closing.signal }));
    this.session = new Session({ ...options, send: this.#sendLogin });
    this.#wire = graphqlTransport(options.baseUrl, options.http, options.codec, this.serviceTime);
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** What keeps a caller who is in no lane yet. */
  get waitedFor(): string {
    return this.#loginSteps.waitedFor();
  }

  /** Runs a task on behalf of a caller who waits so long and no longer. */
  async withDeadline<T>(
    timeoutMs: number | undefined,
    signal: AbortSignal | undefined,
    task: (patience: CallDeadline) => Promise<T>,
  ): Promise<T> {
    const patience = this.begin(timeoutMs, signal);
    try {
      return await task(patience);
    } finally {
      this.end(patience);
    }
  }

  /** The patience of a caller who comes; `end` it when the caller is served. */
  begin(timeoutMs: number | undefined, signal: AbortSignal | undefined): CallDeadline {
    const patience = new CallDeadline(timeoutMs ?? this.#options.timeoutMs, signal, this.#options.timers);
    this.#patiences.add(patience);
    return patience;
  }

  end(patience: CallDeadline): void {
    patience.end();
    this.#patiences.delete(patience);
  }

  /** Sends a call for this user when its turn has come. */
  send(call: Call, user: ActingUser, patience: CallDeadline): Promise<CallAnswer> {
    let lane = this.#lanes.get(user.key);
    if (!lane) {
      const { baseUrl, timers, mergeAtMost } = this.#options;
      const laneUser = { gateKey: turnKey(baseUrl, user), headers: headersOf(user) };
      lane = new UserQueue((first, turn) => this.#takeTurn(first, turn, laneUser), timers, {
        max: mergeAtMost,
        onRefused: () => this.#options.report.warning(MERGING_STOPPED),
      });
      this.#lanes.set(user.key, lane);
    }
    return lane.run(call, patience);
  }

  /** The users of the login, asked for now. */
  async users(patience: CallDeadline): Promise<FleetUser[]> {
    const token = await patience.within(this.session.token());
    const users = await patience.within(listUsers(this.#sendLogin, token));
    if (users) return users;
    this.#options.report.retry({ operations: ['userinfo'], kind: 'login', attempt: 1, reason: '401', waitMs: 0 });
    const other = await patience.within(this.session.replace(token));
    const now = await patience.within(listUsers(this.#sendLogin, other));
    if (now) return now;
    throw new AuthenticationError(
      'The service refused the token of the userinfo request (HTTP 401), and a new one too. Log in again; if it stays so, ask whoever manages the account.',
      { operation: 'userinfo', attempts: 2 },
    );
  }

  /** Callers that still wait are told so, requests on the wire are given up, sockets closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const patience of [...this.#patiences]) patience.abort();
    for (const lane of this.#lanes.values()) lane.close();
    await this.#options.http.close();
  }

  #takeTurn(first: Call, turn: Turn, user: QueueUser): Promise<GraphQLAnswer> {
    turn.progress.waitedFor = gateWaitedFor;
    // `turn.left.signal` is made only for a gate that looks at it.
    const hold = (key: string, task: () => Promise<GraphQLAnswer>) => this.#options.gate.hold(key, task, turn.left);
    const asUser = () => hold(user.gateKey, () => this.#attempts(first, turn, user));
    try {
      // The user's own turn is taken in any case: a client that met no 429 still knows only that one.
      return this.#oneGateForLogin ? this.#loginKey().then((key) => hold(key, asUser)) : asUser();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #loginKey(): Promise<string> {
    return `${this.#options.baseUrl} login ${await this.session.key()}`;
  }

  #attempts(call: Call, turn: Turn, user: QueueUser): Promise<GraphQLAnswer> {
    const { kind, idempotent } = call;
    const { timers, report, retryPolicy: rule, random, baseUrl, http, codec } = this.#options;
    const wire = call.rows ? rowTransport(baseUrl, http, codec, this.serviceTime, call.rows) : this.#wire;
    const { deadline: patience, progress } = turn;
    const waitMs = timers.now() - turn.waitingSince;
    let token = '';
    let operations: readonly string[] = [];
    const send = (number: number, beforeSend: () => void) => {
      if (patience.reason !== null) throw new DeadlineExceeded(patience.reason);
      progress.waitedFor = connectionWaitedFor;
      const load = turn.payload();
      operations = load.operations;
      const { document, variables } = load;
      const headers = user.headers(token);
      return instrumented(
        report,
        timers,
        () => ({ operations, kind, attempt: number, merged: load.calls, waitMs }),
        () => wire.send({ document, variables, headers, signal: turn.giveUp, beforeSend }),
      );
    };
    return sendWithRetries(
      { kind, idempotent },
      {
        send: (number, beforeSend) => {
          const fresh = this.session.fresh();
          if (fresh === null) {
            progress.waitedFor = this.#loginSteps.waitedFor;
            return this.#renewed(patience, (other) => {
              token = other;
              return send(number, beforeSend);
            });
          }
          token = fresh;
          return send(number, beforeSend);
        },
        replaceToken: async () => {
          await this.session.replace(token);
        },
        onPause: (failure, pauseMs, number) => {
          report.retry({ operations, kind, attempt: number, reason: reasonOf(failure), waitMs: pauseMs });
          if (failure.what === 'status' && failure.status === 429) {
            turn.pauseQueue(pauseMs);
            this.#widenGate();
          }
        },
        deadline: patience,
        progress,
        policy: rule,
        random,
        wallClock: () => this.serviceTime.now(),
      },
    );
  }

  async #renewed<T>(patience: Deadline, then: (token: string) => Promise<T>): Promise<T> {
    return then(await patience.within(this.session.token()));
  }

  #widenGate(): void {
    if (this.#oneGateForLogin) return;
    this.#oneGateForLogin = true;
    this.#options.report.warning({
      code: 'SHARED_LOGIN',
      message:
        "The service answered 429 although this client had no other request of the user active. From now on all users of this login take turns here. When other processes use the login, share: 'machine' lets them take turns too.",
    });
  }
}
