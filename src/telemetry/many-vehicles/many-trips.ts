// The trips of many vehicles, from one stream of their snapshots. It begins an hour before the period. Where that hour does not say whether a
// vehicle was under way, more is read: of a parked one only what came before, of one under way everything again, from further back. So each
// vehicle has the same trips as in a stream of its own.
import { FleetError, type VehicleError } from '../../core/errors.js';
import type { WarningEvent } from '../../core/hooks.js';
import type { Period } from '../period.js';
import { timestampMs } from '../timestamps.js';
import { isBeginningKnown, LOOK_BACK_MS } from '../trips/stream-trips.js';
import type { Trip, TripSnapshot } from '../trips/trip.js';
import type { TripLimits } from '../trips/trip-limits.js';
import { TripsReader } from '../trips/trips-from.js';
import type { Clip } from '../trips/vehicle-trips.js';
import type { VehicleRows } from './many-snapshots.js';

const operation = 'getSnapshots';

export interface ManyTripsDependencies {
  /** The snapshots of these vehicles between two times in milliseconds, in few requests. */
  readonly readMany: (vehicleIds: readonly string[], from: number, to: number) => AsyncIterable<VehicleRows>;
  /** The trips of one vehicle in the period, in a stream of its own. */
  readonly readAlone: (vehicleId: string) => AsyncIterable<Trip>;
  /** Of trips that go beyond it, only what lies inside counts; null for whole trips. */
  readonly clip: Clip | null;
  /** The service's time. */
  readonly now: () => number;
  readonly warn: (event: WarningEvent) => void;
  readonly onError: (error: VehicleError) => void;
  /** Called when all trips of a vehicle have been taken. */
  readonly onComplete: (vehicleId: string) => void;
}

/** `period` is what is read, at least. `lookBacks`: how far to look back for the start of a trip, step by step. */
export async function* tripsOfMany(
  vehicleIds: readonly string[],
  period: Period,
  limits: TripLimits,
  dependencies: ManyTripsDependencies,
  lookBacks: readonly number[] = LOOK_BACK_MS,
): AsyncGenerator<Trip, void, undefined> {
  const [span, ...longer] = lookBacks;
  if (span === undefined) {
    for (const vehicleId of vehicleIds) yield* tripsAlone(vehicleId, period, dependencies);
    return;
  }
  const { from, to } = period;
  const vehicles = new Map<string, VehicleReading>();
  const parked = new Map<string, VehicleReading>();
  const underWay: string[] = [];
  for await (const { vehicleId, rows, end } of dependencies.readMany(vehicleIds, from - span, to)) {
    const vehicle = vehicles.get(vehicleId) ?? new VehicleReading(period, limits, span, dependencies.clip);
    vehicles.set(vehicleId, vehicle);
    try {
      // The selection of trips has what a snapshot of a trip has.
      yield* vehicle.take(rows as readonly TripSnapshot[]);
      if (end === null) continue;
      vehicles.delete(vehicleId);
      if (end !== 'complete') {
        dependencies.onError({ ...end, rowsGiven: vehicle.given, resumeFrom: vehicle.resumeFrom(end.resumeFrom) });
        continue;
      }
      const last = vehicle.finish(dependencies.now());
      if (last === null) {
        underWay.push(vehicleId);
        continue;
      }
      yield* last;
      if (vehicle.isSupposed) parked.set(vehicleId, vehicle);
      else complete(vehicleId, vehicle, dependencies);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      vehicles.delete(vehicleId);
      dependencies.onError({ vehicleId, error, rowsGiven: vehicle.given, resumeFrom: period.text(from) });
    }
  }
  for (const lookBack of longer) {
    if (parked.size === 0) break;
    for await (const [vehicleId, wasParked] of beginnings([...parked.keys()], from, lookBack, limits, dependencies)) {
      if (wasParked === null) continue;
      const vehicle = parked.get(vehicleId);
      parked.delete(vehicleId);
      if (!wasParked) underWay.push(vehicleId);
      else if (vehicle) {
        yield* vehicle.confirm();
        complete(vehicleId, vehicle, dependencies);
      }
    }
  }
  for (const vehicleId of parked.keys()) yield* tripsAlone(vehicleId, period, dependencies);
  if (underWay.length > 0) yield* tripsOfMany(underWay, period, limits, dependencies, longer);
}

/** All trips of the vehicle have been taken. */
function complete(vehicleId: string, vehicle: VehicleReading, { warn, onComplete }: ManyTripsDependencies): void {
  for (const warning of vehicle.warnings()) warn({ ...warning, operation });
  onComplete(vehicleId);
}

/** For each vehicle, whether it was parked when the period began; null when that much time before it does not say so. */
async function* beginnings(
  vehicleIds: readonly string[],
  from: number,
  lookBack: number,
  limits: TripLimits,
  { readMany }: ManyTripsDependencies,
): AsyncGenerator<readonly [vehicleId: string, wasParked: boolean | null], void> {
  const rowsBefore = new Map<string, TripSnapshot[]>();
  for await (const { vehicleId, rows, end } of readMany(vehicleIds, from - lookBack, from - 1)) {
    const before = rowsBefore.get(vehicleId) ?? [];
    // The selection of trips has what a snapshot of a trip has.
    for (const row of rows) before.push(row as TripSnapshot);
    rowsBefore.set(vehicleId, before);
    if (end === null) continue;
    rowsBefore.delete(vehicleId);
    // A stream of its own meets the error again and reports it.
    if (end !== 'complete') yield [vehicleId, false];
    else yield [vehicleId, wasParkedAfter(before, from, lookBack, limits)];
  }
}

