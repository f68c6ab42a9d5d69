import { fail, record } from "../core/readers.js";
import { isUuid, uuidFromName } from "../core/uuid.js";
import { scriptOf } from "./read-script.js";
import { partsOfRows, tripsOfRows } from "./scripted-trips.js";
const savedScripts = record(
  (id) => isUuid(id) && id === id.toLowerCase() ? scriptOf(id) : (_, path) => fail(path, "must have a UUID in lower case as its key")
);
class Scripts {
  #store;
  #scripts = /* @__PURE__ */ new Map();
  constructor(store) {
    this.#store = store;
  }
  /**
   * Says what a vehicle sends: the script replaces its own telemetry and an earlier script. Throws a TypeError that names the place
   * that is wrong, or a RangeError when there is no such vehicle; nothing changes then.
   */
  script(vehicleId, script) {
    const id = this.#knownVehicle(vehicleId);
    this.#scripts.set(id, scriptOf(id)(script, "script"));
  }
  /** Ends the script of one vehicle, or all of them: the vehicles send what they would have sent by themselves. */
  clear(vehicleId) {
    if (vehicleId === void 0) this.#scripts.clear();
    else this.#scripts.delete(vehicleId.toLowerCase());
  }
  /** The scripts as plain data, with times as RFC 3339 text. */
  list() {
    return Object.fromEntries([...this.#scripts].map(([id, { source }]) => [id, structuredClone(source)]));
  }
  /** Checks scripts that `list` returned, and returns the function that puts them in the place of all others. */
  prepare(data, path) {
    const scripts = new Map(Object.entries(savedScripts(data, path)));
    return () => {
      this.#scripts = scripts;
    };
  }
  /** Gives vehicles the devices that they carry by now. */
  swapDevices(now) {
    for (const [vehicleId, { swaps }] of this.#scripts) {
      const due = swaps.filter(({ at }) => at <= now).at(-1);
      const fleet = due === void 0 ? null : this.#fleetOf(vehicleId);
      const vehicle = fleet?.vehicles.get(vehicleId);
      if (due === void 0 || fleet === null || vehicle === void 0) continue;
      const id = uuidFromName(`${vehicleId}/device/${due.serial}`);
      if (vehicle.deviceIds.length === 1 && vehicle.deviceIds[0] === id) continue;
      const earlier = fleet.devices.get(vehicle.deviceIds[0] ?? "");
      fleet.devices.put({
        deviceTypeKey: "gateway-4g",
        phoneNumber: null,
        ...earlier,
        id,
        serial: due.serial,
        enabled: true
      });
      fleet.vehicles.put({ ...vehicle, deviceIds: [id], version: vehicle.version + 1, updatedAt: due.at });
    }
  }
  /** The vehicle's script; null when it has none. */
  of(vehicleId) {
    return this.#scripts.get(vehicleId) ?? null;
  }
  #knownVehicle(vehicleId) {
    if (!isUuid(vehicleId)) throw new TypeError("the id of the vehicle must be a UUID");
    const id = vehicleId.toLowerCase();
    if (this.#fleetOf(id) === null) throw new RangeError(`there is no vehicle with id ${id}`);
    return id;
  }
  #fleetOf(vehicleId) {
    for (const fleetId of this.#store.fleets.keys()) {
      const fleet = this.#store.fleet(fleetId);
      if (fleet.vehicles.get(vehicleId) !== void 0) return fleet;
    }
    return null;
  }
}
function withScripts(telemetry, scripts, clock) {
  function arrivedRows(vehicle, from, to) {
    const script = scripts.of(vehicle.id);
    if (script === null) return null;
    const now = clock.now();
    const last = Math.min(to, vehicle.deviceUntil ?? Number.POSITIVE_INFINITY);
    return script.rows.flatMap(
      ({ row, arrivesAt }) => arrivesAt <= now && row.timestamp >= from && row.timestamp <= last ? row : []
    );
  }
  return {
    snapshots: (vehicle, from, to) => arrivedRows(vehicle, from, to) ?? telemetry.snapshots(vehicle, from, to),
    latest(vehicle, at) {
      const rows = arrivedRows(vehicle, Number.NEGATIVE_INFINITY, at);
      if (rows === null) return telemetry.latest(vehicle, at);
      let newest = null;
      for (const row of rows) if (newest === null || row.timestamp >= newest.timestamp) newest = row;
      return newest;
    },
    trips(vehicle, from, to) {
      const rows = arrivedRows(vehicle, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      if (rows === null) return telemetry.trips(vehicle, from, to);
      return tripsOfRows(rows).filter(({ start, end }) => end >= from && start <= to);
    },
    tripParts(vehicle, from, to) {
      const rows = arrivedRows(vehicle, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      return rows === null ? telemetry.tripParts(vehicle, from, to) : partsOfRows(rows, from, to);
    },
    rowsKey: (vehicle) => scripts.of(vehicle.id) === null ? telemetry.rowsKey(vehicle) : null
  };
}
export {
  Scripts,
  withScripts
};
