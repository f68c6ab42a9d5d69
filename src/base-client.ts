// The part of a client that does not depend on the transport: checked options, one method per operation, and request() for the caller's own
// documents. It checks calls and unwraps their results; src/request does everything in between.

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
import { operationOf } from './contract/find-operation.js';
import { inputSlips } from './contract/input-slips.js';
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
import type { FleetStream } from './core/fleet-stream.js';
import { GeneratorStream } from './core/generator-stream.js';
import { type Notifier, notifierOfCall } from './core/hooks.js';
import type { AnyCallOptions, CallOptions, Operation } from './core/operation.js';
import { realTimers } from './core/ports.js';
import { refusedInput } from './core/refused-input.js';
import { FleetOperations } from './generated/methods.js';
import type { OperationName, OperationTypes } from './generated/operation-table.js';
import { listQueryOf } from './lists/list-query.js';
import { streamList } from './lists/stream-list.js';
import type { UserOfClient } from './request/acting-user.js';
import type { Call, CallAnswer } from './request/call.js';
import { type CallResponse, keepHead, type NotedAnswer, noted, withResponse } from './request/call-response.js';
import { readDocument } from './request/caller-document.js';
import { CALL_TIMEOUT_MS, type WaitingUser } from './request/deadlines.js';
import { type EachOptions, type EachOutcomes, each, itemOfCall } from './request/each.js';
import { graphqlLoading, loadGraphql } from './request/graphql-parts.js';
import type { HttpStep } from './request/http-steps.js';
import { callerOf } from './request/incoming-request.js';
import type { ClientStats } from './request/stats.js';
import { unwrapData, unwrapResult } from './request/unwrap-result.js';
import { checkVariables, jsonVariables, type Variables } from './request/variables.js';
import type { Activity, ActivityKind } from './telemetry/activities/activity.js';
import { checkRules, ruleEvents, type WatchEvent, type WatchEventsOptions } from './telemetry/events/rule-events.js';
import type { Stop, StopOptions } from './telemetry/stops/stop.js';
import { stopKind } from './telemetry/stops/vehicle-stops.js';
import { KnownRates } from './telemetry/streams/answer-sizes.js';
import { despiteFailures } from './telemetry/streams/despite-failures.js';
import { streamActivities } from './telemetry/streams/stream-activities.js';
import {
  type StreamDependencies,
  type StreamedSnapshot,
  type StreamedVehicleSnapshot,
  streamSnapshots,
  type VehiclesStreamOptions,
} from './telemetry/streams/stream-snapshots.js';
import { isOfMany, type VehiclePeriod, type VehiclesPeriod } from './telemetry/streams/vehicles-in-period.js';
import type { PeriodTripOptions, Trip, TripOf } from './telemetry/trips/trip.js';
import { splitTripOptions } from './telemetry/trips/trip-limits.js';
import { tripKind } from './telemetry/trips/vehicle-drives.js';
import type {
  GeofenceEvent,
  StatusEvent,
  WatchGeofencesOptions,
  WatchStatusOptions,
} from './telemetry/watch/events.js';
import { FleetReader, type watchedSnapshotSelection } from './telemetry/watch/fleet-reader.js';
import { pauseAwake } from './telemetry/watch/pause.js';
import { geofenceEvents, statusEvents, type WatchDependencies } from './telemetry/watch/watch-events.js';

/** A document as text, as a boxed string, or parsed; the typed forms bring the types of `data` and variables along. */
export type FleetDocument<Data, Variables> =
  | string
  | TypedDocumentNode<Data, Variables>
  | (DocumentTypeDecoration<Data, Variables> & { toString(): string });

const NO_VARIABLES: Variables = {};

/** @throws {InvalidInputError} for a mutation with `partial` and for a query with `idempotent` */
function refuseOfOtherKind(name: string, kind: Operation['kind'], { partial, idempotent }: MethodOptions): void {
  if (kind === 'mutation' && partial === true)
    throw refusedInput(`${name} is a mutation, and partial is an option of queries. Leave it out.`, name);
  if (kind === 'query' && idempotent === true)
    throw refusedInput(`${name} is a query, and idempotent is an option of mutations. Leave it out.`, name);
}

