import { greatCircleKm } from "../../core/geo.js";
import { identifiedDriver, Readings, readNumber, readText } from "../readings.js";
import { DrivenTrack } from "./driven-track.js";
import { TripDetailsReader } from "./trip-details.js";
import { TripDistance } from "./trip-distance.js";
import { TripFuel } from "./trip-fuel.js";
import { difference, rounded } from "./trip-segments.js";
import { TripTimes } from "./trip-times.js";
const NOTHING = {
  km: 0,
  unseenKm: 0,
  times: { movingMs: 0, idleMs: 0, unseenMs: 0 },
  snapshots: 0
};
const AROUND_MS = 12e4;
const ENOUGH_MOVING_MS = 6e4;
class OpenTrip {
  start;
  #start;
  #limits;
  #readings;
  #drivers = /* @__PURE__ */ new Set();
  /** The last driver, who is nearly always the present one too. */
  #driverId = "";
  #harshEvents = /* @__PURE__ */ new Map();
  #distance;
  #times;
  #fuel = new TripFuel();
  /** Null unless the caller wants the positions. */
  #track;
  /** Null unless the caller wants them. */
  #details;
  /** Kilometres of the times that were not seen. */
  #unseenKm = 0;
  /** How far from its start the vehicle has been. */
  #reachKm = 0;
  #snapshots = 0;
  #time;
  #lastSeen;
  /** Null when the trip counts from its start on. */
  #beginning = null;
  constructor(start, limits, readings) {
    this.#readings = readings;
    this.#start = start;
    this.start = start.time;
    this.#limits = limits;
    this.#time = start.time;
    this.#lastSeen = start.time;
    this.#track = limits.withTrack ? new DrivenTrack() : null;
    this.#details = limits.withDetails ? new TripDetailsReader(start.time, limits) : null;
    this.#times = new TripTimes(start.time, limits.movingKmh);
    this.#distance = new TripDistance(limits.fastestKmh, this.#track, (position) => {
      this.#times.takePosition(position);
      this.#details?.takePosition(position);
      if (start.by === "movement") this.#reach(position);
    });
  }
  /** Takes the next snapshot; `isOn` is the ignition from then on. */
  take(time, row, isOn) {
    this.#passDays(time, { time, row });
    const kmBefore = this.#times.isUnseenUntil(time) ? this.#km : null;
    const fix = fixOf(time, row, this.#readings);
    const next = this.#nextOf(time, row, fix, this.#readings);
    const isMoving = this.#isMoving(next);
    const meanKmh = this.#meanKmh;
    if (fix.position !== null) this.#distance.takePosition(fix.position, fix.isValid, isMoving);
    else if (isMoving === true) this.#distance.leavePosition();
    this.#takeUnlocated(fix, next, row);
    this.#times.pass(time, next, meanKmh);
    this.#times.take(next, isOn);
    this.#time = time;
    this.#lastSeen = time;
    this.#snapshots++;
    const { driver, driverBehaviour, canBus } = row;
    const driverId = identifiedDriver(driver);
    const isNewDriver = driverId !== null && driverId !== this.#driverId;
    if (isNewDriver) {
      this.#drivers.add(driverId);
      this.#driverId = driverId;
    }
    const eventType = driverBehaviour ? readText(driverBehaviour.driverBehaviourType) : null;
    if (eventType) this.#harshEvents.set(eventType, (this.#harshEvents.get(eventType) ?? 0) + 1);
    if (canBus) this.#takeCanBus(time, canBus);
    if (kmBefore !== null) this.#unseenKm += this.#km - kmBefore;
    if (this.#details === null) return;
    if (isNewDriver) this.#details.takeDriver(driverId, time, this.#sumsAt(time));
    this.#details.take({ time, row, speedKmh: next.speed, position: fix.isValid ? positionOf(fix.position) : null });
  }
  /** Takes the counters of a snapshot before the trip, after which the vehicle stood: they are the same at the start. */
  takeBefore({ canBus }) {
    if (!canBus) return;
    const km = readNumber(canBus.canDistance) ?? null;
    if (km !== null) {
      this.#distance.takeOdometerBefore(this.start, km);
      this.#times.takeOdometer(this.start, km, this.#limits.fastestKmh);
    }
    this.#fuel.takeBefore(this.start, canBus);
  }
  /**
   * A snapshot with the ignition off, after which the trip may go on. Its time counts if it does. If the vehicle stands, its counters are
   * those of the end.
   */
  takeOff(time, row) {
    this.#passDays(time, { time, row });
    const { isValid } = fixOf(time, row, this.#readings);
    this.#times.takeOff(time, speedOf(row, isValid, this.#limits.fastestKmh, this.#readings));
    const { canBus } = row;
    if (!canBus || this.#times.isMoving || time - this.#lastSeen > AROUND_MS) return;
    const km = readNumber(canBus.canDistance) ?? null;
    if (km !== null) this.#distance.takeOdometerAfter(this.#lastSeen, km, this.#times.kmBySpeed);
    this.#fuel.take(this.#lastSeen, canBus, true);
  }
  /**
   * Leaves out what lies before this time. Call it before the first snapshot of this time or later is taken; `next` is that snapshot, null
   * when there is none.
   */
  countFrom(time, next) {
    if (this.#beginning !== null || this.start >= time) return;
    this.#passTo(time, next);
    this.#beginning = {
      time,
      position: this.#distance.last,
      km: this.#km,
      unseenKm: this.#unseenKm,
      times: this.#times.times,
      snapshots: this.#snapshots,
      fuel: this.#fuel.sums,
      harshEvents: new Map(this.#harshEvents)
    };
    this.#details?.countFrom(time, this.#sumsAt(time));
    this.#times.topSpeed = null;
    this.#drivers.clear();
    if (this.#driverId !== "") this.#drivers.add(this.#driverId);
  }
  /** The trip up to a time at which it goes on. `next`: the first snapshot from then on, null when there is none. */
  cutAt(time, next) {
    this.#passDays(time, next);
    this.#passTo(time, next);
    return this.toTrip({ time, by: "period" });
  }
  /** Kilometres that show that the vehicle has left its place: from its start, or roughly by other sources when there are no positions. */
  get reachKm() {
    if (this.#distance.first !== null) return this.#reachKm;
    const { times, topSpeed } = this.#times;
    return Math.max(this.#km, (topSpeed ?? 0) / 2 * (times.movingMs / 36e5));
  }
  get #km() {
    return this.#distance.distance(this.#times.kmBySpeed).km;
  }
  #sumsAt(time) {
    const { movingMs, idleMs } = this.#times.times;
    return { ms: time - this.start, km: this.#km, movingMs, idleMs };
  }
  /** So far; null when too little is known. */
  get #meanKmh() {
    const { movingMs } = this.#times.times;
    return movingMs < ENOUGH_MOVING_MS ? null : this.#distance.pathKm * 36e5 / movingMs;
  }
  /** Begins the details of each day up to this time. */
  #passDays(time, next) {
    const details = this.#details;
    while (details !== null && details.nextDay < time) {
      this.#passTo(details.nextDay, next);
      details.beginDay(this.#sumsAt(details.nextDay));
    }
  }
  #passTo(time, next) {
    this.#time = time;
    if (next === null) {
      this.#times.pass(time, { time, speed: null, km: null }, this.#meanKmh);
      return;
    }
    const readings = new Readings();
    const fix = fixOf(next.time, next.row, readings);
    const then = this.#nextOf(next.time, next.row, fix, readings);
    const { position, isValid } = fix;
    if (position !== null && this.#distance.believes(position, isValid, this.#isMoving(then) === false)) {
      this.#times.takePosition(position);
    }
    this.#takeUnlocated(fix, then, next.row);
    this.#times.pass(time, then, this.#meanKmh);
  }
  /** Where a snapshot has neither a position nor a speed, its odometer says whether the vehicle moves. */
  #takeUnlocated({ position }, { time, speed }, { canBus }) {
    const km = position === null && speed === null ? readNumber(canBus?.canDistance) : void 0;
    if (typeof km === "number") this.#times.takeOdometer(time, km, this.#limits.fastestKmh);
  }
  /** As the vehicle says; null when it does not. */
  #isMoving({ speed }) {
    return speed === null ? null : speed >= this.#limits.movingKmh;
  }
  #nextOf(time, row, { isValid, position }, readings) {
    const speed = speedOf(row, isValid, this.#limits.fastestKmh, readings);
    if (!this.#times.needsWayTo(time)) return { time, speed, km: null };
    const odometerKm = readNumber(row.canBus?.canDistance) ?? null;
    return { time, speed, km: this.#distance.stepFrom(this.#times.seen, time, isValid ? position : null, odometerKm) };
  }
  #reach(position) {
    const { first } = this.#distance;
    if (first !== null) this.#reachKm = Math.max(this.#reachKm, greatCircleKm(first, position));
  }
  #takeCanBus(time, canBus) {
    const km = readNumber(canBus.canDistance) ?? null;
    if (km !== null) this.#distance.takeOdometer(time, km, this.#times.kmBySpeed);
    this.#fuel.take(time, canBus);
  }
  /** The trip so far. `end` is null while it is open. */
  toTrip(end) {
    const beginning = this.#beginning;
    const before = beginning ?? NOTHING;
    const { km, by, doubt } = this.#distance.distance(this.#times.kmBySpeed);
    const { movingMs, idleMs, unseenMs } = this.#times.times;
    const fuelBy = this.#fuel.by(km);
    const movingHours = (movingMs - before.times.movingMs) / 36e5;
    const seenKm = km - before.km - (this.#unseenKm - before.unseenKm);
    const mean = seenKm / movingHours;
    const { topSpeed: highest } = this.#times;
    const topSpeed = highest !== null && highest < this.#limits.movingKmh && movingHours > 0 ? null : highest;
    const fastest = topSpeed ?? this.#limits.fastestKmh;
    return {
      id: `${this.#start.vehicleId}@${new Date(this.start).toISOString()}`,
      vehicleId: this.#start.vehicleId,
      startedAt: new Date(beginning?.time ?? this.start).toISOString(),
      endedAt: end === null ? null : new Date(end.time).toISOString(),
      lastSeenAt: new Date(this.#lastSeen).toISOString(),
      isOpen: end === null,
      endedBy: end?.by ?? null,
      isStartKnown: this.#start.isKnown,
      tripsBy: this.#start.by,
      driverIds: [...this.#drivers],
      distanceKm: difference(km, before.km, 1e3),
      distanceBy: by,
      distanceDoubt: doubt,
      durationSeconds: seconds(
        (end?.time ?? this.#time) - this.start,
        beginning === null ? 0 : beginning.time - this.start
      ),
      movingSeconds: seconds(movingMs, before.times.movingMs),
      idleSeconds: seconds(idleMs, before.times.idleMs),
      unseenSeconds: seconds(unseenMs, before.times.unseenMs),
      topSpeedKmh: topSpeed,
      meanSpeedKmh: Number.isFinite(mean) && mean > 0 ? Math.min(fastest, rounded(mean, 10)) : null,
      fuelUsed: fuelBy === null ? null : difference(this.#fuel.sums[fuelBy], beginning?.fuel[fuelBy] ?? 0, 1e3),
      fuelBy,
      harshEvents: this.#harshSince(beginning),
      startPosition: positionOf(beginning?.position ?? this.#distance.first),
      endPosition: positionOf(this.#distance.last),
      snapshots: this.#snapshots - before.snapshots,
      ...this.#track === null ? {} : { track: this.#track.toPoints(beginning?.time) },
      ...this.#details === null ? {} : { details: this.#details.toDetails(end?.time ?? null, this.#sumsAt(end?.time ?? this.#time)) }
    };
  }
  #harshSince(beginning) {
    const counts = [...this.#harshEvents].map(
      ([type, count]) => [type, count - (beginning?.harshEvents.get(type) ?? 0)]
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
}
function fixOf(time, { gps }, readings) {
  const isValid = !gps || readings.flag("fix", gps.state) !== false;
  const latitude = gps ? readings.number("position", gps.latitude) : null;
  const longitude = gps ? readings.number("position", gps.longitude) : null;
  return { isValid, position: latitude === null || longitude === null ? null : { time, latitude, longitude } };
}
function speedOf({ gps, canBus }, hasFix, fastestKmh, readings) {
  const isPossible = (speed) => typeof speed === "number" && speed >= 0 && speed <= fastestKmh;
  const received = gps && hasFix ? readings.number("speed", gps.speed) : null;
  if (isPossible(received)) return received;
  const byBus = readNumber(canBus?.canSpeed);
  if (isPossible(byBus)) return byBus;
  const byWheels = readNumber(canBus?.canWheelSpeed);
  return isPossible(byWheels) ? byWheels : null;
}
function positionOf(position) {
  return position === null ? null : { latitude: position.latitude, longitude: position.longitude };
}
function seconds(ms, msBefore) {
  return difference(ms / 1e3, msBefore / 1e3, 10);
}
export {
  AROUND_MS,
  OpenTrip,
  speedOf
};
