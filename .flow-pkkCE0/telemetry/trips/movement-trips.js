import { greatCircleKm } from "../../core/geo.js";
import { PositionCleaner } from "../position-cleaner.js";
import { Readings, readFlag, readNumber } from "../readings.js";
import { Motion } from "./motion.js";
import { speedOf } from "./open-trip.js";
import { LEFT_ITS_PLACE_KM, VehicleTrips } from "./vehicle-trips.js";
const STOP_MS = 5 * 6e4;
function beginsTrip(waiting, time, here) {
  if (time - waiting.time <= STOP_MS) return true;
  return waiting.position !== null && here !== null && greatCircleKm(waiting.position, here) >= LEFT_ITS_PLACE_KM;
}
class MovementTrips {
  #limits;
  /** Of its own: what cannot be read is counted when a snapshot belongs to a trip. */
  #readings = new Readings();
  #motion;
  #positions;
  #trips;
  #ended = [];
  /** The last snapshot of a vehicle that stands: a trip may begin with it. */
  #waiting = null;
  /** The time of the last snapshot that did not belong to a trip. */
  #lastStill = null;
  constructor(options) {
    const { limits } = options;
    this.#limits = limits;
    this.#motion = new Motion(limits.movingKmh);
    this.#positions = new PositionCleaner(limits.fastestKmh, (position) => this.#motion.takePosition(position));
    const stopMs = Math.max(STOP_MS, limits.closeAfterMs);
    this.#trips = new VehicleTrips({ ...options, limits: { ...limits, closeAfterMs: stopMs }, by: "movement" });
  }
  take(time, row) {
    this.#move(time, row);
    const { isMoving } = this.#motion;
    const waiting = this.#waiting;
    const here = this.#positions.last;
    this.#settle(isMoving === true && waiting !== null && beginsTrip(waiting, time, here));
    if (isMoving === true || this.#trips.tripInProgress !== null) this.#pass(time, row, isMoving);
    else {
      this.#waiting = { time, row, isMoving, position: here };
      this.#lastStill = time;
    }
  }
  /** The trips, when there are no more snapshots before `until` (null: at all). The last one may be open. */
  finish(until) {
    this.#settle(false);
    const last = this.#trips.finish(until);
    if (last !== null) this.#ended.push(last);
    return this.#ended;
  }
  /** Null as well while the vehicle may only seem to move. */
  get tripInProgress() {
    return this.#trips.isInRealTrip ? this.#trips.tripInProgress : null;
  }
  /** From when on its snapshots are needed to read what follows; null when none is. */
  get begins() {
    return this.#trips.tripInProgress?.start ?? this.#lastStill;
  }
  /** When the first trip began, milliseconds since 1970; null when there is none. */
  get firstStart() {
    const [first] = this.#ended;
    return first === void 0 ? this.#trips.tripInProgress?.start ?? null : Date.parse(first.startedAt);
  }
  get count() {
    return this.#ended.length;
  }
  isParkedAt(time) {
    return this.#trips.isParkedAt(time);
  }
  #move(time, row) {
    const { gps, ignition } = row;
    const hasFix = !gps || readFlag(gps.state) !== false;
    const speed = speedOf(row, hasFix, this.#limits.fastestKmh, this.#readings);
    const isParked = speed !== null && readFlag(ignition?.engineStatus) === false;
    const latitude = readNumber(gps?.latitude) ?? null;
    const longitude = readNumber(gps?.longitude) ?? null;
    if (hasFix && !isParked && latitude !== null && longitude !== null) {
      this.#positions.add({ time, latitude, longitude }, speed !== null && speed < this.#limits.movingKmh);
    }
    this.#motion.takeSpeed(speed);
  }
  /** `isBegin`: the vehicle has moved since the snapshot that waits. */
  #settle(isBegin) {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.#pass(waiting.time, waiting.row, isBegin ? true : waiting.isMoving);
  }
  #pass(time, row, isMoving) {
    const ended = this.#trips.take(time, row, isMoving);
    if (ended !== null) this.#ended.push(ended);
  }
}
export {
  MovementTrips
};
