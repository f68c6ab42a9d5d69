// Finds trips by movement, for a vehicle without a usable ignition. They begin with the last
// snapshot before the movement, and end with a stop.
import { greatCircleKm } from '../../core/geo.js';
import type { ActivityInProgress } from '../activities/activity.js';
import { type Located, PositionCleaner } from '../position-cleaner.js';
import { Readings, readFlag, readNumber } from '../readings.js';
import { Motion } from './motion.js';
import { speedOf } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { MIN_DEPARTURE_KM, VehicleTrips, type VehicleTripsOptions } from './vehicle-trips.js';

/** A vehicle that stands for this long has arrived; it stands for less at a light or in a jam. */
const STOP_MS = 5 * 60_000;

interface Waiting {
  readonly time: number;
  readonly row: TripSnapshot;
  readonly isMoving: boolean | null;
  readonly position: Located | null;
}

/** Returns true when a trip began with the waiting snapshot: it is recent, or the place changed. */
function isTripStart(waiting: Waiting, time: number, lastPosition: Located | null): boolean {
  if (time - waiting.time <= STOP_MS) return true;
  return (
    waiting.position !== null &&
    lastPosition !== null &&
    greatCircleKm(waiting.position, lastPosition) >= MIN_DEPARTURE_KM
  );
}

export class MovementTrips {
  readonly #limits: TripLimits;
  /** Separate counts: unreadable values are counted when a snapshot is part of a trip. */
  readonly #readings = new Readings();
  readonly #motion: Motion;
  readonly #positions: PositionCleaner<Located>;
  readonly #trips: VehicleTrips;
  readonly #ended: Trip[] = [];
  /** The last snapshot of a standing vehicle: a trip may begin with it. */
  #waiting: Waiting | null = null;
  /** The time of the last snapshot outside of a trip. */
  #lastOutsideTrip: number | null = null;

  constructor(options: Omit<VehicleTripsOptions, 'by'>) {
    const { limits } = options;
    this.#limits = limits;
    this.#motion = new Motion(limits.movingKmh);
    this.#positions = new PositionCleaner(limits.fastestKmh, (position) => this.#motion.takePosition(position));
    const stopMs = Math.max(STOP_MS, limits.closeAfterMs);
    this.#trips = new VehicleTrips({ ...options, limits: { ...limits, closeAfterMs: stopMs }, by: 'movement' });
  }

  take(time: number, row: TripSnapshot): void {
    this.#move(time, row);
    const { isMoving } = this.#motion;
    const waiting = this.#waiting;
    const lastPosition = this.#positions.last;
    this.#settle(isMoving === true && waiting !== null && isTripStart(waiting, time, lastPosition));
    if (isMoving === true || this.#trips.tripInProgress !== null) this.#pass(time, row, isMoving);
    else {
      this.#waiting = { time, row, isMoving, position: lastPosition };
      this.#lastOutsideTrip = time;
    }
  }

  /** Returns the trips, the last perhaps open. No snapshots follow before `until` (or at all). */
  finish(until: number | null): readonly Trip[] {
    this.#settle(false);
    const last = this.#trips.finish(until);
    if (last !== null) this.#ended.push(last);
    return this.#ended;
  }

  /** Also null while the movement may be noise. */
  get tripInProgress(): ActivityInProgress | null {
    return this.#trips.isTripConfirmed ? this.#trips.tripInProgress : null;
  }

  /** The time from which snapshots are still needed; null for none. */
  get begins(): number | null {
    return this.#trips.tripInProgress?.start ?? this.#lastOutsideTrip;
  }

  /** The start of the first trip in milliseconds since 1970; null without one. */
  get firstStart(): number | null {
    const [first] = this.#ended;
    return first === undefined ? (this.#trips.tripInProgress?.start ?? null) : Date.parse(first.startedAt);
  }

  get count(): number {
    return this.#ended.length;
  }

  isParkedAt(time: number): boolean {
    return this.#trips.isParkedAt(time);
  }

  #move(time: number, row: TripSnapshot): void {
    const { gps, ignition } = row;
    const hasFix = !gps || readFlag(gps.state) !== false;
    const speed = speedOf(row, hasFix, this.#limits.fastestKmh, this.#readings);
    // Positions wander around a parked vehicle.
    const isParked = speed !== null && readFlag(ignition?.engineStatus) === false;
    const latitude = readNumber(gps?.latitude) ?? null;
    const longitude = readNumber(gps?.longitude) ?? null;
    if (hasFix && !isParked && latitude !== null && longitude !== null) {
      this.#positions.add({ time, latitude, longitude }, speed !== null && speed < this.#limits.movingKmh);
    }
    this.#motion.takeSpeed(speed);
  }

  /** Passes on the waiting snapshot. `isBegin`: the vehicle has moved since then. */
  #settle(isBegin: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.#pass(waiting.time, waiting.row, isBegin ? true : waiting.isMoving);
  }

  #pass(time: number, row: TripSnapshot, isMoving: boolean | null): void {
    const ended = this.#trips.take(time, row, isMoving);
    if (ended !== null) this.#ended.push(ended);
  }
}
