// FleetClient: options in, one method per operation, request() for one's own documents. What happens to a call on its way is
// under request/; here it is only named, checked and settled.
import type { DocumentTypeDecoration, TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type CredentialsSource, isCredentials } from './auth/credentials.js';
import { fileTokenStore } from './auth/file-token-store.js';
import { memoryTokenStore } from './auth/memory-token-store.js';
import type { SessionInfo } from './auth/session.js';
import type { TokenStore } from './auth/token-store.js';
import { type ActingUser, chooseUser, type UserWish, userById } from './auth/user.js';
import { AbortError, type FleetUser, InvalidInputError, TimeoutError } from './errors.js';
import { FleetOperations } from './generated/methods.js';
import type { OperationName, OperationTypes } from './generated/operation-table.js';
import { type Hooks, type Report, reportTo } from './hooks.js';
import type { CallOptions, Operation } from './operation.js';
import { type Clock, type Fetch, realTimers } from './outside.js';
import { givenFetch } from './request/abortable.js';
import type { Answer, Call } from './request/batch.js';
import { readDocument } from './request/document.js';
import { Entrance } from './request/entrance.js';
import { fileGate } from './request/file-gate.js';
import { type Gate, localGate } from './request/gate.js';
import { Line } from './request/line.js';
import { type Patience, PatienceOver } from './request/patience.js';
import { type RetryOptions, retryRule } from './request/repeat.js';
import { settle, settleData } from './request/settle.js';
import { undiciFetch } from './request/undici-fetch.js';
import { checkVariables, jsonVariables } from './request/variables.js';
import { withSelection } from './selection/selection.js';

const DEFAULT_TIMEOUT_MS = 60_000;
const MERGE_AT_MOST = 50;

export interface FleetClientOptions {
  /** Address of the service, `http` or `https`; `/login/token`, `/graphql` and the rest are below it. */
  readonly baseUrl: string;
  /** Who logs in, or a function that says so when a login is needed. Left out: the token store must hold a session. */
  readonly credentials?: CredentialsSource | undefined;
  /** The user to act for. Left out: the only user of the login, else a UserSelectionError lists them. */
  readonly user?: UserWish | undefined;
  /**
   * With whom turns and session are shared. `process` (the default): turns with the clients of this process, the session with
   * nobody. `machine`: both with every process that uses the same config folder, the command line among them.
   */
  readonly share?: 'process' | 'machine' | undefined;
  /** Who takes turns with whom, in place of what `share` picks. */
  readonly gate?: Gate | undefined;
  /** Where the session is kept, in place of what `share` picks. */
  readonly tokenStore?: TokenStore | undefined;
  /** Names the login in the token store. Default: the username. Give it when credentials come from a function that should not be asked while a kept session is good. */
  readonly sessionKey?: string | undefined;
  /** Total time for a call in milliseconds, waiting included. Default 60000. */
  readonly timeoutMs?: number | undefined;
  /** How often and how patiently a failed request is sent again; false: not at all. */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * Queries of one user that wait for their turn together leave as one request, `max` of them at most (default 50).
   * false: every query is a request of its own.
   */
  readonly merge?: { readonly max?: number | undefined } | false | undefined;
  /** Sends the requests, in place of the built-in connection pool. */
  readonly fetch?: Fetch | undefined;
  /** Wall-clock time for token lifetimes. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Functions called while requests are made. */
  readonly hooks?: Hooks | undefined;
}

/** A document as text, as a boxed string, or parsed; the typed forms bring the types of `data` and variables along. */
export type FleetDocument<Data, Variables> =
  | string
  | TypedDocumentNode<Data, Variables>
  | (DocumentTypeDecoration<Data, Variables> & { toString(): string });

/** What siblings made by `as` share. */
const shared = new WeakMap<FleetClientOptions, Line>();

/** Clients that reach the service over the same fetch take turns with each other in this process. */
const gates = new WeakMap<Fetch, Gate>();
const gateOfOwnConnections = localGate();

/**
 * A client of the fleet telematics service, for one login and one of its users. It logs in when it first needs to, keeps the token
 * fresh, and sends one request at a time for its user, as the contract demands; call its methods as you like.
 */
export class FleetClient extends FleetOperations implements AsyncDisposable {
  readonly #options: FleetClientOptions;
  readonly #line: Line;
  readonly #report: Report;
  readonly #entrance: Entrance;

