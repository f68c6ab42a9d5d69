// Trips out of any snapshots: of one vehicle or of several, late ones put in order, none held in memory but those of the last
// minute.
import { RowIterator } from '../row-iterator.js';
import { ReorderBuffer } from './reorder-buffer.js';
import { RowTimes } from './row-times.js';
import type { Trip, TripOptions, TripSnapshot } from './trip.js';
import { type TripLimits, tripLimits } from './trip-limits.js';
import { type UnderWay, VehicleTrips } from './vehicle-trips.js';

/**
 * The trips in snapshots, each as soon as it has ended; those still open come last, with `isOpen`. A trip is a run of ignition-on;
 * `closeAfterMs` of ignition-off end it. Memory does not grow with the snapshots.
 *
 * @param snapshots Rows of `getSnapshots`, `streamSnapshots` or a file of your own, of one vehicle or of many, by time but for
 * late ones. Rows without vehicle or time are left out, and so is a row that comes twice.
 * @returns Trips by their end, of each vehicle one after the other.
 * @throws {InvalidInputError} when an option cannot be used; and whatever `snapshots` throws.
 */
export async function* tripsFrom(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  options?: TripOptions,
): AsyncGenerator<Trip, void, undefined> {
  const reader = new TripsReader(tripLimits(options), { isOffBefore: false });
  yield* tripsRead(snapshots, reader);
  yield* reader.finish(null);
}

/** The trips that end with these snapshots. */
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

const NONE: readonly Trip[] = [];

interface Lane {
  readonly order: ReorderBuffer<TripSnapshot>;
  readonly trips: VehicleTrips;
  last: TripSnapshot | null;
  lastTime: number;
}

export class TripsReader {
  readonly #rules: TripLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #isOffBefore: boolean;
  readonly #times = new RowTimes();
  #vehicleId = '';
  #lane: Lane | null = null;

  /** `isOffBefore`: it is known that no trip was under way before the first snapshot. */
  constructor(rules: TripLimits, { isOffBefore }: { readonly isOffBefore: boolean }) {
    this.#rules = rules;
    this.#isOffBefore = isOffBefore;
  }

  /** The trips that have ended with this snapshot: mostly none. */
  take(row: TripSnapshot): readonly Trip[] {
    const { vehicleId, timestamp } = row;
    const time = this.#times.read(timestamp);
    if (!vehicleId || time === null) return NONE;
    const lane = this.#laneOf(vehicleId);
    if (!lane.order.add(time, row)) return NONE;
    let ended = NONE;
    for (let next = lane.order.take(); next !== null; next = lane.order.take()) {
      const trip = pass(lane, next.time, next.row);
      if (trip !== null) ended = [...ended, trip];
    }
    return ended;
  }

  /** The same for several snapshots. */
  takeAll(rows: readonly TripSnapshot[]): readonly Trip[] {
    let ended = NONE;
    for (const row of rows) {
      const some = this.take(row);
      if (some.length > 0) ended = [...ended, ...some];
    }
    return ended;
  }

  /** The trips that have not been told, when no more snapshots come before `until`, or at all. */
  finish(until: number | null): readonly Trip[] {
    const trips: Trip[] = [];
    for (const lane of this.#lanes.values()) {
      for (let next = lane.order.takeAny(); next !== null; next = lane.order.takeAny()) {
        const trip = pass(lane, next.time, next.row);
        if (trip !== null) trips.push(trip);
      }
      const last = lane.trips.finish(until);
      if (last !== null) trips.push(last);
    }
    return trips;
  }

  /** The trip of the only vehicle that is under way at the end; null when there is none. After `finish`. */
  get underWay(): UnderWay | null {
    return this.#lane?.trips.underWay ?? null;
  }

  #laneOf(vehicleId: string): Lane {
    if (this.#lane !== null && vehicleId === this.#vehicleId) return this.#lane;
    const lane = this.#lanes.get(vehicleId) ?? {
      order: new ReorderBuffer<TripSnapshot>(this.#rules.lateMs),
      trips: new VehicleTrips(vehicleId, this.#rules, this.#isOffBefore),
      last: null,
      lastTime: Number.NaN,
    };
    this.#lanes.set(vehicleId, lane);
    this.#vehicleId = vehicleId;
    this.#lane = lane;
    return lane;
  }
}

/** A row that comes again right after itself is one row. */
function pass(lane: Lane, time: number, row: TripSnapshot): Trip | null {
  const { last } = lane;
  if (time === lane.lastTime && last?.timestamp === row.timestamp && JSON.stringify(last) === JSON.stringify(row)) {
    return null;
  }
  lane.last = row;
  lane.lastTime = time;
  return lane.trips.take(time, row);
}
