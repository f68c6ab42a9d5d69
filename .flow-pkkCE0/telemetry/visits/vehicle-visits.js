import { identifiedDriver, readFlag } from "../readings.js";
import { timestampMs } from "../timestamps.js";
import { fixOf } from "../tracks/fix.js";
import { FixCleaner } from "../tracks/fix-cleaner.js";
import { GeofenceVisits } from "./geofence-visits.js";
const visitSelection = {
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true }
};
class VehicleVisits {
  #visits;
  #readings;
  #cleaner = new FixCleaner();
  /** Who was identified from when on; null after the engine was started anew, until somebody is. */
  #drivers = [];
  #isOn = null;
  /** A position was believed. */
  hasPosition = false;
  /** `before`: where the vehicle was when the period began; null when that is not known. */
  constructor(geofences, readings, before) {
    this.#visits = new GeofenceVisits(geofences);
    this.#readings = readings;
    if (before !== null) this.#takePosition(before);
  }
  /** Takes the next snapshot in order of time. */
  take(row) {
    const time = timestampMs(row.timestamp);
    if (time === null) return;
    this.#takeDriver(time, row);
    const fix = fixOf(row, this.#readings);
    if (fix === null) return;
    for (const { fix: believed } of this.#cleaner.add(fix)) this.#takePosition(believed);
  }
  /** In the order in which they began. */
  get all() {
    return this.#visits.stays.map((stay) => ({ ...stay, driverIds: this.#driversOf(stay) }));
  }
  #takePosition(position) {
    this.hasPosition = true;
    this.#visits.takePosition(position);
  }
  #takeDriver(time, { ignition, driver }) {
    const isOn = readFlag(ignition?.engineStatus) ?? null;
    const isStart = isOn === true && this.#isOn === false;
    if (isOn !== null) this.#isOn = isOn;
    const last = this.#drivers.at(-1)?.driverId ?? null;
    const driverId = identifiedDriver(driver) ?? (isStart ? null : last);
    if (driverId !== last) this.#drivers.push({ time, driverId });
  }
  #driversOf({ entered, left }) {
    const begin = entered ?? Number.NEGATIVE_INFINITY;
    const end = left ?? Number.POSITIVE_INFINITY;
    const brought = this.#drivers.filter(({ time }) => time <= begin).slice(-1);
    const there = this.#drivers.filter(({ time }) => time > begin && time < end);
    return [...new Set([...brought, ...there].flatMap(({ driverId }) => driverId ?? []))];
  }
}
export {
  VehicleVisits,
  visitSelection
};