  /** Nothing is sent before the first call. @throws {InvalidInputError} when an option cannot be used. */
  constructor(options: FleetClientOptions) {
    super();
    checkOptions(options);
    this.#options = options;
    this.#report = reportTo(options.hooks ?? {});
    this.#line = shared.get(options) ?? makeLine(options, this.#report);
    const user = options.user && 'userId' in options.user ? userById(options.user.userId) : null;
    this.#entrance = new Entrance(user, () => this.#chooseUser());
  }

  /**
   * Sends a document of your own; it travels alone. One operation per document.
   *
   * @returns `data` as the service sent it.
   * @throws {FleetError} GRAPHQL when the service answered with errors and `partial` is not set; else as for any call.
   */
  async request<Data = Record<string, unknown>, Variables = Record<string, unknown>>(
    document: FleetDocument<Data, Variables>,
    variables?: Variables,
    options: CallOptions = {},
  ): Promise<Data> {
    const { name, kind, text } = readDocument(document);
    const sendable = jsonVariables(name, variables);
    const call = { name, kind, document: text, variables: sendable, idempotent: options.idempotent ?? false };
    const answer = await this.#send(call, options);
    // The document's own type is all that is known of its data.
    return settleData(name, answer, options.partial ?? false, this.#report) as Data;
  }

  /**
   * The users that the login may act for (`GET /login/userinfo`).
   *
   * @returns id, name and fleet of each; empty when there are none.
   * @throws {FleetError} when there is no session and none can be had, or the service cannot be asked.
   */
  listUsers(options: Pick<CallOptions, 'signal' | 'timeoutMs'> = {}): Promise<FleetUser[]> {
    return this.#waiting('userinfo', options, (patience) => this.#line.users(patience));
  }

  /** A client for another user of the same login: same session, same sockets, same turn-taking. Closing either closes both. */
  as(user: UserWish): FleetClient {
    const options = { ...this.#options, user };
    shared.set(options, this.#line);
    return new FleetClient(options);
  }

  /**
   * Logs in with the credentials now, whatever session is kept, and keeps the new one (`POST /login/token`).
   *
   * @returns whose session it is and until when; no token.
   * @throws {AuthenticationError} when the credentials are refused, or none were given.
   */
  login(): Promise<SessionInfo> {
    return this.#waiting('login', {}, (patience) => patience.within(this.#line.session.login()));
  }

  /**
   * Forgets the kept session. Nothing is sent: the contract has no way to end a token before its time.
   *
   * @throws {InvalidInputError} when the token store could not remove it: it is still there.
   */
  logout(): Promise<void> {
    return this.#waiting('logout', {}, (patience) => patience.within(this.#line.session.logout()));
  }

  /** The kept session; null when there is none. Nothing is sent. */
  session(): Promise<SessionInfo | null> {
    return this.#line.session.info();
  }

  /** Closes the sockets. Calls that still wait are rejected with AbortError; later ones with InvalidInputError. */
  close(): Promise<void> {
    return this.#line.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected async execute<Name extends OperationName, Result>(
    operation: Operation<Name>,
    variables: OperationTypes[Name]['variables'],
    { select, ...options }: CallOptions & { readonly select?: unknown } = {},
  ): Promise<Result> {
    const chosen = select === undefined ? operation : withSelection(operation, select);
    const { name, kind, document, args, returns } = chosen;
    const sendable = checkVariables(name, args, variables);
    const answer = await this.#send(
      {
        name,
        kind,
        document,
        variables: sendable,
        idempotent: options.idempotent ?? false,
        field: chosen.mergeable ? chosen : undefined,
      },
      options,
    );
    const value = settle({ name, list: returns.list }, answer, options.partial ?? false, this.#report);
    // The operation table and the result types come from the same document; nothing is validated against the schema at run time.
    return value as Result;
  }

  #send(call: Call, options: CallOptions): Promise<Answer> {
    return this.#waiting(call.name, options, (patience) =>
      this.#entrance.pass(patience, (user) => this.#line.send(call, user, patience)),
    );
  }

  #chooseUser(): Promise<ActingUser> {
    return this.#line.withPatience(undefined, undefined, async (patience) =>
      chooseUser(this.#options.user, await this.#line.users(patience)),
    );
  }