function wasParkedAfter(
  before: readonly TripSnapshot[],
  from: number,
  lookBack: number,
  limits: TripLimits,
): boolean | null {
  try {
    const { trip, isKnown } = beginningOf(before, from, lookBack, limits);
    return trip !== null ? false : isKnown ? true : null;
  } catch (error) {
    if (error instanceof FleetError) return false;
    throw error;
  }
}

/** The trip that was in progress when the period began, and whether the snapshots before it say where the first trip begins. */
function beginningOf(before: readonly TripSnapshot[], from: number, lookBack: number, limits: TripLimits) {
  const reader = new TripsReader(limits, { isOffBefore: false, operation });
  for (const row of before) reader.take(row);
  reader.finish(from);
  const isSilence = before.length === 0 && lookBack >= limits.silenceMs;
  return { trip: reader.underWay, isKnown: isSilence || isBeginningKnown(reader, from) };
}

async function* tripsAlone(
  vehicleId: string,
  period: Period,
  { readAlone, onError, onComplete }: ManyTripsDependencies,
): AsyncGenerator<Trip, void, undefined> {
  try {
    yield* readAlone(vehicleId);
    onComplete(vehicleId);
  } catch (error) {
    if (!(error instanceof FleetError) || error.code === 'ABORTED') throw error;
    const resumeFrom = error.resumeFrom ?? period.text(period.from);
    onError({ vehicleId, error, rowsGiven: error.rowsGiven ?? 0, resumeFrom });
  }
}

/** The trips of one vehicle while its snapshots arrive: first the time before the period, then the period. */
class VehicleReading {
  given = 0;
  /**
   * Nothing says yet that the vehicle was parked when the period began, only nothing says the opposite. Its trips are held back until
   * that is confirmed.
   */
  isSupposed = false;
  readonly #period: Period;
  readonly #limits: TripLimits;
  readonly #lookBack: number;
  readonly #clip: Clip | null;
  #before: TripSnapshot[] = [];
  #held: Trip[] = [];
  /** Null until the time before the period has been read; `under way` when it does not say where the trip in progress began. */
  #reader: TripsReader | 'under way' | null = null;

  constructor(period: Period, limits: TripLimits, lookBack: number, clip: Clip | null) {
    this.#clip = clip;
    this.#period = period;
    this.#limits = limits;
    this.#lookBack = lookBack;
  }

  /** The trips that have ended with these rows. */
  take(rows: readonly TripSnapshot[]): readonly Trip[] {
    let at = 0;
    if (this.#reader === null) {
      at = rows.findIndex((row) => (timestampMs(row.timestamp) ?? 0) >= this.#period.from);
      this.#before.push(...(at < 0 ? rows : rows.slice(0, at)));
      if (at < 0) return [];
      this.#begin();
    }
    return this.#read(rows.slice(at));
  }

  /** The last trips; null when the vehicle must be read again from further back. */
  finish(now: number): readonly Trip[] | null {
    if (this.#reader === null) this.#begin();
    if (this.#reader === 'under way' || this.#reader === null) return null;
    const { from, to } = this.#period;
    const last = this.#reader.finish(Math.min(to, now));
    const offSince = this.#reader.underWay?.offSince ?? null;
    // The ignition went off before the period, so an open trip has nothing in the period.
    return this.#deliver(offSince !== null && offSince < from ? last.filter(({ isOpen }) => !isOpen) : last);
  }

  /** The vehicle was parked when the period began: the trips that were held back. */
  confirm(): readonly Trip[] {
    this.isSupposed = false;
    return this.#deliver(this.#held.splice(0));
  }

  /** From when the trips can be read again, when the snapshots have been read up to a time. */
  resumeFrom(readUntil: string): string {
    const { from } = this.#period;
    const reader = this.#reader;
    const rest = reader instanceof TripsReader && !this.isSupposed ? reader.restBegins(Date.parse(readUntil)) : from;
    return this.#period.text(Math.max(from, rest));
  }

  warnings(): readonly Pick<WarningEvent, 'code' | 'message'>[] {
    return this.#reader instanceof TripsReader ? this.#reader.warnings() : [];
  }

  /** Looks for the trip that was in progress when the period began, as a stream of one vehicle does. */
  #begin(): void {
    const { from } = this.#period;
    const before = this.#before;
    this.#before = [];
    const { trip, isKnown } = beginningOf(before, from, this.#lookBack, this.#limits);
    if (!isKnown && trip !== null) {
      this.#reader = 'under way';
      return;
    }
    this.isSupposed = !isKnown;
    this.#reader = new TripsReader(this.#limits, { isOffBefore: true, operation, clip: this.#clip });
    const begin = Math.min(trip?.start ?? from, from);
    this.#read(before.filter((row) => (timestampMs(row.timestamp) ?? Number.NEGATIVE_INFINITY) >= begin));
  }

  #read(rows: readonly TripSnapshot[]): readonly Trip[] {
    if (!(this.#reader instanceof TripsReader)) return [];
    return this.#deliver(this.#reader.takeAll(rows));
  }

  #deliver(trips: readonly Trip[]): readonly Trip[] {
    const inside = trips.filter(({ endedAt }) => endedAt === null || Date.parse(endedAt) >= this.#period.from);
    if (this.isSupposed) {
      this.#held.push(...inside);
      return [];
    }
    this.given += inside.length;
    return inside;
  }
}
