// Reads trips from snapshots of one or several vehicles. Late snapshots are put in order; only those of the last minute are held in
// memory.
import { ProtocolError } from '../../core/errors.js';
import type { Warning } from '../../core/hooks.js';
import { quietly } from '../../core/quietly.js';
import { RowIterator } from '../../rows/row-iterator.js';
import { compareRows } from '../moments.js';
import { Readings } from '../readings.js';
import { inTimeOrder } from '../time-order.js';
import { TimestampReader } from '../timestamp-reader.js';
import { timestampMs } from '../timestamps.js';
import { ReorderBuffer } from './reorder-buffer.js';
import type { Trip, TripOf, TripOptions, TripSnapshot } from './trip.js';
import { type TripLimits, tripLimits } from './trip-limits.js';
import { VehicleDrives } from './vehicle-drives.js';
import type { Clip, TripInProgress } from './vehicle-trips.js';

interface OwnTripOptions<Track extends boolean = boolean, Details extends boolean = boolean>
  extends TripOptions<Track, Details> {
  readonly onWarning?: ((warning: Warning) => void) | undefined;
}

/**
 * Reads trips from snapshots and yields each as soon as it has ended; open trips come last, with `isOpen`. A trip begins when the
 * ignition is switched on and ends after `closeAfterMs` with the ignition off. A vehicle that moves although its ignition is never on
 * has trips by its movement, all of them at the end, and the warning NO_IGNITION. Memory does not grow with the
 * snapshots; with `withTrack` it holds the positions of the trips that have not been yielded.
 *
 * @param snapshots Rows of `getSnapshots`, `streamSnapshots` or your own source, of one or several vehicles: an array in any order, or
 * rows that arrive in order of time except for late ones. Rows without vehicle or time and repeated rows are ignored.
 * @param options `onWarning` is told how many snapshots came too late, how many values could not be read, and which vehicles have no ignition.
 * @returns Trips, for each vehicle in the order in which they ended.
 * @throws {InvalidInputError} when an option is invalid; and any error of `snapshots`.
 * @throws {ProtocolError} at the end, when the ignition of no snapshot could be read, or most snapshots came too late.
 */
export function tripsFrom<Track extends boolean = false, Details extends boolean = false>(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  options?: OwnTripOptions<Track, Details>,
): AsyncGenerator<TripOf<Track, Details>, void, undefined> {
  // With `withTrack` every trip has a track, and with `withDetails` its details.
  return readTrips(snapshots, options) as AsyncGenerator<TripOf<Track, Details>, void, undefined>;
}

async function* readTrips(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  options: OwnTripOptions | undefined,
): AsyncGenerator<Trip, void, undefined> {
  const { onWarning, ...limits } = options ?? {};
  const reader = new TripsReader(tripLimits(limits), { isOffBefore: false });
  const rows = Array.isArray(snapshots) ? inTimeOrder(snapshots, timeOfSnapshot) : snapshots;
  yield* tripsRead(rows, reader);
  yield* reader.finish(null);
  for (const warning of reader.warnings()) quietly(onWarning)(warning);
}

function timeOfSnapshot({ timestamp }: TripSnapshot): number | null {
  return timestampMs(timestamp);
}

/** The trips that have ended with these snapshots. */
async function* tripsRead(
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
  readonly trips: VehicleDrives;
  last: TripSnapshot | null;
  lastTime: number;
}

export class TripsReader {
  readonly #limits: TripLimits;
  readonly #vehicles = new Map<string, VehicleState>();
  readonly #isOffBefore: boolean;
  readonly #clip: Clip | null;
  readonly #times = new TimestampReader();
  readonly #readings = new Readings();
  readonly #operation: string | null;
  #taken = 0;
  #tooLate = 0;
  #vehicleId = '';
  #current: VehicleState | null = null;

  /**
   * `isOffBefore`: no trip was in progress before the first snapshot. `operation` names the call in errors. `clip`: only what lies inside of
   * it counts.
   */
  constructor(
    limits: TripLimits,
    {
      isOffBefore,
      operation = null,
      clip = null,
    }: {
      readonly isOffBefore: boolean;
      readonly operation?: string | null;
      readonly clip?: Clip | null;
    },
  ) {
    this.#clip = clip;
    this.#limits = limits;
    this.#operation = operation;
    this.#isOffBefore = isOffBefore;
  }