  /** Runs a task within its caller's deadline and signal, and puts the end of them in the caller's terms. */
  async #waiting<T>(
    name: string,
    { timeoutMs, signal }: Pick<CallOptions, 'signal' | 'timeoutMs'>,
    task: (patience: Patience) => Promise<T>,
  ): Promise<T> {
    checkTimeout('timeoutMs', timeoutMs);
    if (this.#line.isClosed) {
      throw new InvalidInputError(`The client is closed, so ${name} was not sent. Make a new one.`, {
        operation: name,
      });
    }
    try {
      return await this.#line.withPatience(timeoutMs, signal, task);
    } catch (error) {
      if (!(error instanceof PatienceOver)) throw error;
      const call = { operation: name };
      throw error.reason === 'abort'
        ? new AbortError(`${name} was aborted before it was sent.`, call)
        : new TimeoutError(`The time for ${name} (timeoutMs) ran out before it could be sent. Allow more time.`, call);
    }
  }
}

function makeLine(options: FleetClientOptions, report: Report): Line {
  const { fetch } = options;
  const isMachine = options.share === 'machine';
  const onWarning = report.warning;
  return new Line({
    baseUrl: normaliseBaseUrl(options.baseUrl),
    credentials: options.credentials,
    sessionKey: options.sessionKey,
    store: options.tokenStore ?? (isMachine ? fileTokenStore({ onWarning }) : memoryTokenStore()),
    gate: options.gate ?? (isMachine ? fileGate({ onWarning }) : processGate(fetch)),
    http: fetch ? givenFetch(fetch) : undiciFetch(),
    mergeAtMost: options.merge === false ? 0 : (options.merge?.max ?? MERGE_AT_MOST),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    rule: retryRule(options.retry),
    clock: options.clock ?? Date,
    timers: realTimers,
    random: Math.random,
    report,
  });
}

function processGate(fetch: Fetch | undefined): Gate {
  if (!fetch) return gateOfOwnConnections;
  const gate = gates.get(fetch) ?? localGate();
  gates.set(fetch, gate);
  return gate;
}

function checkOptions(options: FleetClientOptions): void {
  normaliseBaseUrl(options.baseUrl);
  checkTimeout('timeoutMs', options.timeoutMs);
  const { credentials, user, sessionKey, share, merge } = options;
  const max = merge ? merge.max : undefined;
  if (max !== undefined && !(Number.isInteger(max) && max > 0)) {
    throw new InvalidInputError('merge.max must be a whole number above 0; merge: false turns merging off.');
  }
  if (share !== undefined && share !== 'process' && share !== 'machine') {
    throw new InvalidInputError("share must be 'process' or 'machine'.");
  }
  if (credentials !== undefined && typeof credentials !== 'function' && !isCredentials(credentials)) {
    throw new InvalidInputError(
      'credentials must be { username, password }, two non-empty strings, or a function that gives them.',
    );
  }
  if (sessionKey !== undefined && (typeof sessionKey !== 'string' || sessionKey === '')) {
    throw new InvalidInputError('sessionKey must be a non-empty string.');
  }
  if (user === undefined) return;
  const named = Object.entries(user).filter(([, value]) => value !== undefined);
  const [only] = named;
  if (!only || named.length !== 1 || !['userId', 'fleetId', 'fleetName'].includes(only[0])) {
    throw new InvalidInputError('user must be one of { userId }, { fleetId } and { fleetName }.');
  }
  const [key, value] = only;
  // Ids travel in a header.
  if (typeof value !== 'string' || value === '' || (key !== 'fleetName' && !/^[\x21-\x7e]+$/.test(value))) {
    throw new InvalidInputError(
      `user.${key} must be a non-empty string${key === 'fleetName' ? '' : ' that fits in a header'}.`,
    );
  }
}

function checkTimeout(name: string, value: number | undefined): void {
  if (value !== undefined && !(typeof value === 'number' && value > 0)) {
    throw new InvalidInputError(`${name} must be a positive number of milliseconds.`);
  }
}

/** One spelling of every base URL, so that keys made of it agree. */
function normaliseBaseUrl(baseUrl: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new InvalidInputError('baseUrl must be an address that starts with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidInputError('baseUrl must hold no username or password: give them as credentials.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new InvalidInputError('baseUrl must end with its path: no ? and no #.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
