// A request's life, put together for one login: lane, gate, session, attempt, wire. Every user of the login has a lane of their own;
// session, gate and sockets are shared by all of them.
import { listUsers } from '../auth/login.js';
import { type CredentialsSource, Session } from '../auth/session.js';
import type { TokenStore } from '../auth/token-store.js';
import { type ActingUser, turnKey } from '../auth/user.js';
import { AuthenticationError, type FleetUser } from '../errors.js';
import type { Report, WarningEvent } from '../hooks.js';
import type { Clock, Random, Timers } from '../outside.js';
import type { GraphQLAnswer } from './answer-text.js';
import { attempt } from './attempt.js';
import type { Answer, Call } from './batch.js';
import type { Exchange } from './exchange.js';
import { reasonOf } from './failure-error.js';
import type { Gate } from './gate.js';
import { Lane, type Turn } from './lane.js';
import { loginSender } from './login-sender.js';
import { LoginSteps } from './login-steps.js';
import { observed } from './observe.js';
import { Patience, PatienceOver, type Waiter } from './patience.js';
import type { RetryRule } from './repeat.js';
import { isRowCall, rowWireTo } from './row-wire.js';
import { ServiceTime } from './service-time.js';
import type { ThinFetch } from './thin-fetch.js';
import { type Wire, wireTo } from './wire.js';

export interface LineOptions {
  /** Normalised: no slash at the end. */
  readonly baseUrl: string;
  readonly credentials: CredentialsSource | undefined;
  readonly sessionKey: string | undefined;
  readonly store: TokenStore;
  readonly gate: Gate;
  readonly http: ThinFetch;
  readonly exchange: Exchange;
  /** Root fields in one document at most; 0: nothing is merged. */
  readonly mergeAtMost: number;
  readonly timeoutMs: number;
  readonly rule: RetryRule;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly report: Report;
}

/** What is the same in all requests of a lane. */
interface LaneUser {
  readonly gateKey: string;
  readonly headers: (token: string) => Readonly<Record<string, string>>;
}

/** The headers are put together once for every token. */
function headersOf(user: ActingUser): LaneUser['headers'] {
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

export class Line {
  readonly session: Session;
  /** What time the service has. */
  readonly serviceTime: ServiceTime;
  readonly #options: LineOptions;
  readonly #sendLogin: ReturnType<typeof loginSender>;
  readonly #loginSteps = new LoginSteps();
  readonly #wire: Wire;
  readonly #lanes = new Map<string, Lane>();
  readonly #patiences = new Set<Patience>();
  readonly #closing = new AbortController();
  /** Set by a 429 that met us while the gate was held: the service seems to count per login, not per user. */
  #oneGateForLogin = false;

  constructor(given: LineOptions) {
    this.#options = given;
    this.serviceTime = new ServiceTime(given.clock);
    const options = { ...given, serviceTime: this.serviceTime };
    this.#sendLogin = this.#loginSteps.watch(loginSender({ ...options, closing: this.#closing.signal }));
    this.session = new Session({ ...options, send: this.#sendLogin });
    this.#wire = wireTo(options.baseUrl, options.http, options.exchange, this.serviceTime);
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** What keeps a caller who is in no lane yet. */
  get waitedFor(): string {
    return this.#loginSteps.waitedFor();
  }

  /** Runs a task on behalf of a caller who waits so long and no longer. */
  async withPatience<T>(
    timeoutMs: number | undefined,
    signal: AbortSignal | undefined,
    task: (patience: Patience) => Promise<T>,
  ): Promise<T> {
    const patience = this.begin(timeoutMs, signal);
    try {
      return await task(patience);
    } finally {
      this.end(patience);
    }
  }

  /** The patience of a caller who comes; `end` it when the caller is served. */
  begin(timeoutMs: number | undefined, signal: AbortSignal | undefined): Patience {
    const patience = new Patience(timeoutMs ?? this.#options.timeoutMs, signal, this.#options.timers);
    this.#patiences.add(patience);
    return patience;
  }

  end(patience: Patience): void {
    patience.end();
    this.#patiences.delete(patience);
  }

  /** Sends a call for this user when its turn has come. */
  send(call: Call, user: ActingUser, patience: Patience): Promise<Answer> {
    let lane = this.#lanes.get(user.key);
    if (!lane) {
      const { baseUrl, timers, mergeAtMost } = this.#options;
      const laneUser = { gateKey: turnKey(baseUrl, user), headers: headersOf(user) };
      lane = new Lane((first, turn) => this.#takeTurn(first, turn, laneUser), timers, {
        max: mergeAtMost,
        onRefused: () => this.#options.report.warning(MERGING_STOPPED),
      });
      this.#lanes.set(user.key, lane);
    }
    return lane.run(call, patience);
  }

  /** The users of the login, asked for now. */
  async users(patience: Patience): Promise<FleetUser[]> {
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

  #takeTurn(first: Call, turn: Turn, user: LaneUser): Promise<GraphQLAnswer> {
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

  #attempts(call: Call, turn: Turn, user: LaneUser): Promise<GraphQLAnswer> {
    const { kind, idempotent } = call;
    const { timers, report, rule, random, baseUrl, http, exchange } = this.#options;
    const wire = isRowCall(call) ? rowWireTo(baseUrl, http, exchange, this.serviceTime, call.rows) : this.#wire;
    const { patience, progress } = turn;
    progress.waitedFor = this.#loginSteps.waitedFor;
    const waitMs = timers.now() - turn.waitingSince;
    let token = '';
    let operations: readonly string[] = [];
    const send = (number: number, leaving: () => void) => {
      if (patience.reason !== null) throw new PatienceOver(patience.reason);
      const load = turn.load();
      operations = load.operations;
      const { document, variables } = load;
      const headers = user.headers(token);
      return observed(
        report,
        timers,
        () => ({ operations, kind, attempt: number, merged: load.calls, waitMs }),
        () => wire.send({ document, variables, headers, signal: turn.giveUp, leaving }),
      );
    };
    return attempt(
      { kind, idempotent },
      {
        send: (number, leaving) => {
          const fresh = this.session.fresh();
          if (fresh === null)
            return this.#renewed(patience, (other) => {
              token = other;
              return send(number, leaving);
            });
          token = fresh;
          return send(number, leaving);
        },
        replaceToken: async () => {
          await this.session.replace(token);
        },
        onPause: (failure, pauseMs, number) => {
          report.retry({ operations, kind, attempt: number, reason: reasonOf(failure), waitMs: pauseMs });
          if (failure.what === 'status' && failure.status === 429) {
            turn.pauseLane(pauseMs);
            this.#widenGate();
          }
        },
        patience,
        progress,
        rule,
        random,
        wallClock: () => this.serviceTime.now(),
      },
    );
  }

  async #renewed<T>(patience: Waiter, then: (token: string) => Promise<T>): Promise<T> {
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
