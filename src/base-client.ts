// What a client is, whatever its requests are built with and sent over: options in, one method per operation, request() for documents
// of the caller's own. It checks calls and unwraps their results; request/ does what happens in between.
import type { DocumentTypeDecoration, TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type ActingUser, chooseUser, type UserWish, userById } from './auth/acting-user.js';
import { fileTokenStore } from './auth/file-token-store.js';
import { memoryTokenStore } from './auth/memory-token-store.js';
import type { SessionInfo } from './auth/session.js';
import {
  checkClientOptions,
  checkUser,
  type FleetClientOptions,
  type MethodOptions,
  readCallOptions,
  readTripOptions,
} from './client-options.js';
import { withSelection } from './contract/selection/selection.js';
import type { Selection, SelectOptions, Unselected } from './contract/selection/types.js';
import { normaliseBaseUrl } from './core/base-url.js';
import { CALL_TIMEOUT_MS, MERGE_MAX } from './core/defaults.js';
import { type FleetUser, InvalidInputError } from './core/errors.js';
import { type Notifier, notifierFor } from './core/hooks.js';
import type { CallOptions, Operation } from './core/operation.js';
import { type Fetch, realTimers } from './core/ports.js';
import { FleetOperations } from './generated/methods.js';
import { type OperationName, type OperationTypes, operations } from './generated/operation-table.js';
import { fileGate } from './locks/file-gate.js';
import { type Gate, localGate } from './locks/gate.js';
import type { Call, CallAnswer } from './request/batch.js';
import { readDocument } from './request/caller-document.js';
import { type CallDeadline, DeadlineExceeded } from './request/deadline.js';
import { unsentError } from './request/deadline-error.js';
import { RequestPipeline } from './request/request-pipeline.js';
import { retryPolicy } from './request/retry-policy.js';
import { unwrapData, unwrapResult } from './request/unwrap-result.js';
import { UserResolution } from './request/user-resolution.js';
import { checkVariables, jsonVariables } from './request/variables.js';
import { readPeriod } from './telemetry/period.js';
import { type SnapshotPeriod, type SnapshotStream, streamSnapshots } from './telemetry/stream-snapshots.js';
import { type ReadSnapshots, tripSelection, tripsOver } from './telemetry/trips/stream-trips.js';
import type { Trip, TripOptions } from './telemetry/trips/trip.js';
import { splitTripOptions } from './telemetry/trips/trip-limits.js';
import { customFetchTransport } from './transport/custom-fetch-stream.js';
import type { GraphQLCodec } from './transport/graphql-codec.js';
import type { HttpTransport, TlsSettings } from './transport/http-transport.js';

/** A document as text, as a boxed string, or parsed; the typed forms bring the types of `data` and variables along. */
export type FleetDocument<Data, Variables> =
  | string
  | TypedDocumentNode<Data, Variables>
  | (DocumentTypeDecoration<Data, Variables> & { toString(): string });

/** What a client is made of. */
export interface ClientParts {
  readonly codec: () => GraphQLCodec;
  /** Its own connections, for options without a fetch. */
  readonly transport: (tls: TlsSettings) => HttpTransport;
}

/** What siblings made by `as` share. */
const shared = new WeakMap<FleetClientOptions, RequestPipeline>();

/** Clients that reach the service over the same fetch take turns with each other in this process. */
const gates = new WeakMap<Fetch, Gate>();
const gateOfOwnConnections = localGate();

export abstract class BaseClient extends FleetOperations implements AsyncDisposable {
  readonly #options: FleetClientOptions;
  readonly #pipeline: RequestPipeline;
  readonly #report: Notifier;
  readonly #userResolution: UserResolution;

