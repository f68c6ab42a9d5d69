// The transport-independent part of a client: option checks, one method per operation, and
// request() for the caller's own documents. It checks calls and unwraps their results; src/request
// does everything in between.

import type { DocumentTypeDecoration, TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ClientIdentity, UserSelection } from './auth/acting-user.js';
import type { SessionInfo } from './auth/session.js';
import { ClientCore, responseLimit, type SharedReads, SiblingOptions, type TransportOf } from './client-core.js';
import {
  type CloseOptions,
  checkClientOptions,
  checkUser,
  type FleetClientOptions,
  type MethodOptions,
  NO_OPTIONS,
  readCallOptions,
  readCloseOptions,
  readEachOptions,
  readEventWatchOptions,
  readGeofenceWatchOptions,
  readStatusWatchOptions,
  readStreamOptions,
} from './client-options.js';
import type {
  CallResultOf,
  OperationWithoutVariables,
  OptionsOf,
  SelectionOf,
  VariablesOf,
} from './contract/call-types.js';
import { listQueryOf, operationOf } from './contract/find-operation.js';
import { withSelection } from './contract/selection/selection.js';
import type {
  ListQuery,
  PlainListQuery,
  RowOf,
  Selection,
  SelectOptions,
  Unselected,
} from './contract/selection/types.js';
import { normaliseBaseUrl } from './core/base-url.js';
import { type CallDeadline, OpenCalls } from './core/deadline.js';
import type { LoginUser } from './core/errors.js';
import type { ClientSource } from './core/event-source.js';
import { type FleetStream, GeneratorStream } from './core/generator-stream.js';
import { type Notifier, notifierOfCall } from './core/hooks.js';
import type { AnyCallOptions, CallOptions, Operation } from './core/operation.js';
import { realTimers } from './core/ports.js';
import { refusedInput } from './core/refused-input.js';
import { FleetOperations } from './generated/methods.js';
import type { OperationName, OperationTypes } from './generated/operation-table.js';
import { streamList } from './lists/stream-list.js';
import type { ClientUser } from './request/acting-user.js';
import type { Call, CallAnswer } from './request/call.js';
import { type AnswerHolder, type CallResponse, storeHead, trackAnswer, withResponse } from './request/call-response.js';
import { readDocument } from './request/caller-document.js';
import { CALL_TIMEOUT_MS, type WaitOptions } from './request/deadlines.js';
import { type EachOptions, type EachOutcomes, each, itemOfCall } from './request/each.js';
import { graphqlLoading, loadGraphql } from './request/graphql-parts.js';
import type { HttpStep } from './request/http-steps.js';
import type { ClientStats } from './request/stats.js';
import { callerOf } from './request/turn-order.js';
import { unwrapData, unwrapResult } from './request/unwrap-result.js';
import { checkVariables, findInputTypos, jsonVariables, type Variables } from './request/variables.js';
import type { Activity, ActivityKind } from './telemetry/activities/activity.js';
import { checkRules, ruleEvents, type WatchEvent, type WatchEventsOptions } from './telemetry/events/rule-events.js';
import type { Stop, StopOptions } from './telemetry/stops/stop.js';
import { stopKind } from './telemetry/stops/vehicle-stops.js';
import { RateCache } from './telemetry/streams/answer-sizes.js';
import { despiteFailures } from './telemetry/streams/despite-failures.js';
import { streamActivities } from './telemetry/streams/stream-activities.js';
import {
  type StreamDependencies,
  type StreamedSnapshot,
  type StreamedVehicleSnapshot,
  streamSnapshots,
  type VehiclesStreamOptions,
} from './telemetry/streams/stream-snapshots.js';
import { isForManyVehicles, type VehiclePeriod, type VehiclesPeriod } from './telemetry/streams/vehicles-in-period.js';
import type { PeriodTripOptions, Trip, TripOf } from './telemetry/trips/trip.js';
import { splitTripOptions } from './telemetry/trips/trip-limits.js';
import { tripKind } from './telemetry/trips/vehicle-drives.js';
import type {
  GeofenceEvent,
  StatusEvent,
  WatchGeofencesOptions,
  WatchOptions,
  WatchStatusOptions,
} from './telemetry/watch/events.js';
import { FleetReader, type watchedSnapshotSelection } from './telemetry/watch/fleet-reader.js';
import { pauseByWallClock } from './telemetry/watch/wall-clock-pause.js';
import { geofenceEvents, statusEvents, type WatchDependencies } from './telemetry/watch/watch-events.js';

