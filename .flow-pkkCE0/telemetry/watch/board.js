import { greatCircleKm } from "../../core/geo.js";
import { positionAfter } from "../current-position.js";
import {
  readSnapshot
} from "../events/snapshot-readings.js";
import { isAhead } from "../latest.js";
import { liveStatus } from "../live-status.js";
import { timestampMs } from "../timestamps.js";
class Board {
  #rules;
  #known = /* @__PURE__ */ new Map();
  /** The vehicles of the last changes. */
  #reported;
  /**
   * The position of each vehicle in its last event; small moves are measured from there, so they
   * add up.
   */
  #anchors = /* @__PURE__ */ new Map();
  /** `previous`: the vehicles to compare the first answer with. */
  constructor(rules, previous = []) {
    this.#rules = rules;
    this.#reported = new Map(previous.map((vehicle) => [vehicle.vehicleId, vehicle]));
    for (const vehicle of previous) {
      this.#known.set(vehicle.vehicleId, knownFrom(vehicle));
      if (vehicle.position !== null) this.#anchors.set(vehicle.vehicleId, vehicle.position);
    }
  }
  /** The vehicles of the last answers, with their status at a time in milliseconds. In the order in which they appeared. */
  vehicles(now) {
    return [...this.#known.values()].map((vehicle) => this.#at(vehicle, now));
  }
  /** Takes an answer, and returns what it changes. `now`: when it arrived, by the clock of the service. */
  take({ vehicles, isComplete }, now) {
    const listed = /* @__PURE__ */ new Set();
    for (const report of vehicles) {
      listed.add(report.vehicleId);
      const known = this.#known.get(report.vehicleId);
      this.#known.set(report.vehicleId, knownAfter(known, report, now, this.#rules.holdsPositions));
    }
    if (isComplete) {
      for (const id of [...this.#known.keys()]) if (!listed.has(id)) this.#known.delete(id);
    }
    const before = this.#reported;
    const after = new Map([...this.#known].map(([id, vehicle]) => [id, this.#at(vehicle, now)]));
    this.#reported = after;
    const changes = [];
    for (const [id, vehicle] of before) {
      if (after.has(id)) continue;
      this.#anchors.delete(id);
      changes.push({ type: "gone", vehicle });
    }
    for (const [id, vehicle] of after) changes.push(...this.#changesOf(before.get(id), vehicle));
    return changes;
  }
  #at(vehicle, now) {
    const { staleAfterMs, offlineAfterMs } = this.#rules;
    return vehicleAt(vehicle, { staleAfterMs, offlineAfterMs, now });
  }
  #changesOf(previous, vehicle) {
    const hasMoved = this.#hasMoved(vehicle);
    if (hasMoved && vehicle.position !== null) this.#anchors.set(vehicle.vehicleId, vehicle.position);
    if (previous === void 0) return [{ type: "appeared", vehicle }];
    const changes = [];
    if (hasMoved) changes.push({ type: "moved", vehicle, previous });
    if (vehicle.status !== previous.status) changes.push({ type: "statusChanged", vehicle, previous });
    if (changes.length > 0 || isSame(previous, vehicle)) return changes;
    return [{ type: "updated", vehicle, previous }];
  }
  #hasMoved({ vehicleId, position }) {
    if (position === null) return false;
    const anchor = this.#anchors.get(vehicleId);
    if (anchor === void 0) return true;
    const metres = greatCircleKm(anchor, position) * 1e3;
    return metres > 0 && metres >= this.#rules.minMoveMetres;
  }
}
function isSame(one, other) {
  return one.name === other.name && one.licensePlate === other.licensePlate && one.timestamp === other.timestamp && one.position?.latitude === other.position?.latitude && one.position?.longitude === other.position?.longitude && one.speedKmh === other.speedKmh && one.direction === other.direction && one.engineOn === other.engineOn && one.driverId === other.driverId;
}
function knownAfter(known, report, now, holdsPositions = false) {
  const { vehicleId, name, licensePlate, snapshot } = report;
  if (known !== void 0 && (snapshot === null || isOutdated(snapshot, known, now))) {
    return { ...known, name, licensePlate };
  }
  const timestamp = snapshot?.timestamp ?? null;
  if (snapshot === null || isAhead(timestampMs(timestamp), now)) {
    const nothing = { position: null, speedKmh: null, direction: null, engineOn: null, driverId: null, snapshot: null };
    return { vehicleId, name, licensePlate, timestamp, ...nothing };
  }
  const { fix, gpsSpeedKmh: speedKmh, direction, engineOn, driverId, live } = readSnapshot(snapshot);
  const current = holdsPositions || fix === null ? positionAfter(known ?? { position: null }, fix) : { position: positionOf(fix) };
  return {
    vehicleId,
    name,
    licensePlate,
    timestamp,
    ...current,
    speedKmh,
    direction,
    engineOn,
    driverId,
    snapshot: live
  };
}
function positionOf({ latitude, longitude }) {
  return { latitude, longitude };
}
function isOutdated(snapshot, known, now) {
  const knownAt = timestampMs(known.timestamp);
  const reportedAt = timestampMs(snapshot.timestamp);
  if (knownAt === null || isAhead(knownAt, now)) return false;
  return reportedAt === null || reportedAt < knownAt || isAhead(reportedAt, now);
}
function vehicleAt({ snapshot, positions: _, ...shown }, options) {
  return { ...shown, status: liveStatus(snapshot, options) };
}
function knownFrom({ status: _, ...vehicle }) {
  const { timestamp, speedKmh, engineOn } = vehicle;
  const snapshot = { timestamp, gps: { speed: speedKmh }, ignition: { engineStatus: engineOn } };
  return { ...vehicle, snapshot: timestamp === null ? null : snapshot };
}
export {
  Board
};
