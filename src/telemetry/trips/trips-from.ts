// Reads trips from snapshots of one or several vehicles. Late snapshots are put in order; only those of the last minute are held in
// memory.
import { RowIterator } from '../row-iterator.js';
import { ReorderBuffer } from './reorder-buffer.js';
import { TimestampReader } from './timestamp-reader.js';
import type { Trip, TripOptions, TripSnapshot } from './trip.js';
import { type TripLimits, tripLimits } from './trip-limits.js';
import { type TripInProgress, VehicleTrips } from './vehicle-trips.js';

/**
 * Reads trips from snapshots and yields each as soon as it has ended; open trips come last, with `isOpen`. A trip begins when the
 * ignition is switched on and ends after `closeAfterMs` with the ignition off. Memory does not grow with the snapshots.
 *
 * @param snapshots Rows of `getSnapshots`, `streamSnapshots` or your own source, of one or several vehicles, ordered by time except
 * for late ones. Rows without vehicle or time and repeated rows are ignored.
 * @returns Trips, for each vehicle in the order in which they ended.
 * @throws {InvalidInputError} when an option is invalid; and any error of `snapshots`.
 */
export async function* tripsFrom(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  options?: TripOptions,
): AsyncGenerator<Trip, void, undefined> {
  const reader = new TripsReader(tripLimits(options), { isOffBefore: false });
  yield* tripsRead(snapshots, reader);
  yield* reader.finish(null);
}

/** The trips that have ended with these snapshots. */
export async function* tripsRead(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  reader: TripsReader,
): AsyncGenerator<Trip, void, undefined> {
  if (snapshots instanceof RowIterator) {
    for await (const rows of snapshots.batches()) yield* reader.takeAll(rows);
    return;
  }
  for await (const row of snapshots) {
    const ended = reader.take(row);
    if (ended.length > 0) yield* ended;
  }
}

const NO_TRIPS: readonly Trip[] = [];

interface VehicleState {
  readonly buffer: ReorderBuffer<TripSnapshot>;
  readonly trips: VehicleTrips;
  last: TripSnapshot | null;
  lastTime: number;
}

export class TripsReader {
  readonly #limits: TripLimits;
  readonly #vehicles = new Map<string, VehicleState>();
  readonly #isOffBefore: boolean;
  readonly #times = new TimestampReader();
  #vehicleId = '';
  #current: VehicleState | null = null;

  /** `isOffBefore`: no trip was in progress before the first snapshot. */
  constructor(limits: TripLimits, { isOffBefore }: { readonly isOffBefore: boolean }) {
    this.#limits = limits;
    this.#isOffBefore = isOffBefore;
  }

  /** The trips that have ended with this snapshot, usually none. */
  take(row: TripSnapshot): readonly Trip[] {
    const { vehicleId, timestamp } = row;
    const time = this.#times.read(timestamp);
    if (!vehicleId || time === null) return NO_TRIPS;
    const state = this.#stateOf(vehicleId);
    if (!state.buffer.add(time, row)) return NO_TRIPS;
    let ended = NO_TRIPS;
    for (let next = state.buffer.take(); next !== null; next = state.buffer.take()) {
      const trip = takeInOrder(state, next.time, next.row);
      if (trip !== null) ended = [...ended, trip];
    }
    return ended;
  }

  /** The trips that have ended with these snapshots. */
  takeAll(rows: readonly TripSnapshot[]): readonly Trip[] {
    let ended = NO_TRIPS;
    for (const row of rows) {
      const tripsOfRow = this.take(row);
      if (tripsOfRow.length > 0) ended = [...ended, ...tripsOfRow];
    }
    return ended;
  }

  /** The remaining trips, when there are no more snapshots before `until`, or none at all. */
  finish(until: number | null): readonly Trip[] {
    const trips: Trip[] = [];
    for (const state of this.#vehicles.values()) {
      for (let next = state.buffer.takeAny(); next !== null; next = state.buffer.takeAny()) {
        const trip = takeInOrder(state, next.time, next.row);
        if (trip !== null) trips.push(trip);
      }
      const last = state.trips.finish(until);
      if (last !== null) trips.push(last);
    }
    return trips;
  }

  /** The trip in progress of the only vehicle; null when there is none. Call it after `finish`. */
  get underWay(): TripInProgress | null {
    return this.#current?.trips.tripInProgress ?? null;
  }

  #stateOf(vehicleId: string): VehicleState {
    if (this.#current !== null && vehicleId === this.#vehicleId) return this.#current;
    const state = this.#vehicles.get(vehicleId) ?? {
      buffer: new ReorderBuffer<TripSnapshot>(this.#limits.lateMs),
      trips: new VehicleTrips(vehicleId, this.#limits, this.#isOffBefore),
      last: null,
      lastTime: Number.NaN,
    };
    this.#vehicles.set(vehicleId, state);
    this.#vehicleId = vehicleId;
    this.#current = state;
    return state;
  }
}

/** Passes a row on, unless it repeats the row before it. */
function takeInOrder(state: VehicleState, time: number, row: TripSnapshot): Trip | null {
  const { last } = state;
  if (time === state.lastTime && last?.timestamp === row.timestamp && JSON.stringify(last) === JSON.stringify(row)) {
    return null;
  }
  state.last = row;
  state.lastTime = time;
  return state.trips.take(time, row);
}
