import { ClientCore, responseLimit, SiblingOptions } from "./client-core.js";
import {
  checkClientOptions,
  checkUser,
  NO_OPTIONS,
  readCallOptions,
  readCloseOptions,
  readEachOptions,
  readEventWatchOptions,
  readGeofenceWatchOptions,
  readStatusWatchOptions,
  readStreamOptions
} from "./client-options.js";
import { operationOf } from "./contract/find-operation.js";
import { inputSlips } from "./contract/input-slips.js";
import { withSelection } from "./contract/selection/selection.js";
import { normaliseBaseUrl } from "./core/base-url.js";
import { OpenCalls } from "./core/deadline.js";
import { GeneratorStream } from "./core/generator-stream.js";
import { notifierOfCall } from "./core/hooks.js";
import { realTimers } from "./core/ports.js";
import { refusedInput } from "./core/refused-input.js";
import { FleetOperations } from "./generated/methods.js";
import { listQueryOf } from "./lists/list-query.js";
import { streamList } from "./lists/stream-list.js";
import { note, noted, withResponse } from "./request/call-response.js";
import { readDocument } from "./request/caller-document.js";
import { CALL_TIMEOUT_MS } from "./request/deadlines.js";
import { each, itemOfCall } from "./request/each.js";
import { graphqlLoading, loadGraphql } from "./request/graphql-parts.js";
import { callerOf } from "./request/incoming-request.js";
import { unwrapData, unwrapResult } from "./request/unwrap-result.js";
import { checkVariables, jsonVariables } from "./request/variables.js";
import { checkRules, ruleEvents } from "./telemetry/events/rule-events.js";
import { stopKind } from "./telemetry/stops/vehicle-stops.js";
import { KnownRates } from "./telemetry/streams/answer-sizes.js";
import { despiteFailures } from "./telemetry/streams/despite-failures.js";
import { streamActivities } from "./telemetry/streams/stream-activities.js";
import {
  streamSnapshots
} from "./telemetry/streams/stream-snapshots.js";
import { isOfMany } from "./telemetry/streams/vehicles-in-period.js";
import { splitTripOptions } from "./telemetry/trips/trip-limits.js";
import { tripKind } from "./telemetry/trips/vehicle-drives.js";
import { FleetReader } from "./telemetry/watch/fleet-reader.js";
import { pauseAwake } from "./telemetry/watch/pause.js";
import { geofenceEvents, statusEvents } from "./telemetry/watch/watch-events.js";
const NO_VARIABLES = {};
function refuseOfOtherKind(name, kind, { partial, idempotent }) {
  if (kind === "mutation" && partial === true)
    throw refusedInput(`${name} is a mutation, and partial is an option of queries. Leave it out.`, name);
  if (kind === "query" && idempotent === true)
    throw refusedInput(`${name} is a query, and idempotent is an option of mutations. Leave it out.`, name);
}
class BaseClient extends FleetOperations {
  #core;
  #options;
  #notifier;
  #user;
  #reads;
  /** Made by the first watch. Watches that ask for the same share their requests. */
  #watchReader = null;
  /** Those of the whole login, or of a fork. */
  #calls;
  constructor(options, transport) {
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
  request(document, variables, options) {
    return noted((place) => this.#request(document, variables, options, place));
  }
  async #request(document, variables, options, place) {
    const loading = loadGraphql();
    if (loading) await loading;
    const { name, kind, text } = readDocument(document);
    const given = readCallOptions(name, options);
    refuseOfOtherKind(name, kind, given);
    const sendable = jsonVariables(name, variables);
    const call = { name, kind, document: text, variables: sendable, idempotent: given.idempotent ?? false };
    const data = await this.#send(call, given, (answer) => {
      note(place, answer);
      return unwrapData(name, answer, given.partial ?? false, this.#notifierOf(given));
    });
    return data;
  }
  async withResponse(call) {
    return withResponse(typeof call === "function" ? call() : call);
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
  async each(items, change, options) {
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
  use(step) {
    if (typeof step !== "function") throw refusedInput("use takes a step: a function of a request and next.", "use");
    this.#core.pipeline.use(step);
  }
  call(name, variables, options) {
    return noted(async (place) => this.#execute(operationOf(name), variables, options, place));
  }
  stream(operation, variables, given) {
    const query = listQueryOf(operation);
    const options = readCallOptions(query.name, given);
    const { call } = this.#callOf(query, variables, options);
    return noted(
      (place) => streamList(call, options, {
        send: (streamed, callOptions, read) => this.#send(streamed, callOptions, read),
        notifier: this.#notifierOf(options),
        timers: realTimers,
        maxBytes: responseLimit(this.#options).maxBytes,
        onHead: (answer) => note(place, answer)
      })
    );
  }
  streamSnapshots(variables, options) {
    const given = readStreamOptions("streamSnapshots", options, isOfMany(variables));
    return noted((place) => streamSnapshots(variables, given, this.#streamDependencies(given, { place })));
  }
  streamTrips(variables, options) {
    const given = readStreamOptions("streamTrips", options, isOfMany(variables));
    const { limits, clip, call } = splitTripOptions(given);
    return this.#streamActivities("streamTrips", variables, call, tripKind(limits), clip);
  }
  streamStops(variables, options) {
    const given = readStreamOptions("streamStops", options, isOfMany(variables));
    const { minMs, lateMs, clip, continued, ...call } = given;
    const kind = stopKind({ minMs, lateMs, continued });
    return this.#streamActivities("streamStops", variables, call, kind, clip === true);
  }
  #streamActivities(caller, variables, call, kind, clip) {
    const reading = { caller, kind, clip, now: this.#nowSince() };
    return noted((place) => streamActivities(variables, call, reading, this.#streamDependencies(call, { place })));
  }
  /** Returns the service's time of now, by its offset once its first answer has told it. */
  #nowSince() {
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
  watchStatus(options) {
    const given = readStatusWatchOptions(options);
    const dependencies = this.#watchDependencies("watchStatus");
    dependencies.reader.check(given);
    return new GeneratorStream("watchStatus", (signal) => statusEvents(given, dependencies, signal), given.signal);
  }
  /**
   * Watches which vehicles enter and leave which geofences, from the same request as {@link watchStatus}; the geofences are read
   * again every ten minutes. A vehicle has entered when its position is inside, and left when it is 50 m outside. Details:
   * docs/telemetry.md.
   *
   * @returns An endless iterator of {@link GeofenceEvent}; it ends as that of `watchStatus`.
   * @throws As `watchStatus`.
   */
  watchGeofences(options) {
    const given = readGeofenceWatchOptions(options);
    const dependencies = this.#watchDependencies("watchGeofences");
    dependencies.reader.check(given);
    return new GeneratorStream("watchGeofences", (signal) => geofenceEvents(given, dependencies, signal), given.signal);
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
  watchEvents(options) {
    const given = readEventWatchOptions(options);
    const rules = checkRules(given);
    const dependencies = this.#watchDependencies("watchEvents");
    dependencies.reader.check(given);
    return new GeneratorStream("watchEvents", (signal) => ruleEvents(given, rules, dependencies, signal), given.signal);
  }
  /**
   * Lists the users that the login may act for (`GET /login/userinfo`).
   *
   * @returns id, name and fleet of each user; an empty list when there are none.
   * @throws {FleetError} when the client cannot log in or cannot reach the service.
   */
  async listLoginUsers(options) {
    return this.#during(
      "userinfo",
      readCallOptions("userinfo", options),
      (deadline) => this.#core.pipeline.users(deadline)
    );
  }
  /** The options for a client of another user. A client made with them shares with this one all but the user. */
  optionsFor(user) {
    checkUser(user);
    return new SiblingOptions(this.#core, this.#core.userOf(user), null, new OpenCalls(this.#calls));
  }
  /** The options for a fork. */
  optionsOfFork() {
    return new SiblingOptions(this.#core, this.#user, this.#reads, new OpenCalls(this.#calls));
  }
  /**
   * Logs in with the credentials now and replaces the stored session (`POST /login/token`).
   *
   * @returns who logged in and when the session expires; no token.
   * @throws {AuthenticationError} when the credentials are refused, or none were given.
   */
  login() {
    return this.#during("login", {}, (deadline) => deadline.within(this.#core.pipeline.session.login(deadline)));
  }
  /**
   * Makes sure that there is a valid session: uses the stored one, refreshes it, or logs in. Every call does this by itself. Use it to fail
   * early, or to know {@link serviceNow} before the first call. It also loads what the first call needs, and runs that code once. It sends no
   * request that the first call would not send.
   *
   * @returns who logged in and when the session expires; no token.
   * @throws {AuthenticationError} when there is no session and the client cannot log in.
   */
  connect(options) {
    return this.#during(
      "connect",
      readCallOptions("connect", options),
      (deadline) => this.#core.pipeline.ready(deadline)
    );
  }
  /**
   * Returns the service's time: the clock of this machine, corrected by the `Date` header of the service's answers. Use it for the age of a
   * snapshot and for periods such as "the last two hours". It is accurate to about a second. It sends nothing: before the first answer it
   * uses the offset that was stored with the session, or the machine's clock if there is none. After {@link connect} the offset is known.
   *
   * @returns milliseconds since 1970, as `Date.now()` does.
   */
  serviceNow() {
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
  serviceClock() {
    const clock = this.#core.pipeline.serviceClock;
    return { serviceMs: clock.now(), machineMs: clock.localNow(), isKnown: clock.observedAheadMs !== null };
  }
  /**
   * Shows what the calls of this client, and of those made from it by `forUser()` and `fork()`, are doing: for each user what waits, what is
   * under way and for how long, and what its requests have come to since the client was made. Sends nothing.
   */
  stats() {
    return this.#core.pipeline.stats();
  }
  /**
   * Removes the stored session. It sends nothing, because the contract has no way to revoke a token.
   *
   * @throws {TokenStoreError} when the token store could not remove the session, so that it is still stored.
   */
  logout() {
    return this.#during("logout", {}, (deadline) => deadline.within(this.#core.pipeline.session.logout(deadline)));
  }
  /** The stored session; null when there is none. Sends nothing. */
  session() {
    return this.#core.pipeline.session.info();
  }
  /**
   * Tells which service this client calls, and the user that it acts for. Two clients with the same identity see the same records. It sends
   * nothing that the first call would not send: the user is looked up once.
   *
   * @throws {UserSelectionError} when the login may act for several users, and none was selected.
   * @throws {FleetError} when the client cannot log in or cannot reach the service.
   */
  identity(options) {
    return this.#during(
      "identity",
      readCallOptions("identity", options),
      (deadline) => this.#user.withUser(deadline, async ({ key }) => ({
        baseUrl: normaliseBaseUrl(this.#options.baseUrl),
        user: key
      }))
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
  async close(options) {
    const { drainMs = 0 } = readCloseOptions(options);
    const { pipeline } = this.#core;
    if (graphqlLoading) await graphqlLoading;
    if (this.#calls === pipeline.deadlines.calls) return pipeline.close(drainMs);
    await pipeline.deadlines.drain(this.#calls, drainMs);
    this.#calls.close();
  }
  [Symbol.asyncDispose]() {
    return this.close();
  }
  /** Identifies this client, and those made of it, in the messages of the tracing channels. */
  get source() {
    return this.#notifier.source;
  }
  execute(operation, variables, given) {
    return noted((place) => this.#execute(operation, variables, given, place));
  }
  async #execute(operation, variables, given, place) {
    const options = given === void 0 ? NO_OPTIONS : readCallOptions(operation.name, given);
    const { call, chosen } = this.#callOf(operation, variables, options);
    const { name, returns } = chosen;
    const value = await this.#send(chosen.mergeable ? { ...call, field: chosen } : call, options, (answer) => {
      note(place, answer);
      return unwrapResult({ name, list: returns.list }, answer, options.partial ?? false, this.#notifierOf(options));
    });
    return value;
  }
  /** The call of an operation with its selection. @throws {InvalidInputError} when the selection or the variables are invalid */
  #callOf(operation, variables, options) {
    const chosen = options.select === void 0 ? operation : withSelection(operation, options.select);
    const { name, kind, document, args } = chosen;
    if (options !== NO_OPTIONS) refuseOfOtherKind(name, kind, options);
    let sendable = NO_VARIABLES;
    if (args.length > 0 || (variables ?? null) !== null) {
      sendable = checkVariables(name, args, variables);
      this.#warnOfSlips(name, args, sendable, options);
    }
    return {
      call: { name, kind, document, variables: sendable, idempotent: options.idempotent ?? false, member: name },
      chosen
    };
  }
  /** `read` takes the result from the answer; what it throws is an error of the call like any other. */
  #send(call, options, read, isOfWatch = false) {
    if (graphqlLoading) return graphqlLoading.then(() => this.#send(call, options, read, isOfWatch));
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
      priority: options.priority ?? "normal",
      caller: callerOf(this, call.kind)
    };
    const { timeoutMs, signal } = options;
    const item = itemOfCall();
    const sent = this.#core.pipeline.send({
      call: complete,
      user: this.#user,
      timeoutMs,
      signal,
      calls: this.#calls,
      isOfWatch,
      fromSending: item !== void 0,
      read
    });
    item?.note(call.kind, sent);
    return sent;
  }
  /** Runs a task under a deadline, as one of the calls of this client. */
  #during(operation, waiting, task) {
    return this.#core.pipeline.deadlines.during(operation, { ...waiting, calls: this.#calls }, task);
  }
  #notifierOf({ onWarning }) {
    return onWarning === void 0 ? this.#notifier : notifierOfCall(this.#notifier, onWarning);
  }
  #streamDependencies(options, { hasBegun = false, place }) {
    const series = { hasBegun };
    return {
      // Look-ups that are made meanwhile go first.
      send: (call, { priority = "low", ...options2 }) => this.#send({ ...call, series }, { ...options2, priority }, (answer) => {
        if (place?.answer === null) note(place, answer);
        return answer;
      }),
      notifier: this.#notifierOf(options),
      windowLimit: this.#reads.windowLimit,
      rates: this.#reads.rates,
      elapsed: realTimers.now,
      serviceTime: this.#core.pipeline.serviceClock
    };
  }
  #warnOfSlips(operation, args, variables, options) {
    for (const { path, meant } of args.flatMap(({ name, type }) => inputSlips(name, type, variables[name]))) {
      const message = `${operation}: ${path} is not in the contract. Did you mean ${meant.join(" or ")}? It is sent as it is.`;
      this.#notifierOf(options).warning({ code: "UNKNOWN_MEMBER", message, operation });
    }
  }
  #readerOfWatches() {
    this.#watchReader ??= new FleetReader({
      // A queue that is full is no outage.
      send: (call, options) => this.#send({ ...call, series: { hasBegun: true } }, options, (answer) => answer, true),
      notifier: this.#notifier,
      now: () => this.#core.pipeline.serviceClock.localNow(),
      serviceNow: () => this.serviceNow()
    });
    return this.#watchReader;
  }
  #watchDependencies(name) {
    const clock = this.#options.clock ?? Date;
    return {
      reader: this.#readerOfWatches(),
      snapshots: (select, signal, vehicles, to, onError) => (
        // The type of a row follows from a selection that is known only now.
        despiteFailures(
          streamSnapshots(
            { vehicles, to },
            {
              select,
              signal,
              onEvent: (event) => event.type === "error" && onError(event.vehicleId, event.error.message)
            },
            this.#streamDependencies({}, { hasBegun: true })
          )
        )
      ),
      warn: (event) => this.#notifier.warning(event),
      now: () => clock.now(),
      serviceNow: () => this.serviceNow(),
      random: Math.random,
      timeoutMs: this.#options.timeoutMs ?? CALL_TIMEOUT_MS,
      pause: (ms, signal) => this.#during(
        name,
        { timeoutMs: Number.POSITIVE_INFINITY, signal, isOfWatch: true },
        (deadline) => pauseAwake(ms, clock.now.bind(clock), (slice) => deadline.wait(slice))
      )
    };
  }
}
export {
  BaseClient
};
