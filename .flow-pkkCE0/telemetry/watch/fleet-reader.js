import { withSelection } from "../../contract/selection/selection.js";
import { operations } from "../../generated/operation-table.js";
import { unwrapRows } from "../../request/unwrap-result.js";
import { checkVariables } from "../../request/variables.js";
import { DeviceClocks } from "../device-clocks.js";
import { workScheduleSelection } from "../events/work-schedule.js";
import { Readings } from "../readings.js";
import { fixOf } from "../tracks/fix.js";
const watchedSnapshotSelection = {
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, direction: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  canBus: { canSpeed: true, canWheelSpeed: true }
};
const watchedVehicleSelection = { id: true, name: true, licensePlate: true };
const geofenceSelection = { id: true, isDeleted: true, name: true, geojson: true };
class FleetReader {
  #dependencies;
  /** The shared reads by vehicles and fields. */
  #shared = /* @__PURE__ */ new Map();
  /**
   * Warnings about the last answer of each operation: the same one is not repeated with every poll.
   */
  #warned = /* @__PURE__ */ new Map();
  #hasWarnedOfUnreadable = false;
  #clocks;
  constructor(dependencies) {
    this.#dependencies = dependencies;
    this.#clocks = new DeviceClocks(dependencies.serviceNow, dependencies.notifier.warning);
  }
  /** Throws an InvalidInputError when the choice cannot be sent. */
  check({ vehicleIds }) {
    if (vehicleIds !== void 0)
      checkVariables("getLatestSnapshots", operations.getLatestSnapshots.args, { vehicleIds });
  }
  /**
   * Returns the reads of one watch, which closes them at its end. `selection`: the fields of a
   * snapshot.
   */
  open({ vehicleIds, active }, selection = watchedSnapshotSelection) {
    const choice = { vehicleIds, active, selection };
    const key = JSON.stringify([vehicleIds ?? null, active ?? false, selection]);
    const shared = this.#shared.get(key) ?? { watches: 0, underWay: null, last: null };
    this.#shared.set(key, shared);
    shared.watches++;
    let mine = null;
    return {
      next: async (reuseMs, options) => {
        mine = await this.#next(shared, mine, choice, reuseMs, options);
        return mine;
      },
      close: () => {
        shared.watches--;
        if (shared.watches === 0) this.#shared.delete(key);
      }
    };
  }
  async geofences(options) {
    const { rows, isComplete } = await this.#read("getGeofences", {}, "id", geofenceSelection, options);
    return { geofences: geofenceReports(rows), isComplete };
  }
  async schedules(options) {
    const read = await this.#read("getWorkSchedules", {}, "id", workScheduleSelection, options);
    return read.rows;
  }
  async #next(shared, mine, choice, reuseMs, options) {
    const { last } = shared;
    if (last !== null && last !== mine) {
      const age = this.#dependencies.now() - last.receivedAt;
      if (age >= 0 && age < reuseMs) return last;
    }
    const other = await shared.underWay?.catch(() => null);
    if (other) return other;
    const underWay = this.#requestVehicles(choice, options);
    shared.underWay = underWay;
    try {
      shared.last = await underWay;
      return shared.last;
    } finally {
      if (shared.underWay === underWay) shared.underWay = null;
    }
  }
  async #requestVehicles(choice, options) {
    const list = choice.active ? "getActiveVehicles" : "getVehicles";
    const operation = choice.vehicleIds === void 0 ? list : "getLatestSnapshots";
    const answer = operation === "getLatestSnapshots" ? await this.#latest(choice, options) : await this.#listed(operation, choice, options);
    this.#warnOfUnreadable(operation, answer.vehicles);
    const { now, serviceNow } = this.#dependencies;
    for (const { vehicleId, snapshot } of answer.vehicles) this.#clocks.take(operation, vehicleId, snapshot);
    return { answer, receivedAt: now(), at: serviceNow() };
  }
  async #listed(name, { selection }, options) {
    const select = { ...watchedVehicleSelection, lastData: selection };
    const { rows, isComplete } = await this.#read(name, {}, "id", select, options);
    return { vehicles: vehicleReports(rows), isComplete };
  }
  async #latest({ vehicleIds = [], selection }, options) {
    const { rows, isComplete } = await this.#read(
      "getLatestSnapshots",
      { vehicleIds: [...new Set(vehicleIds)] },
      "vehicleId",
      { vehicleId: true, vehicle: { name: true, licensePlate: true }, ...selection },
      options
    );
    const vehicles = rows.flatMap(
      ({ vehicleId, vehicle, ...snapshot }) => typeof vehicleId === "string" ? { vehicleId, name: vehicle?.name ?? null, licensePlate: vehicle?.licensePlate ?? null, snapshot } : []
    );
    return { vehicles, isComplete };
  }
  /** Warns once, because the next answers have the same form. */
  #warnOfUnreadable(operation, vehicles) {
    if (this.#hasWarnedOfUnreadable) return;
    const readings = new Readings();
    for (const { snapshot } of vehicles) {
      readings.flag("ignition", snapshot?.ignition?.engineStatus);
      if (snapshot?.gps) fixOf({ timestamp: snapshot.timestamp ?? null, gps: snapshot.gps }, readings);
    }
    for (const warning of readings.warnings()) {
      this.#hasWarnedOfUnreadable = true;
      this.#dependencies.notifier.warning({ ...warning, operation });
    }
  }
  /** Reads a list; `isComplete` is false when a row or the id of one is missing. Throws when all of it is. */
  async #read(name, variables, id, select, options) {
    const operation = operations[name];
    const chosen = withSelection(operation, select);
    const answer = await this.#dependencies.send(
      {
        name,
        kind: "query",
        document: chosen.document,
        variables: checkVariables(name, operation.args, variables),
        idempotent: true,
        field: chosen.mergeable ? chosen : void 0
      },
      options
    );
    const warnings = [];
    const notifier = { ...this.#dependencies.notifier, warning: (event) => void warnings.push(event) };
    const rows = unwrapRows(name, answer, true, notifier);
    const nameless = rows.filter((row) => typeof row[id] !== "string").length;
    if (nameless > 0) {
      const message = `${name} answered ${nameless} rows without ${id} among ${rows.length}; they are left out.`;
      warnings.push({ code: "NULL_ROWS", operation: name, message });
    }
    this.#warn(name, warnings);
    return { rows, isComplete: warnings.length === 0 };
  }
  #warn(name, warnings) {
    const before = this.#warned.get(name);
    for (const event of warnings) if (!before?.has(event.message)) this.#dependencies.notifier.warning(event);
    this.#warned.set(name, new Set(warnings.map(({ message }) => message)));
  }
}
function vehicleReports(rows) {
  return rows.flatMap(
    ({ id, name, licensePlate, lastData }) => typeof id === "string" ? { vehicleId: id, name: name ?? null, licensePlate: licensePlate ?? null, snapshot: lastData ?? null } : []
  );
}
function geofenceReports(rows) {
  return rows.flatMap(
    ({ id, isDeleted, name, geojson }) => typeof id === "string" && isDeleted !== true ? { geofenceId: id, name: name ?? null, geojson } : []
  );
}
export {
  FleetReader,
  geofenceReports,
  geofenceSelection,
  vehicleReports,
  watchedSnapshotSelection,
  watchedVehicleSelection
};
