import { badRequest, refusal } from "../core/refusals.js";
import { isActiveAt } from "../store/assignments.js";
import { telemetryVehicleOf } from "../store/telemetry-vehicle.js";
const maxRelatedRecords = 5e5;
class RequestContext {
  login;
  scope;
  store;
  telemetry;
  now;
  strict;
  plannedErrors;
  variant;
  #plannedAnswers;
  /** The objects of planned answers: they hold what is answered, not records. */
  #answered = /* @__PURE__ */ new WeakSet();
  /** `Vehicle.latestData` by vehicle id: built once per request. */
  latestData = /* @__PURE__ */ new Map();
  #latestSnapshots = /* @__PURE__ */ new Map();
  #recordCount = 0;
  constructor(options) {
    this.login = options.login;
    this.scope = options.scope;
    this.store = options.store;
    this.telemetry = options.telemetry;
    this.now = options.now;
    this.strict = options.strict;
    this.plannedErrors = options.plannedErrors;
    this.variant = options.variant;
    this.#plannedAnswers = options.plannedAnswers;
  }
  get fleet() {
    return this.scope.fleet;
  }
  /** Throws when a planned fault makes this root field fail. */
  throwPlannedError(rootField) {
    const message = this.plannedErrors.get(rootField) ?? this.plannedErrors.get("");
    if (message !== void 0) throw refusal("DataFetchingException", message);
  }
  /** Whether an answer is planned for this operation, whatever its arguments. */
  mayBeAnswered(operation) {
    return this.#plannedAnswers.has(operation);
  }
  /** The planned answer to this operation; null when there is none. */
  plannedAnswer(operation, args) {
    const planned = this.#plannedAnswers.take(operation, args);
    if (planned === null) return null;
    const value = structuredClone(planned.value);
    this.#markAnswered(value);
    return { value };
  }
  /** Whether the object is part of a planned answer. */
  isAnswered(source) {
    return typeof source === "object" && source !== null && this.#answered.has(source);
  }
  #markAnswered(value) {
    if (typeof value !== "object" || value === null) return;
    this.#answered.add(value);
    for (const member of Object.values(value)) this.#markAnswered(member);
  }
  /** Counts the records of a relation. False when the request has exceeded its limit: then the relation stays empty. */
  tryAddRecords(records) {
    this.#recordCount += records;
    return this.#recordCount <= maxRelatedRecords;
  }
  /** The error that replaces the whole response when the limit is exceeded; null when it is not. */
  get recordLimitError() {
    if (this.#recordCount <= maxRelatedRecords) return null;
    return badRequest(
      `The query leads to more than ${maxRelatedRecords} related records. Ask for fewer levels or records.`
    );
  }
  /** The newest snapshot of a vehicle, computed once per request. */
  latestSnapshot(vehicle) {
    const cached = this.#latestSnapshots.get(vehicle.id);
    if (cached !== void 0) return cached;
    const row = this.telemetry.latest(telemetryVehicleOf(vehicle), this.now);
    this.#latestSnapshots.set(vehicle.id, row);
    return row;
  }
  /** The assignment of the vehicle that is active at this time. */
  assignmentAt(vehicleId, time) {
    const assignments = this.fleet.assignments.findBy("vehicle", vehicleId);
    return assignments.find(({ startedAt, endedAt }) => isActiveAt({ start: startedAt, end: endedAt }, time)) ?? null;
  }
}
export {
  RequestContext
};