  constructor(options: FleetClientOptions, parts: ClientParts) {
    super();
    checkClientOptions(options);
    this.#options = options;
    this.#report = notifierFor(options.hooks ?? {});
    this.#pipeline = shared.get(options) ?? makePipeline(options, parts, this.#report);
    const user = options.user && 'userId' in options.user ? userById(options.user.userId) : null;
    this.#userResolution = new UserResolution(user, () => this.#chooseUser());
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
    options?: CallOptions,
  ): Promise<Data> {
    const { name, kind, text } = readDocument(document);
    const given = readCallOptions(name, options);
    const sendable = jsonVariables(name, variables);
    const call = { name, kind, document: text, variables: sendable, idempotent: given.idempotent ?? false };
    const answer = await this.#send(call, given);
    // The document's own type is all that is known of its data.
    return unwrapData(name, answer, given.partial ?? false, this.#report) as Data;
  }

  /**
   * The snapshots of one vehicle over a period, however long, row by row: `for await (const row of fleet.streamSnapshots(...))`.
   * The period is asked for in parts of about 4 MiB, the next one while you work, so memory stays flat; other calls of this
   * client may be made inside the loop. Leaving the loop ends it. Nothing is sent before the first row is asked for.
   *
   * @param options As of `getSnapshots`; `timeoutMs` is per part.
   * @returns The rows in the order the service gives them, default selection or `select`, none twice.
   * @throws {InvalidInputError} when period or options cannot be used. While rows are read: a {@link FleetError} that says how
   * many were given before it.
   */
  streamSnapshots<Select extends Selection<'getSnapshots'> | Unselected | undefined>(
    variables: SnapshotPeriod,
    options?: SelectOptions<'getSnapshots', Select>,
  ): SnapshotStream<Select> {
    return streamSnapshots<Select>(variables, readCallOptions('getSnapshots', options), {
      send: (call, callOptions) => this.#send(call, callOptions),
      notifier: this.#report,
    });
  }

  /**
   * The trips of one vehicle over a period, read from its snapshots: runs of ignition-on that overlap the period, each as soon
   * as it has ended. One that was under way at `from` is told whole, from its beginning; one that is at `to` comes last,
   * with `isOpen`. The same trip has the same id whatever period it was read from. What a trip is made of: docs/telemetry.md.
   *
   * @param options As of `getSnapshots` but `select`, and {@link TripOptions}; `timeoutMs` is per part of the period.
   * @returns Trips one after the other; distances in km, times in seconds, speeds in km/h.
   * @throws {InvalidInputError} when period or options cannot be used. While trips are read: a {@link FleetError} as of
   * `streamSnapshots`.
   */
  streamTrips(variables: SnapshotPeriod, options?: CallOptions & TripOptions): AsyncGenerator<Trip, void, undefined> {
    checkVariables('streamTrips', operations.getSnapshots.args, variables);
    const { limits: rules, call: given } = splitTripOptions<CallOptions>(readTripOptions('streamTrips', options));
    const { vehicleId, from, to } = variables;
    const period = readPeriod('streamTrips', from, to);
    const read: ReadSnapshots = (begin, end) =>
      this.streamSnapshots(
        // The ends of the period as they were given, which may be finer than milliseconds.
        { vehicleId, from: begin === period.from ? from : new Date(begin), to: end === period.to ? to : new Date(end) },
        { ...given, select: tripSelection },
      );
    const asked = (this.#options.clock ?? Date).now();
    // What time the service had then is known when it has answered.
    return tripsOver(period, rules, () => this.#pipeline.serviceClock.at(asked), read);
  }

  /**
   * The users that the login may act for (`GET /login/userinfo`).
   *
   * @returns id, name and fleet of each; empty when there are none.
   * @throws {FleetError} when there is no session and none can be had, or the service cannot be asked.
   */
  async listUsers(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<FleetUser[]> {
    return this.#withDeadline('userinfo', readCallOptions('userinfo', options), (deadline) =>
      this.#pipeline.users(deadline),
    );
  }

  /** A client for another user of the same login: same session, same sockets, same turn-taking. Closing either closes both. */
  abstract as(user: UserWish): BaseClient;

  /** The options of a sibling that acts for another user; a client made of them shares what is to be shared. */
  protected optionsFor(user: UserWish): FleetClientOptions {
    checkUser(user);
    const options = { ...this.#options, user };
    shared.set(options, this.#pipeline);
    return options;
  }

  /**
   * Logs in with the credentials now, whatever session is kept, and keeps the new one (`POST /login/token`).
   *
   * @returns whose session it is and until when; no token.
   * @throws {AuthenticationError} when the credentials are refused, or none were given.
   */
  login(): Promise<SessionInfo> {
    return this.#withDeadline('login', {}, (deadline) => deadline.within(this.#pipeline.session.login()));
  }

  /**
   * Makes sure that there is a session: the one at hand while it is good, else by a refresh or a login. Calls see to that by
   * themselves. Of use where a program wants to fail early, or wants to know {@link serviceNow} before its first call; it costs no
   * request that the first call would not have cost.
   *
   * @returns whose session it is and until when; no token.
   * @throws {AuthenticationError} when there is no session and none can be had.
   */
  connect(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<SessionInfo> {
    return this.#withDeadline('connect', readCallOptions('connect', options), (deadline) =>
      deadline.within(this.#pipeline.session.ready()),
    );
  }

  /**
   * What time the service has: the clock of this machine, put right by the `Date` of the service's answers. Ages of snapshots and
   * periods such as "the last two hours" go by it. Exact to a second or so, and the same as the machine's clock when they differ by no
   * more than that. Nothing is sent: before the first answer it is what was known when the session was kept, else the machine's clock;
   * after {@link connect} it is known.
   *
   * @returns milliseconds since 1970, as `Date.now()` does.
   */
  serviceNow(): number {
    return this.#pipeline.serviceClock.now();
  }

  /**
   * Forgets the kept session. Nothing is sent: the contract has no way to end a token before its time.
   *
   * @throws {InvalidInputError} when the token store could not remove it: it is still there.
   */
  logout(): Promise<void> {
    return this.#withDeadline('logout', {}, (deadline) => deadline.within(this.#pipeline.session.logout()));
  }

  /** The kept session; null when there is none. Nothing is sent. */
  session(): Promise<SessionInfo | null> {
    return this.#pipeline.session.info();
  }

  /** Closes the sockets. Calls that still wait are rejected with AbortError; later ones with InvalidInputError. */
  close(): Promise<void> {
    return this.#pipeline.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected async execute<Name extends OperationName, Result>(
    operation: Operation<Name>,
    variables: OperationTypes[Name]['variables'],
    given?: MethodOptions,
  ): Promise<Result> {
    const options = readCallOptions(operation.name, given);
    const chosen = options.select === undefined ? operation : withSelection(operation, options.select);
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
    const value = unwrapResult({ name, list: returns.list }, answer, options.partial ?? false, this.#report);
    // The operation table and the result types come from the same document; nothing is validated against the schema at run time.
    return value as Result;
  }

  #send(call: Call, options: CallOptions): Promise<CallAnswer> {
    return this.#withDeadline(call.name, options, (deadline) =>
      this.#userResolution.withUser(deadline, (user) => this.#pipeline.send(call, user, deadline)),
    );
  }

  #chooseUser(): Promise<ActingUser> {
    return this.#pipeline.withDeadline(undefined, undefined, async (deadline) =>
      chooseUser(this.#options.user, await this.#pipeline.users(deadline)),
    );
  }

  /** Runs a task within its caller's deadline and signal, and puts the end of them in the caller's terms. */
  async #withDeadline<T>(
    name: string,
    { timeoutMs, signal }: Pick<CallOptions, 'signal' | 'timeoutMs'>,
    task: (deadline: CallDeadline) => Promise<T>,
  ): Promise<T> {
    if (this.#pipeline.isClosed) {
      throw new InvalidInputError(`The client is closed, so ${name} was not sent. Make a new one.`, {
        operation: name,
      });
    }
    const deadline = this.#pipeline.begin(timeoutMs, signal);
    try {
      return await task(deadline);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      throw unsentError(error.reason, name, this.#pipeline.waitedFor);
    } finally {
      this.#pipeline.end(deadline);
    }
  }
}

function makePipeline(options: FleetClientOptions, parts: ClientParts, report: Notifier): RequestPipeline {
  const { fetch } = options;
  const isMachine = options.share === 'machine';
  const onWarning = report.warning;
  return new RequestPipeline({
    baseUrl: normaliseBaseUrl(options.baseUrl),
    credentials: options.credentials,
    sessionKey: options.sessionKey,
    store: options.tokenStore ?? (isMachine ? fileTokenStore({ onWarning }) : memoryTokenStore()),
    gate: options.gate ?? (isMachine ? fileGate({ onWarning }) : processGate(fetch)),
    http: fetch ? customFetchTransport(fetch) : parts.transport(options.tls ?? {}),
    codec: parts.codec(),
    mergeMax: options.merge === false ? 0 : (options.merge?.max ?? MERGE_MAX),
    timeoutMs: options.timeoutMs ?? CALL_TIMEOUT_MS,
    retryPolicy: retryPolicy(options.retry),
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
