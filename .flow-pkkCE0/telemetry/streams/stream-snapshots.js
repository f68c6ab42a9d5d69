import { withSelection } from "../../contract/selection/selection.js";
import { FleetError, IncompleteStreamError } from "../../core/errors.js";
import { operations } from "../../generated/operation-table.js";
import { nullList, unwrapRows } from "../../request/unwrap-result.js";
import { RowIterator } from "../../rows/row-iterator.js";
import { SnapshotReader } from "./snapshot-reader.js";
import {
  isOfMany,
  readVehicles
} from "./vehicles-in-period.js";
const operation = operations.getSnapshots;
const { name } = operation;
function streamSnapshots(variables, options, dependencies) {
  const vehicles = readVehicles(isOfMany(variables) ? "streamSnapshots" : name, variables);
  const { select, signal, onEvent } = options;
  const reader = snapshotReader(vehicles, options, dependencies, "snapshots");
  const failed = vehicles.only === null ? new VehicleFailures("streamSnapshots", onEvent) : null;
  const addsTimestamp = typeof select === "object" && select !== null && Reflect.get(select, "timestamp") !== true;
  const source = new SnapshotRows(reader, vehicles, failed, addsTimestamp, onEvent);
  return new RowIterator(name, source, signal);
}
function snapshotReader({ vehicles, only }, { select, onEvent, answerBytes, signal: caller, ...options }, { send, notifier, windowLimit, rates, elapsed, serviceTime }, purpose) {
  const namesVehicles = only === null || purpose !== "snapshots";
  const { kind, document, ...field } = selectedFields(select, namesVehicles);
  return new SnapshotReader(vehicles, {
    async requestPart({ vehicleId, from, to, list, isAlone }, signal) {
      const variables = { vehicleId, from, to };
      const call = { name, kind, document, variables, idempotent: true, list };
      const answer = await send(isAlone ? call : { ...call, field }, { ...options, signal });
      unwrapRows(name, answer, options.partial === true, notifier);
      if (answer.rows === void 0) throw nullList(name, answer);
      return answer.rows;
    },
    // A time limit of the caller's signal is that of the stream.
    isOfOneVehicle: only === null ? (error) => !caller?.aborted && isOfVehicle(error) : (error) => error instanceof FleetError,
    namesVehicles,
    onEvent,
    rates: rates.of(field.selection, purpose),
    now: elapsed,
    serviceTime,
    notifier,
    maxBytes: answerBytes,
    windowLimit,
    signal: caller
  });
}
function selectedFields(select, namesVehicles) {
  if (select === void 0) return operation;
  if (typeof select !== "object" || select === null) return withSelection(operation, select);
  withSelection(operation, select);
  return withSelection(operation, { ...select, timestamp: true, ...namesVehicles ? { vehicleId: true } : {} });
}
function isOfVehicle(error) {
  if (!(error instanceof FleetError)) return false;
  return ["GRAPHQL", "PROTOCOL", "RESPONSE_TOO_LARGE", "TIMEOUT", "HTTP"].includes(error.code);
}
class VehicleFailures {
  #caller;
  #onEvent;
  #all = [];
  constructor(caller, onEvent) {
    this.#caller = caller;
    this.#onEvent = onEvent;
  }
  async add(failure) {
    this.#all.push(failure);
    await this.#onEvent?.({ type: "error", ...failure });
  }
  throwIfAny() {
    const [first] = this.#all;
    if (!first) return;
    const count = this.#all.length === 1 ? "1 vehicle" : `${this.#all.length} vehicles`;
    throw new IncompleteStreamError(
      `${this.#caller} could not read ${count}; everything else was delivered. The first error: ${first.error.message} \`vehicles\` lists them with the time from which each can be read again.`,
      this.#all,
      { operation: name }
    );
  }
}
class SnapshotRows {
  beginning;
  #reader;
  #rows;
  #only;
  #failed;
  #addsTimestamp;
  #onEvent;
  /** The vehicle whose last rows were delivered by the call before. */
  #completed = null;
  /** `failed`: null when the stream ends with the error of its vehicle. */
  constructor(reader, { only, vehicles }, failed, addsTimestamp, onEvent) {
    this.#reader = reader;
    this.#rows = reader.read();
    this.#only = only;
    this.#failed = failed;
    this.#addsTimestamp = addsTimestamp;
    this.#onEvent = onEvent;
    const [first, ...others] = vehicles.map(({ period }) => period);
    const earliest = others.reduce((one, other) => one && other.from >= one.from ? one : other, first);
    this.beginning = earliest?.text(earliest.from) ?? "";
  }
  async next() {
    const completed = this.#completed;
    this.#completed = null;
    if (completed !== null) await this.#onEvent?.({ type: "complete", ...completed, unchangedSince: null });
    const { done, value } = await this.#rows.next();
    if (done === true) {
      this.#failed?.throwIfAny();
      return null;
    }
    const { rows, end } = value;
    if (end !== null && "until" in end) this.#completed = end;
    else if (end !== null) {
      if (this.#failed === null) throw end.error;
      await this.#failed.add(end);
    }
    return this.#addsTimestamp ? rows.map(withoutTimestamp) : rows;
  }
  stop() {
    this.#reader.stop();
    void this.#rows.return().catch(() => void 0);
  }
  /** Each of several vehicles has a time of its own, so there is none for all. */
  completeUntil() {
    return this.#only === null ? null : this.#reader.completeUntil(this.#only);
  }
}
function withoutTimestamp(row) {
  if (typeof row !== "object" || row === null || !("timestamp" in row)) return row;
  const { timestamp: _, ...rest } = row;
  return rest;
}
export {
  VehicleFailures,
  snapshotReader,
  streamSnapshots
};
