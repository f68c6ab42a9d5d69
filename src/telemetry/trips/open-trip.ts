// A trip in progress: sums up its snapshots in order.

import { greatCircleKm } from '../../core/geo.js';
import type { Located } from '../position-cleaner.js';
import { identifiedDriver, Readings, readNumber, readText } from '../readings.js';
import { DrivenTrack } from './driven-track.js';
import type { Trip, TripPosition, TripSnapshot } from './trip.js';
import { TripDetailsReader } from './trip-details.js';
import { TripDistance } from './trip-distance.js';
import { TripFuel } from './trip-fuel.js';
import type { TripLimits } from './trip-limits.js';
import { plainPosition, type TripSums, valuesBetween } from './trip-segments.js';
import { type NextSnapshot, TripTimes } from './trip-times.js';

export interface TimedSnapshot {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly row: TripSnapshot;
}

interface SnapshotFix {
  /** False when the receiver reports no fix: position and speed are then invalid. */
  readonly isValid: boolean;
  readonly position: Located | null;
}

/** Counters of a standing vehicle this soon before or after a trip count as its start or end. */
export const NEAR_TRIP_MS = 120_000;

/** The minimum time for a usable mean speed. */
const ENOUGH_MOVING_MS = 60_000;

export interface TripStart {
  readonly vehicleId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly isKnown: boolean;
  readonly by: Trip['tripsBy'];
}

export class OpenTrip {
  readonly start: number;
  readonly #start: TripStart;
  readonly #limits: TripLimits;
  readonly #readings: Readings;
  readonly #drivers = new Set<string>();
  /** The last driver: nearly always also that of the next snapshot. */
  #driverId = '';
  readonly #harshEvents = new Map<string, number>();
  readonly #distance: TripDistance;
  readonly #times: TripTimes;
  readonly #fuel = new TripFuel();
  readonly #track: DrivenTrack | null;
  readonly #details: TripDetailsReader | null;
  /** Kilometres in times without snapshots. */
  #unseenKm = 0;
  /** The maximum distance from the start. */
  #reachKm = 0;
  #snapshots = 0;
  #time: number;
  #lastSeen: number;
  readonly #startSums: TripSums;
  /** The sums at the start of the clip; null when the trip counts from its start. */
  #clipStart: TripSums | null = null;

