// The life of a request, put together for one login: queue, gate, session, retries, transport. Each user of the login has a queue of its
// own; they all share session, gate and connections.
import { type ActingUser, turnKey } from '../auth/acting-user.js';
import { listUsers } from '../auth/login-endpoints.js';
import { type CredentialsSource, Session } from '../auth/session.js';
import type { TokenStore } from '../auth/token-store.js';
import { AuthenticationError, type FleetUser } from '../core/errors.js';
import type { Notifier, WarningEvent } from '../core/hooks.js';
import { isRateLimited } from '../core/http-status.js';
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
  /** Most root fields in one document; 0: nothing is merged. */
  readonly mergeMax: number;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Notifier;
}

/** What all requests of a user have in common. */
interface UserRequests {
  readonly gateKey: string;
  readonly headers: (token: string) => Readonly<Record<string, string>>;
}

/** The headers are put together once for each token. */
function headersOf(user: ActingUser): UserRequests['headers'] {
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
    'The service refused several queries in one document and answered each of them alone. From now on each query of this user is sent by itself, one after the other; { merge: false } does so from the start.',
};

const SHARED_LOGIN: WarningEvent = {
  code: 'SHARED_LOGIN',
  message:
    "The service answered 429 although this client had no other request of the user active. From now on all users of this login take turns here. If other processes use the login, share: 'machine' lets them take turns too.",
};

const waitingForGate = () => 'a request of another client or process was still under way';
const waitingForConnection = () => 'the connection to the service was not open yet';

export class RequestPipeline {
  readonly session: Session;
  readonly serviceClock: ServiceClock;
  readonly #options: RequestPipelineOptions;
  readonly #sendLogin: ReturnType<typeof loginRequests>;
  readonly #pendingLogins = new PendingLogins();
  readonly #transport: GraphQLTransport;
  readonly #queues = new Map<string, UserQueue>();
  readonly #deadlines = new Set<CallDeadline>();
  readonly #closing = new AbortController();
  /** Set by a 429 while the gate was held: the service seems to count requests per login, not per user. */
  #isGateOfLogin = false;

  constructor(options: RequestPipelineOptions) {
    this.#options = options;
    this.serviceClock = new ServiceClock(options.clock);
    const { serviceClock } = this;
    this.#sendLogin = this.#pendingLogins.track(
      loginRequests({ ...options, serviceClock, closing: this.#closing.signal }),
    );
    this.session = new Session({ ...options, serviceClock, send: this.#sendLogin });
    this.#transport = graphqlTransport(options.baseUrl, options.http, options.codec, serviceClock);
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** What a caller waits for whose call is in no queue yet, as the end of a sentence. */
  get waitedFor(): string {
    return this.#pendingLogins.waitedFor();
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
  send(call: Call, user: ActingUser, deadline: CallDeadline): Promise<CallAnswer> {
    let queue = this.#queues.get(user.key);
    if (!queue) {
      const { baseUrl, timers, mergeMax, report } = this.#options;
      const requests = { gateKey: turnKey(baseUrl, user), headers: headersOf(user) };
      queue = new UserQueue((first, turn) => this.#takeTurn(first, turn, requests), timers, {
        max: mergeMax,
        onRefused: () => report.warning(MERGING_STOPPED),
      });
      this.#queues.set(user.key, queue);
    }
    return queue.run(call, deadline);
  }

  /** Asks the service for the users of the login. */
  async users(deadline: CallDeadline): Promise<FleetUser[]> {
    const token = await deadline.within(this.session.token());
    const users = await deadline.within(listUsers(this.#sendLogin, token));
    if (users) return users;
    this.#options.report.retry({ operations: ['userinfo'], kind: 'login', attempt: 1, reason: '401', waitMs: 0 });
    const newToken = await deadline.within(this.session.replace(token));
    const usersOfNewToken = await deadline.within(listUsers(this.#sendLogin, newToken));
    if (usersOfNewToken) return usersOfNewToken;
    throw new AuthenticationError(
      'The service refused the token of the userinfo request (HTTP 401), and a new one too. Log in again; if it happens again, ask the administrator of the account.',
      { operation: 'userinfo', attempts: 2 },
    );
  }

  /** Rejects the callers that still wait, gives up the requests under way, and closes the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const deadline of [...this.#deadlines]) deadline.abort();
    for (const queue of this.#queues.values()) queue.close();
    await this.#options.http.close();
  }

  #takeTurn(first: Call, turn: Turn, requests: UserRequests): Promise<GraphQLAnswer> {
    turn.progress.waitedFor = waitingForGate;
    // `turn.left.signal` is made only for a gate that reads it.
    const hold = (key: string, task: () => Promise<GraphQLAnswer>) => this.#options.gate.hold(key, task, turn.left);
    const holdUser = () => hold(requests.gateKey, () => this.#sendTurn(first, turn, requests));
    try {
      // The gate of the user is held in any case: a client that met no 429 still knows only that one.
      return this.#isGateOfLogin ? this.#loginGateKey().then((key) => hold(key, holdUser)) : holdUser();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #loginGateKey(): Promise<string> {
    return `${this.#options.baseUrl} login ${await this.session.key()}`;
  }

  #sendTurn(call: Call, turn: Turn, requests: UserRequests): Promise<GraphQLAnswer> {
    const { kind, idempotent } = call;
    const { timers, report, retryPolicy, random } = this.#options;
    const transport = this.#transportFor(call);
    const { deadline, progress } = turn;
    const waitMs = timers.now() - turn.waitingSince;
    let token = '';
    let operations: readonly string[] = [];
    const sendWith = (validToken: string, attempt: number, beforeSend: () => void) => {
      if (deadline.reason !== null) throw new DeadlineExceeded(deadline.reason);
      token = validToken;
      progress.waitedFor = waitingForConnection;
      const payload = turn.payload();
      operations = payload.operations;
      const { document, variables } = payload;
      const headers = requests.headers(token);
      return instrumented(
        report,
        timers,
        () => ({ operations, kind, attempt, merged: payload.calls, waitMs }),
        () => transport.send({ document, variables, headers, signal: turn.giveUp, beforeSend }),
      );
    };
    return sendWithRetries(
      { kind, idempotent },
      {
        send: (attempt, beforeSend) => {
          const validToken = this.session.validToken();
          if (validToken !== null) return sendWith(validToken, attempt, beforeSend);
          progress.waitedFor = this.#pendingLogins.waitedFor;
          return this.#withNewToken(deadline, (newToken) => sendWith(newToken, attempt, beforeSend));
        },
        replaceToken: async () => {
          await this.session.replace(token);
        },
        onRetry: (failure, pauseMs, attempt) => {
          report.retry({ operations, kind, attempt, reason: reasonOf(failure), waitMs: pauseMs });
          if (failure.kind === 'status' && isRateLimited(failure.status)) {
            turn.pauseQueue(pauseMs);
            this.#widenGate();
          }
        },
        deadline,
        progress,
        policy: retryPolicy,
        random,
        wallClock: () => this.serviceClock.now(),
      },
    );
  }

  #transportFor({ rows }: Call): GraphQLTransport {
    const { baseUrl, http, codec } = this.#options;
    return rows ? rowTransport(baseUrl, http, codec, this.serviceClock, rows) : this.#transport;
  }

  async #withNewToken<T>(deadline: Deadline, send: (token: string) => Promise<T>): Promise<T> {
    return send(await deadline.within(this.session.token()));
  }

  #widenGate(): void {
    if (this.#isGateOfLogin) return;
    this.#isGateOfLogin = true;
    this.#options.report.warning(SHARED_LOGIN);
  }
}
