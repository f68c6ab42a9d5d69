import { MovementTrips } from "./movement-trips.js";
import { AROUND_MS } from "./open-trip.js";
import { VehicleTrips } from "./vehicle-trips.js";
const HOUR = 36e5;
const LOOK_BACKS_MS = [HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR];
function tripKind(limits) {
  const { lateMs, silenceMs, closeAfterMs } = limits;
  return {
    noun: "trip",
    lateMs,
    requires: ["ignition"],
    silenceMs,
    readAheadMs: Math.max(silenceMs, closeAfterMs),
    contextMs: AROUND_MS,
    lookBacksMs: LOOK_BACKS_MS,
    ...limits.withDetails ? { select: detailedTripSelection, purpose: "detailedTrips" } : { select: tripSelection, purpose: "trips" },
    detect: (options) => new VehicleDrives({ ...options, limits })
  };
}
class VehicleDrives {
  #vehicleId;
  #readings;
  #byIgnition;
  /** Null once the ignition has been on. */
  #byMovement;
  /** Whether any snapshot said something about the ignition. */
  #hasIgnition = false;
  /** Whether it moved before its ignition was on for the first time. */
  #hasLostTrips = false;
  constructor(options) {
    this.#vehicleId = options.vehicleId;
    this.#readings = options.readings;
    this.#byIgnition = new VehicleTrips({ ...options, by: "ignition" });
    this.#byMovement = new MovementTrips(options);
  }
  /** Takes the next snapshot and returns the trip that it ends, or null. */
  take(time, row) {
    const isOn = this.#readings.flag("ignition", row.ignition?.engineStatus);
    if (isOn !== null) this.#hasIgnition = true;
    if (isOn === true && this.#byMovement !== null) {
      this.#hasLostTrips = this.#byMovement.count > 0 || this.#byMovement.tripInProgress !== null;
      this.#byMovement = null;
    }
    this.#byMovement?.take(time, row);
    return this.#byIgnition.take(time, row, isOn);
  }
  /** The last trips, when there are no more snapshots before `until` (null: at all). */
  finish(until) {
    const last = this.#byIgnition.finish(until);
    return last === null ? this.#byMovement?.finish(until) ?? [] : [last];
  }
  /** The trip in progress; null when there is none. */
  get inProgress() {
    return this.#byIgnition.tripInProgress ?? this.#byMovement?.tripInProgress ?? null;
  }
  /** From when on its snapshots are needed to read what follows; null when none is. */
  get begins() {
    return this.#byIgnition.tripInProgress?.start ?? this.#byMovement?.begins ?? null;
  }
  /** From when the trips that have not been given begin; null when there are none. */
  get restBegins() {
    return this.#byIgnition.tripInProgress?.start ?? this.#byMovement?.firstStart ?? null;
  }
  /** Whether no trip was in progress at this time, after the last snapshot. */
  isFreeAt(time) {
    if (this.#byMovement === null) return this.#byIgnition.isParkedAt(time);
    if (this.#byMovement.tripInProgress !== null) return false;
    return this.#hasIgnition ? this.#byIgnition.isParkedAt(time) : this.#byMovement.isParkedAt(time);
  }
  /** What the caller must know about the trips. Call it after `finish`. */
  warning() {
    if (this.#hasLostTrips) {
      const message = `The ignition of vehicle ${this.#vehicleId} was off in snapshots in which it moved, and on in later ones. What it drove before is in no trip: it was carried, or its ignition is not always reported.`;
      return { code: "NO_IGNITION", message };
    }
    const movement = this.#byMovement;
    if (movement === null || movement.count === 0) return null;
    const ignition = this.#hasIgnition ? "was never on" : "is not reported";
    return {
      code: "NO_IGNITION",
      message: `The ignition of vehicle ${this.#vehicleId} ${ignition}, but it moved. Its trips are read from its movement (tripsBy 'movement'). They end with a stop of five minutes.`
    };
  }
}
const tripSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  driverBehaviour: { driverBehaviourType: true },
  canBus: {
    canSpeed: true,
    canWheelSpeed: true,
    canDistance: true,
    canTripFuelUsed: true,
    canhrFuelUsed: true,
    canFuelUsed: true
  }
};
const detailedTripSelection = {
  ...tripSelection,
  driverBehaviour: { ...tripSelection.driverBehaviour, driverBehaviourValue: true },
  canBus: { ...tripSelection.canBus, engineWorkTime: true },
  fuel: { fuel: true },
  locationTimeZone: true
};
export {
  tripKind
};