  constructor(start: TripStart, limits: TripLimits, readings: Readings) {
    this.#readings = readings;
    this.#start = start;
    this.start = start.time;
    this.#limits = limits;
    this.#time = start.time;
    this.#lastSeen = start.time;
    this.#track = limits.withTrack ? new DrivenTrack() : null;
    this.#times = new TripTimes(start.time, limits.movingKmh);
    this.#distance = new TripDistance(limits.fastestKmh, this.#track, (position) => {
      this.#times.motion.takePosition(position);
      this.#details?.visits.takePosition(position);
      if (start.by === 'movement') this.#reach(position);
    });
    this.#startSums = this.#sumsAt(start.time);
    this.#details = limits.withDetails ? new TripDetailsReader(this.#startSums, limits) : null;
  }

  /** Adds the next snapshot; `isOn` is the ignition from then on. */
  take(time: number, row: TripSnapshot, isOn: boolean): void {
    this.#passDays(time, { time, row });
    const kmBefore = this.#times.isUnseenUntil(time) ? this.#km : null;
    const fix = fixOf(time, row, this.#readings);
    const next = this.#nextOf(time, row, fix, this.#readings);
    const isMoving = this.#isMoving(next);
    const meanKmh = this.#meanKmh;
    if (fix.position !== null) this.#distance.takePosition(fix.position, fix.isValid, isMoving);
    else if (isMoving === true) this.#distance.endRest();
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
    if (isNewDriver) this.#details.segments.takeDriver(driverId, this.#sumsAt(time));
    this.#details.take({ time, row, speedKmh: next.speed, position: fix.isValid ? plainPosition(fix.position) : null });
  }

  /** Adds the counters of a snapshot before the trip, since which the vehicle stood. */
  takeBefore({ canBus }: TripSnapshot): void {
    if (!canBus) return;
    const km = readNumber(canBus.canDistance) ?? null;
    if (km !== null) {
      this.#distance.takeOdometerBefore(this.start, km);
      this.#times.motion.takeOdometer(this.start, km, this.#limits.fastestKmh);
    }
    this.#fuel.takeBefore(this.start, canBus);
  }

  /**
   * Adds a snapshot with the ignition off. Its time counts if the trip continues. If the vehicle
   * stands, its counters are those of the end.
   */
  takeOff(time: number, row: TripSnapshot): void {
    this.#passDays(time, { time, row });
    const { isValid } = fixOf(time, row, this.#readings);
    this.#times.takeOff(time, speedOf(row, isValid, this.#limits.fastestKmh, this.#readings));
    const { canBus } = row;
    if (!canBus || this.#times.motion.isMoving === true || time - this.#lastSeen > NEAR_TRIP_MS) return;
    const km = readNumber(canBus.canDistance) ?? null;
    if (km !== null) this.#distance.takeOdometerAfter(this.#lastSeen, km, this.#times.kmBySpeed);
    this.#fuel.take(this.#lastSeen, canBus, true);
  }

  /**
   * Excludes the part before this time. Call it before `take` of the first snapshot at this time or
   * later; `next` is that snapshot, or null.
   */
  countFrom(time: number, next: TimedSnapshot | null): void {
    if (this.#clipStart !== null || this.start >= time) return;
    this.#passTo(time, next);
    this.#clipStart = this.#sumsAt(time);
    this.#details?.countFrom(this.#clipStart);
    this.#times.topSpeed = null;
    this.#drivers.clear();
    if (this.#driverId !== '') this.#drivers.add(this.#driverId);
  }

  /** Returns the trip up to a time at which it continues. `next`: the snapshot after it. */
  cutAt(time: number, next: TimedSnapshot | null): Trip {
    // A cut at midnight does not begin the new day.
    this.#passDays(time - 1, next);
    this.#passTo(time, next);
    return this.toTrip({ time, by: 'period' });
  }

  /** Kilometres that prove a departure: from the start, or roughly by other sources. */
  get reachKm(): number {
    if (this.#distance.first !== null) return this.#reachKm;
    const { times, topSpeed } = this.#times;
    return Math.max(this.#km, ((topSpeed ?? 0) / 2) * (times.movingMs / 3_600_000));
  }

  get #km(): number {
    return this.#distance.distance(this.#times.kmBySpeed).km;
  }

  #sumsAt(time: number): TripSums {
    return {
      time,
      position: this.#distance.last,
      odometerKm: this.#distance.odometerEnds[1],
      km: this.#km,
      unseenKm: this.#unseenKm,
      times: this.#times.times,
      snapshots: this.#snapshots,
      fuel: this.#fuel.sums,
      harshEvents: new Map(this.#harshEvents),
    };
  }

  /** Null when too little is known. */
  get #meanKmh(): number | null {
    const { movingMs } = this.#times.times;
    return movingMs < ENOUGH_MOVING_MS ? null : (this.#distance.pathKm * 3_600_000) / movingMs;
  }

  /** Begins the details of each day up to this time: a snapshot at midnight is of the new day. */
  #passDays(time: number, next: TimedSnapshot | null): void {
    const segments = this.#details?.segments;
    while (segments !== undefined && segments.nextDay <= time) {
      this.#passTo(segments.nextDay, next);
      segments.beginDay(this.#sumsAt(segments.nextDay));
    }
  }

  #passTo(time: number, next: TimedSnapshot | null): void {
    this.#time = time;
    if (next === null) {
      this.#times.pass(time, { time, speed: null, km: null }, this.#meanKmh);
      return;
    }
    // The values are counted when the snapshot is added.
    const readings = new Readings();
    const fix = fixOf(next.time, next.row, readings);
    const nextSnapshot = this.#nextOf(next.time, next.row, fix, readings);
    const { position, isValid } = fix;
    // The order of `take`: a position describes the time before it.
    if (position !== null && this.#distance.accepts(position, isValid, this.#isMoving(nextSnapshot) === false)) {
      this.#times.motion.takePosition(position);
    }
    this.#takeUnlocated(fix, nextSnapshot, next.row);
    this.#times.pass(time, nextSnapshot, this.#meanKmh);
  }

  /** Uses the odometer for movement when a snapshot has neither a position nor a speed. */
  #takeUnlocated({ position }: SnapshotFix, { time, speed }: NextSnapshot, { canBus }: TripSnapshot): void {
    const km = position === null && speed === null ? readNumber(canBus?.canDistance) : undefined;
    if (typeof km === 'number') this.#times.motion.takeOdometer(time, km, this.#limits.fastestKmh);
  }

  #isMoving({ speed }: NextSnapshot): boolean | null {
    return speed === null ? null : speed >= this.#limits.movingKmh;
  }

  #nextOf(time: number, row: TripSnapshot, { isValid, position }: SnapshotFix, readings: Readings): NextSnapshot {
    const speed = speedOf(row, isValid, this.#limits.fastestKmh, readings);
    if (!this.#times.needsDistanceTo(time)) return { time, speed, km: null };
    const odometerKm = readNumber(row.canBus?.canDistance) ?? null;
    return {
      time,
      speed,
      km: this.#distance.stepFrom(this.#times.lastSeen, time, isValid ? position : null, odometerKm),
    };
  }

  #reach(position: TripPosition): void {
    const { first } = this.#distance;
    if (first !== null) this.#reachKm = Math.max(this.#reachKm, greatCircleKm(first, position));
  }

  #takeCanBus(time: number, canBus: NonNullable<TripSnapshot['canBus']>): void {
    const km = readNumber(canBus.canDistance) ?? null;
    if (km !== null) this.#distance.takeOdometer(time, km, this.#times.kmBySpeed);
    this.#fuel.take(time, canBus);
  }

  /** Returns the trip so far. `end`: null while open. */
  toTrip(end: { readonly time: number; readonly by: NonNullable<Trip['endedBy']> } | null): Trip {
    const { by, disagreement } = this.#distance.distance(this.#times.kmBySpeed);
    const sums = this.#sumsAt(end?.time ?? this.#time);
    const context = {
      start: this.start,
      first: this.#distance.first,
      odometerStartKm: this.#distance.odometerEnds[0],
      fuelBy: this.#fuel.counterFor(sums.km),
      ...this.#limits,
    };
    const from = this.#clipStart?.time ?? this.start;
    return {
      id: `${this.#start.vehicleId}@${new Date(this.start).toISOString()}`,
      vehicleId: this.#start.vehicleId,
      startedAt: new Date(from).toISOString(),
      endedAt: end === null ? null : new Date(end.time).toISOString(),
      lastSeenAt: new Date(this.#lastSeen).toISOString(),
      isOpen: end === null,
      endedBy: end?.by ?? null,
      isStartKnown: this.#start.isKnown,
      tripsBy: this.#start.by,
      driverIds: [...this.#drivers],
      distanceBy: by,
      distanceDoubt: disagreement,
      fuelBy: context.fuelBy,
      ...valuesBetween(this.#clipStart ?? this.#startSums, sums, this.#times.topSpeed, context),
      ...(this.#track === null ? {} : { track: this.#track.toPoints(this.#clipStart?.time) }),
      ...(this.#details === null ? {} : { details: this.#details.toDetails(end?.time ?? null, sums, context) }),
    };
  }
}

function fixOf(time: number, { gps }: TripSnapshot, readings: Readings): SnapshotFix {
  const isValid = !gps || readings.flag('fix', gps.state) !== false;
  const latitude = gps ? readings.number('position', gps.latitude) : null;
  const longitude = gps ? readings.number('position', gps.longitude) : null;
  return { isValid, position: latitude === null || longitude === null ? null : { time, latitude, longitude } };
}

/** Returns the speed in km/h from the receiver, else the CAN bus; null for impossible values. */
export function speedOf(
  { gps, canBus }: TripSnapshot,
  hasFix: boolean,
  fastestKmh: number,
  readings: Readings,
): number | null {
  const isPossible = (speed: number | null | undefined): speed is number =>
    typeof speed === 'number' && speed >= 0 && speed <= fastestKmh;
  const received = gps && hasFix ? readings.number('speed', gps.speed) : null;
  if (isPossible(received)) return received;
  const byBus = readNumber(canBus?.canSpeed);
  if (isPossible(byBus)) return byBus;
  const byWheels = readNumber(canBus?.canWheelSpeed);
  return isPossible(byWheels) ? byWheels : null;
}