/** A document as text, as a boxed string, or parsed; typed forms type the data and variables. */
export type FleetDocument<Data, Variables> =
  | string
  | TypedDocumentNode<Data, Variables>
  | (DocumentTypeDecoration<Data, Variables> & { toString(): string });

const NO_VARIABLES: Variables = {};

/** @throws {InvalidInputError} for a mutation with `partial` and for a query with `idempotent` */
function checkKindOptions(name: string, kind: Operation['kind'], { partial, idempotent }: MethodOptions): void {
  if (kind === 'mutation' && partial === true)
    throw refusedInput(`${name} is a mutation, and partial is an option of queries. Leave it out.`, name);
  if (kind === 'query' && idempotent === true)
    throw refusedInput(`${name} is a query, and idempotent is an option of mutations. Leave it out.`, name);
}

export abstract class BaseClient extends FleetOperations implements AsyncDisposable {
  readonly #core: ClientCore;
  readonly #options: FleetClientOptions;
  readonly #notifier: Notifier;
  readonly #user: ClientUser;
  readonly #reads: SharedReads;
  /** Created by the first watch. Watches with equal requests share them. */
  #watchReader: FleetReader | null = null;
  readonly #calls: OpenCalls;

  constructor(options: FleetClientOptions, transport: TransportOf) {
    super();
    const sibling = options instanceof SiblingOptions ? options : null;
    if (!sibling) checkClientOptions(options);
    this.#core = sibling ? sibling.core : new ClientCore(options, transport);
    this.#options = this.#core.options;
    this.#notifier = this.#core.notifier;
    this.#user = sibling ? sibling.acting : this.#core.userOf(options.user);
    this.#reads = sibling?.reads ?? { windowLimit: { ms: Number.POSITIVE_INFINITY }, rates: new RateCache() };
    this.#calls = sibling?.calls ?? this.#core.pipeline.deadlines.calls;
  }

