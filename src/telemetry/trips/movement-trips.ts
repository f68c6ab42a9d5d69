// The trips of a vehicle whose ignition says nothing, because it moves. They begin with the last snapshot before it moved, and end with
// a stop.
import { greatCircleKm } from '../../core/geo.js';
import type { ActivityInProgress } from '../activities/activity.js';
import { type Located, PositionCleaner } from '../position-cleaner.js';
import { Readings, readFlag, readNumber } from '../readings.js';
import { Motion } from './motion.js';
import { speedOf } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { LEFT_ITS_PLACE_KM, VehicleTrips, type VehicleTripsOptions } from './vehicle-trips.js';

/** A vehicle that stands for this long has arrived; at a light or in a jam it stands for less. */
const STOP_MS = 5 * 60_000;

interface Waiting {
  readonly time: number;
  readonly row: TripSnapshot;
  readonly isMoving: boolean | null;
  /** The last believed one. */
  readonly position: Located | null;
}

/** Whether a trip began with the snapshot that waits: it is recent, or else the way from it would be missing. */
function beginsTrip(waiting: Waiting, time: number, here: Located | null): boolean {
  if (time - waiting.time <= STOP_MS) return true;
  return waiting.position !== null && here !== null && greatCircleKm(waiting.position, here) >= LEFT_ITS_PLACE_KM;
}

export class MovementTrips {
  readonly #limits: TripLimits;
  /** Of its own: what cannot be read is counted when a snapshot belongs to a trip. */
  readonly #readings = new Readings();
  readonly #motion: Motion;
  readonly #positions: PositionCleaner<Located>;
  readonly #trips: VehicleTrips;
  readonly #ended: Trip[] = [];
  /** The last snapshot of a vehicle that stands: a trip may begin with it. */
  #waiting: Waiting | null = null;
  /** The time of the last snapshot that did not belong to a trip. */
  #lastStill: number | null = null;

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
    const here = this.#positions.last;
    this.#settle(isMoving === true && waiting !== null && beginsTrip(waiting, time, here));
    if (isMoving === true || this.#trips.tripInProgress !== null) this.#pass(time, row, isMoving);
    else {
      this.#waiting = { time, row, isMoving, position: here };
      this.#lastStill = time;
    }
  }

  /** The trips, when there are no more snapshots before `until` (null: at all). The last one may be open. */
  finish(until: number | null): readonly Trip[] {
    this.#settle(false);
    const last = this.#trips.finish(until);
    if (last !== null) this.#ended.push(last);
    return this.#ended;
  }

  /** Null as well while the vehicle may only seem to move. */
  get tripInProgress(): ActivityInProgress | null {
    return this.#trips.isInRealTrip ? this.#trips.tripInProgress : null;
  }

  /** From when on its snapshots are needed to read what follows; null when none is. */
  get begins(): number | null {
    return this.#trips.tripInProgress?.start ?? this.#lastStill;
  }

  /** When the first trip began, milliseconds since 1970; null when there is none. */
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

  /** `isBegin`: the vehicle has moved since the snapshot that waits. */
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