  /** The trips that have ended with this snapshot, usually none. */
  take(row: TripSnapshot): readonly Trip[] {
    const { timestamp, vehicleId } = row;
    const time = this.#times.read(timestamp);
    if (!vehicleId || time === null) return NO_TRIPS;
    const state = this.#stateOf(vehicleId);
    if (!state.buffer.add(time, row)) {
      this.#tooLate++;
      return NO_TRIPS;
    }
    this.#taken++;
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

  /**
   * The remaining trips, when there are no more snapshots before `until`, or none at all. Throws when the trips would be wrong, because the
   * ignition could not be read or most snapshots came too late.
   */
  finish(until: number | null): readonly Trip[] {
    const trips: Trip[] = [];
    for (const state of this.#vehicles.values()) {
      for (let next = state.buffer.takeAny(); next !== null; next = state.buffer.takeAny()) {
        const trip = takeInOrder(state, next.time, next.row);
        if (trip !== null) trips.push(trip);
      }
      trips.push(...state.trips.finish(until));
    }
    this.#readings.require('ignition', this.#operation);
    if (this.#tooLate > this.#taken) {
      throw new ProtocolError(`${this.#lateness()} Put them in order of time first.`, { operation: this.#operation });
    }
    return trips;
  }

  /** What is known to be missing from the trips. */
  warnings(): readonly Pick<Warning, 'code' | 'message'>[] {
    const late = { code: 'ROWS_OUT_OF_ORDER' as const, message: `${this.#lateness()} They are in no trip.` };
    const ofVehicles = [...this.#vehicles.values()].flatMap(({ trips }) => trips.warning() ?? []);
    return [...this.#readings.warnings(), ...ofVehicles, ...this.#clockWarning(), ...(this.#tooLate > 0 ? [late] : [])];
  }

  #clockWarning(): readonly Pick<Warning, 'code' | 'message'>[] {
    const count = [...this.#vehicles.values()].reduce((sum, { buffer }) => sum + buffer.wrongAhead, 0);
    if (count === 0) return [];
    const snapshots = count === 1 ? '1 snapshot has a time' : `${count} snapshots have times`;
    const message = `${snapshots} a month or more ahead of the snapshots around, as when the clock of a device jumps. They are in no trip.`;
    return [{ code: 'DEVICE_CLOCK', message }];
  }

  #lateness(): string {
    const snapshots = this.#tooLate === 1 ? '1 snapshot' : `${this.#tooLate} snapshots`;
    return `${snapshots} came more than ${this.#limits.lateMs} ms (lateMs) after a later one of the same vehicle.`;
  }

  /**
   * The earliest time that the rest of the trips can be read from, when all snapshots up to `time` have been taken: the start of the trip
   * in progress, or the oldest snapshot that is held back.
   */
  restBegins(time: number): number {
    return Math.min(
      time,
      ...[...this.#vehicles.values()].flatMap(({ buffer, trips }) => [trips.restBegins ?? time, buffer.oldest ?? time]),
    );
  }

  /** The trip in progress of the only vehicle; null when there is none. Call it after `finish`. */
  get underWay(): TripInProgress | null {
    return this.#current?.trips.tripInProgress ?? null;
  }

  /** From when on the snapshots of the only vehicle are needed to read what follows; null when none is. Call it after `finish`. */
  get begins(): number | null {
    return this.#current?.trips.begins ?? null;
  }

  /** Whether the only vehicle had no trip in progress at this time. Call it after `finish`. */
  isParkedAt(time: number): boolean {
    return this.#current?.trips.isParkedAt(time) ?? false;
  }

  #stateOf(vehicleId: string): VehicleState {
    if (this.#current !== null && vehicleId === this.#vehicleId) return this.#current;
    const state = this.#vehicles.get(vehicleId) ?? {
      buffer: new ReorderBuffer<TripSnapshot>(this.#limits.lateMs),
      trips: new VehicleDrives({
        vehicleId,
        limits: this.#limits,
        readings: this.#readings,
        isOffBefore: this.#isOffBefore,
        clip: this.#clip,
      }),
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
  if (last !== null && time === state.lastTime && last.timestamp === row.timestamp && compareRows(last, row) === 0) {
    return null;
  }
  state.last = row;
  state.lastTime = time;
  return state.trips.take(time, row);
}