  /**
   * Sends your own GraphQL document in a separate request. The document must contain exactly one
   * operation.
   *
   * @returns `data` as the service sent it.
   * @throws {FleetError} with code GRAPHQL when the service answered with errors and `partial` is
   * not set; otherwise as any method.
   */
  request<Data = Record<string, unknown>, Variables = Record<string, unknown>>(
    document: FleetDocument<Data, Variables>,
    variables?: Variables,
    options?: AnyCallOptions,
  ): Promise<Data> {
    return trackAnswer((place) => this.#request(document, variables, options, place));
  }

  async #request<Data, Variables>(
    document: FleetDocument<Data, Variables>,
    variables: Variables | undefined,
    options: AnyCallOptions | undefined,
    place: AnswerHolder,
  ): Promise<Data> {
    // Not awaited once it is loaded: the call takes its place in the queue at once.
    const loading = loadGraphql();
    if (loading) await loading;
    const { name, kind, text } = readDocument(document);
    const checked = readCallOptions(name, options);
    checkKindOptions(name, kind, checked);
    const sendable = jsonVariables(name, variables);
    const call = { name, kind, document: text, variables: sendable, idempotent: checked.idempotent ?? false };
    const data = await this.#send(call, checked, (answer) => {
      storeHead(place, answer);
      return unwrapData(name, answer, checked.partial ?? false, this.#notifierOf(checked));
    });
    // Only the document's type defines its data.
    return data as Data;
  }

  /**
   * Returns the result of a call together with its HTTP response:
   * `await fleet.withResponse(fleet.getVehicles())`. For a stream it requests the first row, and
   * returns the stream with the response to its first request.
   *
   * @param call A promise of a method, of `call()` or of `request()`, or a stream, as the client
   * returned it; or a function that makes this one call.
   * @throws {InvalidInputError} for any other value. Otherwise as the call.
   */
  withResponse<Item>(
    call: FleetStream<Item> | (() => FleetStream<Item>),
  ): Promise<{ readonly data: FleetStream<Item>; readonly response: CallResponse }>;
  withResponse<Data>(
    call: Promise<Data> | (() => Promise<Data>),
  ): Promise<{ readonly data: Data; readonly response: CallResponse }>;
  async withResponse(call: unknown): Promise<{ readonly data: unknown; readonly response: CallResponse }> {
    return withResponse(call);
  }

  /**
   * Makes a change for each of many items and reports every outcome:
   * `await fleet.each(people, (person) => fleet.createPerson(…))`. Time in the queue does not count
   * against the `timeoutMs` of an item's calls.
   *
   * @param change Makes the calls of one item, in its own async context. Its error becomes the
   * outcome of the item.
   * @returns The items that are done, failed, of unknown outcome and not sent, each in the order of
   * `items`. The failure of an item does not reject.
   * @throws {InvalidInputError} when items, change or an option are invalid.
   */
  async each<Item, Result>(
    items: Iterable<Item>,
    change: (item: Item, index: number) => Promise<Result>,
    options?: EachOptions,
  ): Promise<EachOutcomes<Item, Result>> {
    return each(items, change, readEachOptions(items, change, options));
  }

  /**
   * Adds a step around each HTTP request of the login, logins included, inside the steps added
   * before: to add headers, to measure, to log. The step gets the request without token, variables
   * and body, and calls `next` once. If it fails before `next`, the calls of the request fail with
   * a HeadersError; later failures are ignored.
   *
   * @throws {InvalidInputError} when the step is no function.
   */
  use(step: HttpStep): void {
    if (typeof step !== 'function') throw refusedInput('use takes a step: a function of a request and next.', 'use');
    this.#core.pipeline.use(step);
  }

  /**
   * Calls an operation by name, for programs that choose it at run time:
   * `fleet.call('getVehicles')` is `fleet.getVehicles()`. The name may have a union type; variables
   * and `select` then have to fit each operation. Variables and options are those of the method.
   *
   * @returns The result of the method; for a union of names, the union of the results.
   * @throws {InvalidInputError} for an unknown operation, before anything is sent; otherwise as the
   * method.
   */
  call<Name extends OperationWithoutVariables>(name: Name): Promise<CallResultOf<Name, undefined>>;
  call<Name extends OperationName, Select extends SelectionOf<Name> | Unselected | undefined>(
    name: Name,
    variables: VariablesOf<Name>,
    options?: OptionsOf<Name, Select>,
  ): Promise<CallResultOf<Name, Select>>;
  call<Name extends OperationName, Select>(
    name: Name,
    variables?: object,
    options?: MethodOptions,
  ): Promise<CallResultOf<Name, Select>> {
    return trackAnswer(async (place) => this.#execute(operationOf(name), variables, options, place));
  }

  /**
   * Reads a list row by row while the answer arrives:
   * `for await (const vehicle of fleet.stream('getVehicles'))`. Works for every query that returns
   * a list. It is one request, the same as that of the method, and memory use stays flat for any
   * length of the list. It is sent when you request the first row, and holds its user's turn until
   * the answer is complete; `break` cancels it. You can make other calls of this client inside the
   * loop: the rest of the answer is then buffered in memory, so that they get their turn.
   *
   * @param options The options of the method, including `select`. `timeoutMs` applies until the
   * answer is complete.
   * @returns The rows of the method, in its order; without null rows.
   * @throws {InvalidInputError} when the operation, the variables or an option are invalid. While
   * you read rows: a {@link FleetError} as of the method; `rowsGiven` is the number of rows
   * delivered before it. A request is retried only when no row was delivered.
   */
  stream<Name extends PlainListQuery>(operation: Name): FleetStream<RowOf<Name, undefined>>;
  stream<Name extends ListQuery, Select extends Selection<Name> | Unselected | undefined>(
    operation: Name,
    variables: OperationTypes[Name]['variables'],
    options?: SelectOptions<Name, Select>,
  ): FleetStream<RowOf<Name, Select>>;
  stream<Name extends ListQuery, Select>(
    operation: Name,
    variables?: object,
    checked?: MethodOptions,
  ): FleetStream<RowOf<Name, Select>> {
    const query = listQueryOf(operation);
    const options = readCallOptions(query.name, checked);
    const { call } = this.#callOf(query, variables, options);
    return trackAnswer((place) =>
      streamList<Name, Select>({ ...call, field: undefined }, options, {
        send: (streamed, callOptions, read) => this.#send(streamed, callOptions, read),
        notifier: this.#notifierOf(options),
        timers: realTimers,
        maxBytes: responseLimit(this.#options).maxBytes,
        onHead: (answer) => storeHead(place, answer),
      }),
    );
  }

  /**
   * Reads the snapshots of several vehicles in few requests: a request contains parts of several
   * vehicles, about 4 MiB an answer, and more while answers are fast. The rows of each vehicle are
   * in time order; the order of the vehicles is not defined.
   *
   * @param variables `{ vehicleIds, from, to }`; or `{ vehicles: [{ vehicleId, from }], to }` with
   * a separate start for each vehicle, for programs that resume. It needs no more requests.
   * @param options The options of `getSnapshots`, and those of several vehicles, such as `onEvent`;
   * `timeoutMs` applies to each request.
   * @returns Rows with their `vehicleId` and `ordinal`, whatever is selected; with `timestamp` they
   * are a key of the row. Otherwise as of one vehicle.
   * @throws {InvalidInputError} when a vehicle, the period or an option is invalid. While you read
   * rows: an {@link IncompleteStreamError} at the end when vehicles failed; other errors as of one
   * vehicle.
   */
  streamSnapshots<Select extends Selection<'getSnapshots'> | Unselected | undefined>(
    variables: VehiclesPeriod,
    options?: SelectOptions<'getSnapshots', Select> & VehiclesStreamOptions,
  ): FleetStream<StreamedVehicleSnapshot<Select>>;
  /**
   * Reads the snapshots of one vehicle over a period of any length, row by row:
   * `for await (const row of fleet.streamSnapshots(...))`. The stream splits the period into parts
   * of about 4 MiB and requests the next part while you work, so memory use stays flat. You can
   * make other calls of this client inside the loop. `break` ends the stream. The first request is
   * sent when you request the first row.
   *
   * @param options The options of `getSnapshots`; `timeoutMs` applies to each part.
   * @returns The rows in time order, with the default fields or those of `select`, and `ordinal`:
   * the number of the row within its millisecond. `timestamp` and `ordinal` are a key of the
   * vehicle's rows. Rows of overlapping parts are delivered once.
   * @throws {InvalidInputError} when the period or an option is invalid. While you read rows: a
   * {@link FleetError} with the number of rows delivered before it.
   */
  streamSnapshots<Select extends Selection<'getSnapshots'> | Unselected | undefined>(
    variables: VehiclePeriod,
    options?: SelectOptions<'getSnapshots', Select>,
  ): FleetStream<StreamedSnapshot<Select>>;
  streamSnapshots<Select>(
    variables: VehiclePeriod | VehiclesPeriod,
    options?: MethodOptions & VehiclesStreamOptions,
  ): FleetStream<StreamedSnapshot<Select>> | FleetStream<StreamedVehicleSnapshot<Select>> {
    const checked = readStreamOptions('streamSnapshots', options, isForManyVehicles(variables));
    return trackAnswer((place) =>
      streamSnapshots<Select>(variables, checked, this.#streamDependencies(checked, { place })),
    );
  }

  /**
   * Reads the trips of several vehicles in few requests, as `streamSnapshots` of several vehicles
   * does. Each vehicle has the same trips as in its own stream; the order of the vehicles is not
   * defined.
   *
   * @param variables As of `streamSnapshots`.
   * @param options The options of one vehicle, and those of several vehicles.
   * @returns Trips as of one vehicle.
   * @throws {InvalidInputError} and others, as `streamSnapshots` of several vehicles.
   */
  streamTrips<Track extends boolean = false, Details extends boolean | 'parts' = false>(
    variables: VehiclesPeriod,
    options?: CallOptions & PeriodTripOptions<Track, Details> & VehiclesStreamOptions,
  ): FleetStream<TripOf<Track, Details>>;
  /**
   * Reads the trips of one vehicle that overlap a period. A trip is a time with the ignition on; it
   * is rebuilt from snapshots and delivered as soon as it has ended. A trip in progress at `from`
   * is complete, from its real start. A trip in progress at `to` comes last, with `isOpen: true`. A
   * trip has the same id in every period. docs/telemetry.md defines trips.
   *
   * @param options The options of `getSnapshots` without `select`, and those of trips; `timeoutMs`
   * applies to each part of the period.
   * @returns The trips in order; distances in km, durations in seconds, speeds in km/h.
   * @throws {InvalidInputError} when the period or an option is invalid. While you read trips: a
   * {@link FleetError}, as `streamSnapshots` throws.
   */
  streamTrips<Track extends boolean = false, Details extends boolean | 'parts' = false>(
    variables: VehiclePeriod,
    options?: CallOptions & PeriodTripOptions<Track, Details>,
  ): FleetStream<TripOf<Track, Details>>;
  streamTrips(
    variables: VehiclePeriod | VehiclesPeriod,
    options?: CallOptions & PeriodTripOptions & VehiclesStreamOptions,
  ): FleetStream<Trip> {
    const checked = readStreamOptions('streamTrips', options, isForManyVehicles(variables));
    const { limits, clip, call } = splitTripOptions<CallOptions & VehiclesStreamOptions>(checked);
    return this.#streamActivities('streamTrips', variables, call, tripKind(limits), clip);
  }

  /**
   * Reads the stops of several vehicles in few requests, as `streamTrips` of several vehicles does.
   *
   * @param variables As of `streamSnapshots`.
   * @param options The options of one vehicle, and those of several vehicles.
   * @returns Stops as of one vehicle; the order of the vehicles is not defined.
   * @throws {InvalidInputError} and others, as `streamSnapshots` of several vehicles.
   */
  streamStops(
    variables: VehiclesPeriod,
    options?: CallOptions & StopOptions & VehiclesStreamOptions,
  ): FleetStream<Stop>;
  /**
   * Reads the stops of one vehicle that overlap a period. A stop is a time of at least five minutes
   * in one place, with the engine on or off; the part with the engine on is its idle time. A stop
   * in progress at `from` is complete, from its real start. A stop in progress at `to` comes last,
   * with `isOpen: true`. docs/telemetry.md defines stops.
   *
   * @param options The options of `getSnapshots` without `select`, and those of stops; `timeoutMs`
   * applies to each part of the period.
   * @returns The stops in time order, with durations in seconds.
   * @throws {InvalidInputError} when the period or an option is invalid. While you read stops: a
   * {@link FleetError}, as `streamSnapshots` throws.
   */
  streamStops(variables: VehiclePeriod, options?: CallOptions & StopOptions): FleetStream<Stop>;
  streamStops(
    variables: VehiclePeriod | VehiclesPeriod,
    options?: CallOptions & StopOptions & VehiclesStreamOptions,
  ): FleetStream<Stop> {
    const checked = readStreamOptions('streamStops', options, isForManyVehicles(variables));
    const { minMs, lateMs, clip, withSegments, continued, ...call } = checked;
    const kind = stopKind({ minMs, lateMs, withSegments, continued });
    return this.#streamActivities('streamStops', variables, call, kind, clip === true);
  }

  #streamActivities<Found extends Activity>(
    caller: string,
    variables: VehiclePeriod | VehiclesPeriod,
    call: CallOptions & VehiclesStreamOptions,
    kind: ActivityKind<Found>,
    clip: boolean,
  ): FleetStream<Found> {
    const reading = { caller, kind, clip, now: this.#nowSince() };
    return trackAnswer((place) =>
      streamActivities(variables, call, reading, this.#streamDependencies(call, { place })),
    );
  }

  /** Returns the service's time of this call, corrected once the first answer shows the offset. */
  #nowSince(): () => number {
    const calledAt = (this.#options.clock ?? Date).now();
    return () => this.#core.pipeline.serviceClock.at(calledAt);
  }

  /**
   * Watches the vehicles: which ones move, change their status, appear or disappear. It sends one
   * request per interval, for the fields that the events need; two watches of one client share it.
   * The watch continues through failures of the service and of the network, a new login, and the
   * sleep of the machine. The first request is sent when you request the first event. Details:
   * docs/telemetry.md.
   *
   * @returns An endless iterator of {@link StatusEvent}; `break`, `signal` and `close()` end it,
   * also during a pause.
   * @throws {InvalidInputError} when the options cannot be used. While it runs: a permanent
   * {@link FleetError}, such as AUTHENTICATION; AbortError, or TimeoutError of a time limit, when
   * `signal` fired; ClosedError when the client was closed.
   */
  watchStatus(options?: WatchStatusOptions): FleetStream<StatusEvent> {
    const checked = readStatusWatchOptions(options);
    return this.#watch('watchStatus', checked, (...watching) => statusEvents(checked, ...watching));
  }

  /**
   * Watches which vehicles enter and leave which geofences, with the requests of
   * {@link watchStatus}; the geofences are read again every ten minutes. A vehicle has entered when
   * its position is inside, and left when it is 50 m outside. Details: docs/telemetry.md.
   *
   * @returns An endless iterator of {@link GeofenceEvent}; it ends as that of `watchStatus`.
   * @throws As `watchStatus`.
   */
  watchGeofences(options?: WatchGeofencesOptions): FleetStream<GeofenceEvent> {
    const checked = readGeofenceWatchOptions(options);
    return this.#watch('watchGeofences', checked, (...watching) => geofenceEvents(checked, ...watching));
  }

  /**
   * Watches for the events of rules, such as speeding, idling, movement at night or leaving a
   * geofence. It also reads the snapshots between two answers, so it finds an event that begins and
   * ends in between. An event has the same id whenever it is found. docs/alerts.md defines each
   * event.
   *
   * @returns An endless iterator of {@link WatchEvent}: events in order for each vehicle, and a
   * checkpoint after those of an answer, with the `state` to resume from. It ends as that of
   * `watchStatus`.
   * @throws {InvalidInputError} when a rule or an option cannot be used. While it runs: as
   * `watchStatus`, and InvalidInputError when a work schedule is missing or invalid.
   */
  watchEvents(options: WatchEventsOptions): FleetStream<WatchEvent> {
    const checked = readEventWatchOptions(options);
    const rules = checkRules(checked);
    return this.#watch('watchEvents', checked, (...watching) => ruleEvents(checked, rules, ...watching));
  }

  /**
   * Lists the users that the login may act for (`GET /login/userinfo`).
   *
   * @returns id, name and fleet of each user; an empty list when there are none.
   * @throws {FleetError} when the client cannot log in or cannot reach the service.
   */
  async listLoginUsers(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<LoginUser[]> {
    return this.#during('userinfo', readCallOptions('userinfo', options), (deadline) =>
      this.#core.pipeline.users(deadline),
    );
  }

  /**
   * Returns a client for another user of the same login, which shares the session, the connections
   * and the gate. Closing it ends only its own calls, as of a fork; the client that it came from
   * owns the connections.
   */
  abstract forUser(user: UserSelection): BaseClient;

  /** Returns the options for a client of another user, which shares everything except the user. */
  protected optionsFor(user: UserSelection): FleetClientOptions {
    checkUser(user);
    return new SiblingOptions(this.#core, this.#core.userOf(user), null, new OpenCalls(this.#calls));
  }

  /**
   * Returns a client for the same user whose calls have an order of their own: calls of one client
   * do not wait for changes of the other. Both share the session, one queue (by priority, then by
   * age), its limits and the connections. A fork sends nothing and costs almost nothing, so make
   * one for each job that should not wait for others. Closing it ends only its own calls.
   */
  abstract fork(): BaseClient;

  protected optionsOfFork(): FleetClientOptions {
    return new SiblingOptions(this.#core, this.#user, this.#reads, new OpenCalls(this.#calls));
  }

  /**
   * Logs in with the credentials now and replaces the stored session (`POST /login/token`).
   *
   * @returns the user name and the expiry of the session; no token.
   * @throws {AuthenticationError} when the credentials are refused, or none were given.
   */
  login(): Promise<SessionInfo> {
    return this.#during('login', {}, (deadline) => deadline.within(this.#core.pipeline.session.login(deadline)));
  }

  /**
   * Makes sure that there is a valid session: uses the stored one, refreshes it, or logs in. Every
   * call does this by itself. Use it to fail early, or to know {@link serviceNow} before the first
   * call. It also loads and warms up the code of the first call. It sends no request that the first
   * call would not send.
   *
   * @returns the user name and the expiry of the session; no token.
   * @throws {AuthenticationError} when there is no session and the client cannot log in.
   */
  connect(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<SessionInfo> {
    return this.#during('connect', readCallOptions('connect', options), (deadline) =>
      this.#core.pipeline.ready(deadline),
    );
  }

  /**
   * Returns the service's time: the clock of this machine, corrected by the `Date` header of the
   * service's answers. It is accurate to about a second. Use it for the age of a snapshot and for
   * periods such as "the last two hours". It sends nothing: before the first answer it uses the
   * offset stored with the session, or else the machine's clock. After {@link connect} the offset
   * is known.
   *
   * @returns milliseconds since 1970, as `Date.now()` does.
   */
  serviceNow(): number {
    return this.#core.pipeline.serviceClock.now();
  }

  /**
   * Returns the two clocks that {@link serviceNow} reconciles. Compare them where a wrong clock
   * would do harm. Sends nothing.
   *
   * @returns `serviceMs` as `serviceNow()`; `machineMs`, the time of the option `clock`; both in
   * milliseconds since 1970. `isKnown`: an answer to this client contained the service's time.
   * Until then, and behind a gateway that removes the `Date` header, both are the machine's clock
   * plus a stored offset.
   */
  serviceClock(): { readonly serviceMs: number; readonly machineMs: number; readonly isKnown: boolean } {
    const clock = this.#core.pipeline.serviceClock;
    return { serviceMs: clock.now(), machineMs: clock.localNow(), isKnown: clock.observedAheadMs !== null };
  }

  /**
   * Returns the state of the calls of this client and its siblings from `forUser()` and `fork()`.
   * Sends nothing. For each user: the waiting calls, the running request and its duration, and the
   * totals since the client was made.
   */
  stats(): ClientStats {
    return this.#core.pipeline.stats();
  }

  /**
   * Removes the stored session. It sends nothing, because the contract has no way to revoke a
   * token.
   *
   * @throws {TokenStoreError} when the token store could not remove the session, so that it is
   * still stored.
   */
  logout(): Promise<void> {
    return this.#during('logout', {}, (deadline) => deadline.within(this.#core.pipeline.session.logout(deadline)));
  }

  /** Returns the stored session; null without one. Sends nothing. */
  session(): Promise<SessionInfo | null> {
    return this.#core.pipeline.session.info();
  }

  /**
   * Returns the service that this client calls, and its user. Two clients with the same identity
   * see the same records. It sends nothing that the first call would not send: the user is looked
   * up once.
   *
   * @throws {UserSelectionError} when the login may act for several users, and none was selected.
   * @throws {FleetError} when the client cannot log in or cannot reach the service.
   */
  identity(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<ClientIdentity> {
    return this.#during('identity', readCallOptions('identity', options), (deadline) =>
      this.#user.withUser(deadline, async ({ key }) => ({
        baseUrl: normaliseBaseUrl(this.#options.baseUrl),
        user: key,
      })),
    );
  }

  /**
   * Closes this client, those made from it by `forUser()` and `fork()`, and their connections.
   * Later calls fail. Open calls fail at once, or after `drainMs`, during which they may finish,
   * retries included. Streams end before their next request, and watches at once. On a client from
   * `forUser()` or `fork()` it ends only that client's calls. A failing call does not make it
   * reject.
   *
   * @throws {InvalidInputError} when an option is invalid
   */
  async close(options?: CloseOptions): Promise<void> {
    const { drainMs = 0 } = readCloseOptions(options);
    const { pipeline } = this.#core;
    // A call that waits for graphql is not an open call yet.
    if (graphqlLoading) await graphqlLoading;
    if (this.#calls === pipeline.deadlines.calls) return pipeline.close(drainMs);
    await pipeline.deadlines.drain(this.#calls, drainMs);
    this.#calls.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Identifies this client, and those made from it, in the messages of the tracing channels. */
  get source(): ClientSource {
    return this.#notifier.source;
  }

  protected execute<Name extends OperationName, Result>(
    operation: Operation<Name>,
    variables: object | undefined,
    checked?: MethodOptions,
  ): Promise<Result> {
    return trackAnswer((place) => this.#execute(operation, variables, checked, place));
  }

  async #execute<Name extends OperationName, Result>(
    operation: Operation<Name>,
    variables: object | undefined,
    checked: MethodOptions | undefined,
    place: AnswerHolder,
  ): Promise<Result> {
    const options = checked === undefined ? NO_OPTIONS : readCallOptions(operation.name, checked);
    const { call, selectedOperation } = this.#callOf(operation, variables, options);
    const { name, returns } = selectedOperation;
    const value = await this.#send(call, options, (answer) => {
      storeHead(place, answer);
      return unwrapResult({ name, list: returns.list }, answer, options.partial ?? false, this.#notifierOf(options));
    });
    // Both are generated from the same document. Results are not validated at run time.
    return value as Result;
  }

  /**
   * Returns the call of an operation with its selection.
   * @throws {InvalidInputError} when the selection or the variables are invalid
   */
  #callOf(
    operation: Operation,
    variables: object | undefined,
    options: MethodOptions,
  ): { call: Call; selectedOperation: Operation } {
    const selectedOperation = options.select === undefined ? operation : withSelection(operation, options.select);
    const { name, kind, document, args } = selectedOperation;
    if (options !== NO_OPTIONS) checkKindOptions(name, kind, options);
    let sendable = NO_VARIABLES;
    if (args.length > 0 || (variables ?? null) !== null) {
      sendable = checkVariables(name, args, variables);
      this.#warnAboutTypos(name, args, sendable, options);
    }
    const idempotent = options.idempotent ?? false;
    const field = selectedOperation.mergeable ? selectedOperation : undefined;
    return { call: { name, kind, document, variables: sendable, idempotent, member: name, field }, selectedOperation };
  }

  /** Sends a call. `read` extracts the result; its exceptions are errors of the call. */
  #send<Value>(
    call: Call,
    options: CallOptions,
    read: (answer: CallAnswer) => Value,
    isWatchCall = false,
  ): Promise<Value> {
    if (graphqlLoading) return graphqlLoading.then(() => this.#send(call, options, read, isWatchCall));
    // Member by member: a spread takes longer than all the rest of this.
    const complete = {
      name: call.name,
      kind: call.kind,
      document: call.document,
      variables: call.variables,
      idempotent: call.idempotent,
      member: call.member,
      field: call.field,
      list: call.list,
      series: call.series,
      attemptTimeoutMs: options.attemptTimeoutMs ?? this.#options.attemptTimeoutMs,
      retry: options.retry && { ...options.retry },
      headers: options.headers && { ...options.headers },
      priority: options.priority ?? 'normal',
      caller: callerOf(this, call.kind),
    } satisfies Record<keyof Call, unknown>;
    const { timeoutMs, signal } = options;
    const item = itemOfCall();
    const sent = this.#core.pipeline.send({
      call: complete,
      user: this.#user,
      timeoutMs,
      signal,
      calls: this.#calls,
      isOfWatch: isWatchCall,
      fromSending: item !== undefined,
      read,
    });
    item?.note(call.kind, sent);
    return sent;
  }

  #during<Value>(
    operation: string,
    waiting: WaitOptions,
    task: (deadline: CallDeadline) => Promise<Value>,
  ): Promise<Value> {
    return this.#core.pipeline.deadlines.during(operation, { ...waiting, calls: this.#calls }, task);
  }

  #notifierOf({ onWarning }: CallOptions): Notifier {
    return onWarning === undefined ? this.#notifier : notifierOfCall(this.#notifier, onWarning);
  }

  #streamDependencies(
    options: CallOptions,
    { hasBegun = false, place }: { hasBegun?: boolean; place?: AnswerHolder },
  ): StreamDependencies {
    const series = { hasBegun };
    return {
      // Lookups made meanwhile go first.
      send: (call, { priority = 'low', ...options }) =>
        this.#send({ ...call, series }, { ...options, priority }, (answer) => {
          if (place?.answer === null) storeHead(place, answer);
          return answer;
        }),
      notifier: this.#notifierOf(options),
      windowLimit: this.#reads.windowLimit,
      rates: this.#reads.rates,
      elapsed: realTimers.now,
      serviceTime: this.#core.pipeline.serviceClock,
    };
  }

  #warnAboutTypos(operation: string, args: Operation['args'], variables: Variables, options: CallOptions): void {
    for (const { path, similarNames } of args.flatMap(({ name, type }) =>
      findInputTypos(name, type, variables[name]),
    )) {
      const message = `${operation}: ${path} is not in the contract. Did you mean ${similarNames.join(' or ')}? It is sent as it is.`;
      this.#notifierOf(options).warning({ code: 'UNKNOWN_MEMBER', message, operation });
    }
  }

  #readerOfWatches(): FleetReader {
    this.#watchReader ??= new FleetReader({
      // The queue limit does not apply: a full queue is no outage.
      send: (call, options) => this.#send({ ...call, series: { hasBegun: true } }, options, (answer) => answer, true),
      notifier: this.#notifier,
      now: () => this.#core.pipeline.serviceClock.localNow(),
      serviceNow: () => this.serviceNow(),
    });
    return this.#watchReader;
  }

  #watch<Event>(
    name: string,
    options: WatchOptions,
    events: (dependencies: WatchDependencies, signal: AbortSignal) => AsyncGenerator<Event, unknown>,
  ): FleetStream<Event> {
    const dependencies = this.#watchDependencies(name);
    dependencies.reader.check(options);
    return new GeneratorStream(name, (signal) => events(dependencies, signal), options.signal);
  }

  #watchDependencies(name: string): WatchDependencies {
    const clock = this.#options.clock ?? Date;
    return {
      reader: this.#readerOfWatches(),
      snapshots: (select, signal, vehicles, to, onError) =>
        despiteFailures(
          streamSnapshots<typeof watchedSnapshotSelection>(
            { vehicles, to },
            {
              select,
              signal,
              onEvent: (event) => event.type === 'error' && onError(event.vehicleId, event.error.message),
            },
            this.#streamDependencies({}, { hasBegun: true }),
          ) as FleetStream<StreamedVehicleSnapshot<typeof watchedSnapshotSelection>>,
        ),
      warn: (event) => this.#notifier.warning(event),
      now: () => clock.now(),
      serviceNow: () => this.serviceNow(),
      random: Math.random,
      timeoutMs: this.#options.timeoutMs ?? CALL_TIMEOUT_MS,
      pause: (ms, signal) =>
        this.#during(name, { timeoutMs: Number.POSITIVE_INFINITY, signal, isOfWatch: true }, (deadline) =>
          pauseByWallClock(ms, clock.now.bind(clock), (slice) => deadline.wait(slice)),
        ),
    };
  }
}
