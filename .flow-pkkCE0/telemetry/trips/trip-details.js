import { readNumber, readText } from "../readings.js";
import { GeofenceVisits } from "../visits/geofence-visits.js";
import { speedingAfter } from "./speeding.js";
import { rounded, TripSegments } from "./trip-segments.js";
const NO_READINGS = { odometerKm: null, engineHours: null, fuel: null };
class TripDetailsReader {
  #limitKmh;
  #segments;
  #visits;
  #timeZone = null;
  #first = NO_READINGS;
  #last = NO_READINGS;
  #events = [];
  #speeding = [];
  /** The last of `speeding`, while no lower speed has ended it. */
  #goesOn = null;
  constructor(start, limits) {
    this.#segments = new TripSegments(start);
    this.#limitKmh = limits.speedLimitKmh;
    this.#visits = new GeofenceVisits(limits.geofences);
  }
  /** A position that is believed, in order of time. */
  takePosition(position) {
    this.#visits.takePosition(position);
  }
  /** The next local midnight, in milliseconds since 1970. */
  get nextDay() {
    return this.#segments.nextDay;
  }
  /** The trip goes on after midnight. */
  beginDay(sums) {
    this.#segments.beginDay(sums);
  }
  /** A driver who was not the last one. */
  takeDriver(driverId, time, sums) {
    this.#segments.takeDriver(driverId, time, sums);
  }
  take(snapshot) {
    const { time, row, speedKmh, position } = snapshot;
    if (this.#timeZone === null) {
      this.#timeZone = readText(row.locationTimeZone);
      if (this.#timeZone !== null) this.#segments.takeZone(this.#timeZone, time);
    }
    const readings = {
      odometerKm: readNumber(row.canBus?.canDistance) ?? null,
      engineHours: readNumber(row.canBus?.engineWorkTime) ?? null,
      fuel: readNumber(row.fuel?.fuel) ?? null
    };
    this.#first = firstOf(this.#first, readings);
    this.#last = firstOf(readings, this.#last);
    const type = readText(row.driverBehaviour?.driverBehaviourType);
    if (type !== null) {
      const value = readNumber(row.driverBehaviour?.driverBehaviourValue) ?? null;
      this.#events.push({ type, time: timeText(time), value, speedKmh, position, driverId: this.#segments.driverId });
    }
    this.#takeSpeed(snapshot);
  }
  /** Leaves out what lies before this time, when the trip had these sums. */
  countFrom(time, sums) {
    const goesOn = this.#goesOn;
    this.#segments.countFrom(time, sums);
    this.#first = NO_READINGS;
    this.#last = NO_READINGS;
    this.#events = [];
    this.#visits.countFromHere();
    this.#goesOn = goesOn && { ...goesOn, from: time, to: Math.max(goesOn.to, time) };
    this.#speeding = this.#goesOn ? [this.#goesOn] : [];
  }
  /** `end`: null while the trip is open. `sums`: of the whole trip. */
  toDetails(end, sums) {
    return {
      timeZone: this.#timeZone,
      atStart: this.#first,
      atEnd: this.#last,
      segments: this.#segments.toSegments(end, sums),
      events: this.#events,
      speeding: this.#speeding.map(({ from, to, topSpeedKmh, position, driverId }) => ({
        ...{
          startedAt: timeText(from),
          endedAt: timeText(to),
          durationSeconds: rounded((to - from) / 1e3, 10),
          topSpeedKmh,
          position,
          driverId
        }
      })),
      visits: this.#visits.stays.map(({ geofenceId, entered, left }) => ({
        geofenceId,
        enteredAt: entered === null ? null : timeText(entered),
        leftAt: left === null ? null : timeText(left)
      }))
    };
  }
  #takeSpeed({ time, speedKmh, position }) {
    const before = this.#goesOn;
    const after = speedingAfter(before, { time, speedKmh }, this.#limitKmh);
    if (after !== null && before?.from === after.from) {
      before.to = after.to;
      before.topSpeedKmh = after.topSpeedKmh;
      return;
    }
    this.#goesOn = after && { ...after, position, driverId: this.#segments.driverId };
    if (this.#goesOn) this.#speeding.push(this.#goesOn);
  }
}
function firstOf(one, other) {
  return {
    odometerKm: one.odometerKm ?? other.odometerKm,
    engineHours: one.engineHours ?? other.engineHours,
    fuel: one.fuel ?? other.fuel
  };
}
function timeText(time) {
  return new Date(time).toISOString();
}
export {
  TripDetailsReader
};