export abstract class BaseClient extends FleetOperations implements AsyncDisposable {
  readonly #core: ClientCore;
  readonly #options: FleetClientOptions;
  readonly #notifier: Notifier;
  readonly #user: UserOfClient;
  readonly #reads: SharedReads;
  /** Made by the first watch. Watches that ask for the same share their requests. */
  #watchReader: FleetReader | null = null;
  /** Those of the whole login, or of a fork. */
  readonly #calls: OpenCalls;

  constructor(options: FleetClientOptions, transport: TransportOf) {
    super();
    const sibling = options instanceof SiblingOptions ? options : null;
    if (!sibling) checkClientOptions(options);
    this.#core = sibling ? sibling.core : new ClientCore(options, transport);
    this.#options = this.#core.options;
    this.#notifier = this.#core.notifier;
    this.#user = sibling ? sibling.acting : this.#core.userOf(options.user);
    this.#reads = sibling?.reads ?? { windowLimit: { ms: Number.POSITIVE_INFINITY }, rates: new KnownRates() };
    this.#calls = sibling?.calls ?? this.#core.pipeline.deadlines.calls;
  }

  /**
   * Sends your own GraphQL document, in a request of its own. The document must hold exactly one operation.
   *
   * @returns `data` as the service sent it.
   * @throws {FleetError} with code GRAPHQL when the service answered with errors and `partial` is not set; otherwise as any method.
   */
  request<Data = Record<string, unknown>, Variables = Record<string, unknown>>(
    document: FleetDocument<Data, Variables>,
    variables?: Variables,
    options?: AnyCallOptions,
  ): Promise<Data> {
    return noted((place) => this.#request(document, variables, options, place));
  }

  async #request<Data, Variables>(
    document: FleetDocument<Data, Variables>,
    variables: Variables | undefined,
    options: AnyCallOptions | undefined,
    place: NotedAnswer,
  ): Promise<Data> {
    // Not awaited once it is loaded: the call takes its place in the queue at once.
    const loading = loadGraphql();
    if (loading) await loading;
    const { name, kind, text } = readDocument(document);
    const given = readCallOptions(name, options);
    refuseOfOtherKind(name, kind, given);
    const sendable = jsonVariables(name, variables);
    const call = { name, kind, document: text, variables: sendable, idempotent: given.idempotent ?? false };
    const data = await this.#send(call, given, (answer) => {
      keepHead(place, answer);
      return unwrapData(name, answer, given.partial ?? false, this.#notifierOf(given));
    });
    // Only the document's type says what its data is.
    return data as Data;
  }

  /**
   * Returns the result of a call together with its HTTP response: `await
   * fleet.withResponse(fleet.getVehicles())`. Of a stream it asks for the first row, and returns
   * the stream with the response to its first request.
   *
   * @param call A promise of a method, of `call()` or of `request()`, or a stream, as the client
   * returned it; or a function that makes this one call.
   * @throws {InvalidInputError} when it is none of these. Otherwise what the call throws.
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
   * Makes a change for each of many items, and says what happened to every one: `await
   * fleet.each(people, (person) => fleet.createPerson(…))`. The time that the calls of an item wait
   * for their turn does not count against their `timeoutMs`.
   *
   * @param change Makes the calls of one item, in its own async context. Its error is the outcome
   * of the item.
   * @returns The items that are done, failed, of unknown outcome and not sent, each in the order of
   * `items`. It does not reject because of an item.
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
   * Puts a step around each HTTP request of the login, logins included, inside of those that were
   * put before: to add headers, to measure, to log. It gets the request without token, variables
   * and body, and calls `next` once. A step that fails before that ends the calls of the request
   * with a HeadersError; after that it changes nothing.
   *
   * @throws {InvalidInputError} when the step is no function.
   */
  use(step: HttpStep): void {
    if (typeof step !== 'function') throw refusedInput('use takes a step: a function of a request and next.', 'use');
    this.#core.pipeline.use(step);
  }

  /**
   * Calls the operation of this name, for programs that choose it at run time:
   * `fleet.call('getVehicles')` is `fleet.getVehicles()`. The name may be one of several; variables
   * and `select` then have to fit each of them. Variables and options are those of the method.
   *
   * @returns What the method returns; of several names, what one of their methods returns.
   * @throws {InvalidInputError} when there is no such operation, before anything is sent; otherwise
   * as the method.
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
    return noted(async (place) => this.#execute(operationOf(name), variables, options, place));
  }

  /**
   * Reads a list row by row while the answer arrives: `for await (const vehicle of
   * fleet.stream('getVehicles'))`. For every query that returns a list. It is one request, the same
   * that the method of that name sends; memory use stays flat, however long the list is. The
   * request begins when you ask for the first row, and it has the turn of its user until the answer
   * is complete; `break` cancels it. You can make other calls of this client inside the loop: the
   * rest of the answer is then taken into memory, so that their turn comes.
   *
   * @param options The options of the method, `select` too. `timeoutMs` applies until the answer is
   * complete.
   * @returns The rows of the method, in its order; without null rows.
   * @throws {InvalidInputError} when the operation, the variables or an option are invalid. While
   * you read rows: a {@link FleetError} as of the method, whose `rowsGiven` says how many rows you
   * got before it. A request is sent again only when you got none.
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
    given?: MethodOptions,
  ): FleetStream<RowOf<Name, Select>> {
    const query = listQueryOf(operation);
    const options = readCallOptions(query.name, given);
    const { call } = this.#callOf(query, variables, options);
    return noted((place) =>
      streamList<Name, Select>({ ...call, field: undefined }, options, {
        send: (streamed, callOptions, read) => this.#send(streamed, callOptions, read),
        notifier: this.#notifierOf(options),
        timers: realTimers,
        maxBytes: responseLimit(this.#options).maxBytes,
        onHead: (answer) => keepHead(place, answer),
      }),
    );
  }

  /**
   * Reads the snapshots of several vehicles in few requests: several vehicles' parts of the period
   * travel together, about 4 MiB an answer and more while answers are quick. The rows of a vehicle
   * are in order of time; the order of the vehicles is not promised.
   *
   * @param variables `{ vehicleIds, from, to }`; or `{ vehicles: [{ vehicleId, from }], to }` with
   * a start of its own for each vehicle, for programs that go on where they were: it takes no more
   * requests.
   * @param options The options of `getSnapshots`, and those of many vehicles, such as `onEvent`;
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
   * Reads the snapshots of one vehicle over a period of any length, row by row: `for await (const row of fleet.streamSnapshots(...))`.
   * The stream splits the period into parts of about 4 MiB and requests the next part while you work, so memory use stays flat. You can
   * make other calls of this client inside the loop. `break` ends the stream. The first request is sent when you ask for the first row.
   *
   * @param options The options of `getSnapshots`; `timeoutMs` applies to each part.
   * @returns The rows in order of time, with the default fields or those of `select`, and `ordinal`: its number among the rows of the same
   * millisecond. `timestamp` and `ordinal` are a key of the vehicle's rows. Rows of two parts that overlap come once.
   * @throws {InvalidInputError} when the period or an option is invalid. While you read rows: a {@link FleetError} that says how many
   * rows you got before it.
   */
  streamSnapshots<Select extends Selection<'getSnapshots'> | Unselected | undefined>(
    variables: VehiclePeriod,
    options?: SelectOptions<'getSnapshots', Select>,
  ): FleetStream<StreamedSnapshot<Select>>;
  streamSnapshots<Select>(
    variables: VehiclePeriod | VehiclesPeriod,
    options?: MethodOptions & VehiclesStreamOptions,
  ): FleetStream<StreamedSnapshot<Select>> | FleetStream<StreamedVehicleSnapshot<Select>> {
    const given = readStreamOptions('streamSnapshots', options, isOfMany(variables));
    return noted((place) => streamSnapshots<Select>(variables, given, this.#streamDependencies(given, { place })));
  }

  /**
   * Reads the trips of several vehicles in few requests, as `streamSnapshots` of several vehicles does. Each vehicle has the trips that a stream
   * of its own would have; the order of the vehicles is not promised.
   *
   * @param variables As of `streamSnapshots`.
   * @param options The options of one vehicle, and those of many.
   * @returns Trips as of one vehicle.
   * @throws {InvalidInputError} and others, as `streamSnapshots` of several vehicles.
   */
  streamTrips<Track extends boolean = false, Details extends boolean = false>(
    variables: VehiclesPeriod,
    options?: CallOptions & PeriodTripOptions<Track, Details> & VehiclesStreamOptions,
  ): FleetStream<TripOf<Track, Details>>;
  /**
   * Reads the trips of one vehicle that overlap a period. A trip is a time with the ignition on; it is rebuilt from snapshots and
   * returned as soon as it has ended. A trip that was in progress at `from` is complete, from its real start. A trip in progress at `to`
   * comes last, with `isOpen: true`. A trip has the same id in every period that you read. docs/telemetry.md defines trips.
   *
   * @param options The options of `getSnapshots` without `select`, and those of trips; `timeoutMs` applies to each part of the period.
   * @returns One trip after the other; distances in km, durations in seconds, speeds in km/h.
   * @throws {InvalidInputError} when the period or an option is invalid. While you read trips: a {@link FleetError}, as
   * `streamSnapshots` throws.
   */
  streamTrips<Track extends boolean = false, Details extends boolean = false>(
    variables: VehiclePeriod,
    options?: CallOptions & PeriodTripOptions<Track, Details>,
  ): FleetStream<TripOf<Track, Details>>;
  streamTrips(
    variables: VehiclePeriod | VehiclesPeriod,
    options?: CallOptions & PeriodTripOptions & VehiclesStreamOptions,
  ): FleetStream<Trip> {
    const given = readStreamOptions('streamTrips', options, isOfMany(variables));
    const { limits, clip, call } = splitTripOptions<CallOptions & VehiclesStreamOptions>(given);
    return this.#streamActivities('streamTrips', variables, call, tripKind(limits), clip);
  }

  /**
   * Reads the stops of several vehicles in few requests, as `streamTrips` of several vehicles does.
   *
   * @param variables As of `streamSnapshots`.
   * @param options The options of one vehicle, and those of many.
   * @returns Stops as of one vehicle; the order of the vehicles is not promised.
   * @throws {InvalidInputError} and others, as `streamSnapshots` of several vehicles.
   */
  streamStops(
    variables: VehiclesPeriod,
    options?: CallOptions & StopOptions & VehiclesStreamOptions,
  ): FleetStream<Stop>;
  /**
   * Reads the stops of one vehicle that overlap a period. A stop is a time of at least five minutes
   * in one place, with the engine on or off; the part with the engine on is its idle time. A stop
   * that was in progress at `from` is complete, from its real start. A stop in progress at `to`
   * comes last, with `isOpen: true`. docs/telemetry.md defines stops.
   *
   * @param options The options of `getSnapshots` without `select`, and those of stops; `timeoutMs`
   * applies to each part of the period.
   * @returns One stop after the other, in order of time, with durations in seconds.
   * @throws {InvalidInputError} when the period or an option is invalid. While you read stops: a
   * {@link FleetError}, as `streamSnapshots` throws.
   */
  streamStops(variables: VehiclePeriod, options?: CallOptions & StopOptions): FleetStream<Stop>;
  streamStops(
    variables: VehiclePeriod | VehiclesPeriod,
    options?: CallOptions & StopOptions & VehiclesStreamOptions,
  ): FleetStream<Stop> {
    const given = readStreamOptions('streamStops', options, isOfMany(variables));
    const { minMs, lateMs, clip, continued, ...call } = given;
    const kind = stopKind({ minMs, lateMs, continued });
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
    return noted((place) => streamActivities(variables, call, reading, this.#streamDependencies(call, { place })));
  }

  /** Returns the service's time of now, by its offset once its first answer has told it. */
  #nowSince(): () => number {
    const asked = (this.#options.clock ?? Date).now();
    return () => this.#core.pipeline.serviceClock.at(asked);
  }

  /**
   * Watches the vehicles: which move, change their status, appear or are gone. One request per interval, for the fields that the
   * events need; two watches of one client share it. The watch goes on through failures of the service and of the network, a new
   * login, and the sleep of the machine. Nothing is sent before the first event is asked for. Details: docs/telemetry.md.
   *
   * @returns An endless iterator of {@link StatusEvent}; `break`, `signal` and `close()` end it, a pause included.
   * @throws {InvalidInputError} when the options cannot be used. While it runs: a {@link FleetError} that does not go away by itself,
   * such as AUTHENTICATION; AbortError, or TimeoutError of a time limit, when `signal` fired; ClosedError when the client was closed.
   */
  watchStatus(options?: WatchStatusOptions): FleetStream<StatusEvent> {
    const given = readStatusWatchOptions(options);
    const dependencies = this.#watchDependencies('watchStatus');
    dependencies.reader.check(given);
    return new GeneratorStream('watchStatus', (signal) => statusEvents(given, dependencies, signal), given.signal);
  }

  /**
   * Watches which vehicles enter and leave which geofences, from the same request as {@link watchStatus}; the geofences are read
   * again every ten minutes. A vehicle has entered when its position is inside, and left when it is 50 m outside. Details:
   * docs/telemetry.md.
   *
   * @returns An endless iterator of {@link GeofenceEvent}; it ends as that of `watchStatus`.
   * @throws As `watchStatus`.
   */
  watchGeofences(options?: WatchGeofencesOptions): FleetStream<GeofenceEvent> {
    const given = readGeofenceWatchOptions(options);
    const dependencies = this.#watchDependencies('watchGeofences');
    dependencies.reader.check(given);
    return new GeneratorStream('watchGeofences', (signal) => geofenceEvents(given, dependencies, signal), given.signal);
  }

  /**
   * Watches for the events of rules, such as speeding, idling, movement at night or leaving a
   * geofence. Reads the snapshots between two answers too, so an event that begins and ends in
   * between is found. An event has the same id whenever it is found. docs/alerts.md says when each
   * event happens.
   *
   * @returns An endless iterator of {@link WatchEvent}: events in order for each vehicle, and a
   * checkpoint after those of an answer, with the `state` to go on from. It ends as that of
   * `watchStatus`.
   * @throws {InvalidInputError} when a rule or an option cannot be used. While it runs: as
   * `watchStatus`, and InvalidInputError when a work schedule is missing or cannot be read.
   */
  watchEvents(options: WatchEventsOptions): FleetStream<WatchEvent> {
    const given = readEventWatchOptions(options);
    const rules = checkRules(given);
    const dependencies = this.#watchDependencies('watchEvents');
    dependencies.reader.check(given);
    return new GeneratorStream('watchEvents', (signal) => ruleEvents(given, rules, dependencies, signal), given.signal);
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
   * Returns a client for another user of the same login. Both share the session, the connections and the gate. Closing the new one ends its own
   * calls only, as of a fork; the client that it came from owns the connections.
   */
  abstract forUser(user: UserSelection): BaseClient;

  /** The options for a client of another user. A client made with them shares with this one all but the user. */
  protected optionsFor(user: UserSelection): FleetClientOptions {
    checkUser(user);
    return new SiblingOptions(this.#core, this.#core.userOf(user), null, new OpenCalls(this.#calls));
  }

  /**
   * Returns a client for the same user whose calls have an order of their own: they need not wait until the changes of this client are made,
   * and calls of this client need not wait for the changes of the fork. The calls of both wait in one queue, by priority and then by age. Both
   * share the session, the queue, its limits and the connections. It sends nothing and costs next to nothing, so make one for each job that
   * should not wait for others. Closing a fork ends its own calls only.
   */
  abstract fork(): BaseClient;

  /** The options for a fork. */
  protected optionsOfFork(): FleetClientOptions {
    return new SiblingOptions(this.#core, this.#user, this.#reads, new OpenCalls(this.#calls));
  }

  /**
   * Logs in with the credentials now and replaces the stored session (`POST /login/token`).
   *
   * @returns who logged in and when the session expires; no token.
   * @throws {AuthenticationError} when the credentials are refused, or none were given.
   */
  login(): Promise<SessionInfo> {
    return this.#during('login', {}, (deadline) => deadline.within(this.#core.pipeline.session.login(deadline)));
  }

  /**
   * Makes sure that there is a valid session: uses the stored one, refreshes it, or logs in. Every call does this by itself. Use it to fail
   * early, or to know {@link serviceNow} before the first call. It also loads what the first call needs, and runs that code once. It sends no
   * request that the first call would not send.
   *
   * @returns who logged in and when the session expires; no token.
   * @throws {AuthenticationError} when there is no session and the client cannot log in.
   */
  connect(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<SessionInfo> {
    return this.#during('connect', readCallOptions('connect', options), (deadline) =>
      this.#core.pipeline.ready(deadline),
    );
  }

  /**
   * Returns the service's time: the clock of this machine, corrected by the `Date` header of the service's answers. Use it for the age of a
   * snapshot and for periods such as "the last two hours". It is accurate to about a second. It sends nothing: before the first answer it
   * uses the offset that was stored with the session, or the machine's clock if there is none. After {@link connect} the offset is known.
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
   * milliseconds since 1970. `isKnown`: an answer to this client has shown the service's clock.
   * Until then, and behind a gateway that leaves the `Date` header out, there is only one clock.
   */
  serviceClock(): { readonly serviceMs: number; readonly machineMs: number; readonly isKnown: boolean } {
    const clock = this.#core.pipeline.serviceClock;
    return { serviceMs: clock.now(), machineMs: clock.localNow(), isKnown: clock.observedAheadMs !== null };
  }

  /**
   * Shows what the calls of this client, and of those made from it by `forUser()` and `fork()`, are doing: for each user what waits, what is
   * under way and for how long, and what its requests have come to since the client was made. Sends nothing.
   */
  stats(): ClientStats {
    return this.#core.pipeline.stats();
  }

  /**
   * Removes the stored session. It sends nothing, because the contract has no way to revoke a token.
   *
   * @throws {TokenStoreError} when the token store could not remove the session, so that it is still stored.
   */
  logout(): Promise<void> {
    return this.#during('logout', {}, (deadline) => deadline.within(this.#core.pipeline.session.logout(deadline)));
  }

  /** The stored session; null when there is none. Sends nothing. */
  session(): Promise<SessionInfo | null> {
    return this.#core.pipeline.session.info();
  }

  /**
   * Tells which service this client calls, and the user that it acts for. Two clients with the same identity see the same records. It sends
   * nothing that the first call would not send: the user is looked up once.
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
   * Closes this client and those made from it by `forUser()` and `fork()`, and their connections. Later calls fail, and so do those that are
   * open; with `drainMs` these have so many milliseconds to end by themselves, retries included, and only what is open then fails. Streams
   * end before their next request, and watches at once. Of a client that `forUser()` or `fork()` made: ends its own calls only. Never rejects
   * because of a call.
   *
   * @throws {InvalidInputError} when an option is invalid
   */
  async close(options?: CloseOptions): Promise<void> {
    const { drainMs = 0 } = readCloseOptions(options);
    const { pipeline } = this.#core;
    // A call that waits for graphql is no open call yet.
    if (graphqlLoading) await graphqlLoading;
    if (this.#calls === pipeline.deadlines.calls) return pipeline.close(drainMs);
    await pipeline.deadlines.drain(this.#calls, drainMs);
    this.#calls.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Identifies this client, and those made of it, in the messages of the tracing channels. */
  get source(): ClientSource {
    return this.#notifier.source;
  }

  protected execute<Name extends OperationName, Result>(
    operation: Operation<Name>,
    variables: object | undefined,
    given?: MethodOptions,
  ): Promise<Result> {
    return noted((place) => this.#execute(operation, variables, given, place));
  }

  async #execute<Name extends OperationName, Result>(
    operation: Operation<Name>,
    variables: object | undefined,
    given: MethodOptions | undefined,
    place: NotedAnswer,
  ): Promise<Result> {
    const options = given === undefined ? NO_OPTIONS : readCallOptions(operation.name, given);
    const { call, chosen } = this.#callOf(operation, variables, options);
    const { name, returns } = chosen;
    const value = await this.#send(call, options, (answer) => {
      keepHead(place, answer);
      return unwrapResult({ name, list: returns.list }, answer, options.partial ?? false, this.#notifierOf(options));
    });
    // The operation table and the result types are generated from the same document. Results are not validated at run time.
    return value as Result;
  }

  /** The call of an operation with its selection. @throws {InvalidInputError} when the selection or the variables are invalid */
  #callOf(
    operation: Operation,
    variables: object | undefined,
    options: MethodOptions,
  ): { call: Call; chosen: Operation } {
    const chosen = options.select === undefined ? operation : withSelection(operation, options.select);
    const { name, kind, document, args } = chosen;
    if (options !== NO_OPTIONS) refuseOfOtherKind(name, kind, options);
    let sendable = NO_VARIABLES;
    if (args.length > 0 || (variables ?? null) !== null) {
      sendable = checkVariables(name, args, variables);
      this.#warnOfSlips(name, args, sendable, options);
    }
    const idempotent = options.idempotent ?? false;
    const field = chosen.mergeable ? chosen : undefined;
    return { call: { name, kind, document, variables: sendable, idempotent, member: name, field }, chosen };
  }

  /** `read` takes the result from the answer; what it throws is an error of the call like any other. */
  #send<Value>(
    call: Call,
    options: CallOptions,
    read: (answer: CallAnswer) => Value,
    isOfWatch = false,
  ): Promise<Value> {
    if (graphqlLoading) return graphqlLoading.then(() => this.#send(call, options, read, isOfWatch));
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
      isOfWatch,
      fromSending: item !== undefined,
      read,
    });
    item?.note(call.kind, sent);
    return sent;
  }

  /** Runs a task under a deadline, as one of the calls of this client. */
  #during<Value>(
    operation: string,
    waiting: WaitingUser,
    task: (deadline: CallDeadline) => Promise<Value>,
  ): Promise<Value> {
    return this.#core.pipeline.deadlines.during(operation, { ...waiting, calls: this.#calls }, task);
  }

  #notifierOf({ onWarning }: CallOptions): Notifier {
    return onWarning === undefined ? this.#notifier : notifierOfCall(this.#notifier, onWarning);
  }

  #streamDependencies(
    options: CallOptions,
    { hasBegun = false, place }: { hasBegun?: boolean; place?: NotedAnswer },
  ): StreamDependencies {
    const series = { hasBegun };
    return {
      // Look-ups that are made meanwhile go first.
      send: (call, { priority = 'low', ...options }) =>
        this.#send({ ...call, series }, { ...options, priority }, (answer) => {
          // The first of several.
          if (place?.answer === null) keepHead(place, answer);
          return answer;
        }),
      notifier: this.#notifierOf(options),
      windowLimit: this.#reads.windowLimit,
      rates: this.#reads.rates,
      elapsed: realTimers.now,
      serviceTime: this.#core.pipeline.serviceClock,
    };
  }

  #warnOfSlips(operation: string, args: Operation['args'], variables: Variables, options: CallOptions): void {
    for (const { path, meant } of args.flatMap(({ name, type }) => inputSlips(name, type, variables[name]))) {
      const message = `${operation}: ${path} is not in the contract. Did you mean ${meant.join(' or ')}? It is sent as it is.`;
      this.#notifierOf(options).warning({ code: 'UNKNOWN_MEMBER', message, operation });
    }
  }

  #readerOfWatches(): FleetReader {
    this.#watchReader ??= new FleetReader({
      // A queue that is full is no outage.
      send: (call, options) => this.#send({ ...call, series: { hasBegun: true } }, options, (answer) => answer, true),
      notifier: this.#notifier,
      now: () => this.#core.pipeline.serviceClock.localNow(),
      serviceNow: () => this.serviceNow(),
    });
    return this.#watchReader;
  }

  #watchDependencies(name: string): WatchDependencies {
    const clock = this.#options.clock ?? Date;
    return {
      reader: this.#readerOfWatches(),
      snapshots: (select, signal, vehicles, to, onError) =>
        // The type of a row follows from a selection that is known only now.
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
          pauseAwake(ms, clock.now.bind(clock), (slice) => deadline.wait(slice)),
        ),
    };
  }
}
