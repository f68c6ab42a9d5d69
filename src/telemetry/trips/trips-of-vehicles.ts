// The trips of vehicles, from streams of their snapshots. Reading begins an hour before the period. Where that hour does not say whether a
// vehicle was under way, more is read: of a parked one only what came before, of one under way everything again, from further back. One
// vehicle is the smallest case.
import { FleetError, type VehicleFailure } from '../../core/errors.js';
import type { Warning } from '../../core/hooks.js';
import type { DeviceClocks } from '../device-clocks.js';
import type { Period } from '../period.js';
import type { VehicleRows } from '../streams/snapshot-reader.js';
import type { VehicleInPeriod } from '../streams/vehicles-in-period.js';
import { timestampMs } from '../timestamps.js';
import { AROUND_MS } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { TripsReader } from './trips-from.js';
import type { Clip } from './vehicle-trips.js';

const operation = 'getSnapshots';
const HOUR = 3_600_000;
/** How far before the period reading begins. */
export const FIRST_LOOK_BACK_MS = HOUR;
/** How far to look back for the start of a trip, step by step. A longer trip has `isStartKnown: false`. */
const LOOK_BACK_MS: readonly number[] = [FIRST_LOOK_BACK_MS, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR];
const LONGEST_LOOK_BACK_MS = LOOK_BACK_MS.slice(-1);

/** A vehicle whose trips are read. */
export interface VehicleOfTrips extends VehicleInPeriod {
  /** What is read, at least. */
  readonly period: Period;
  /** Of trips that go beyond it, only what lies inside counts; left out for whole trips. */
  readonly clip?: Clip | undefined;
}

/** Reads the snapshots of vehicles. */
export type ReadSnapshots = (vehicles: readonly VehicleInPeriod[]) => {
  readonly rows: AsyncIterable<VehicleRows>;
  /** No more rows of this vehicle are needed. */
  readonly skip: (vehicleId: string) => void;
};

export interface TripsDependencies {
  readonly read: ReadSnapshots;
  /** The service's time. */
  readonly now: () => number;
  readonly clocks: DeviceClocks;
  readonly warn: (event: Warning) => void;
  readonly onError: (error: VehicleFailure) => void;
  /** Called when all trips of a vehicle have been taken. `until`: from when to read it the next time. */
  readonly onComplete: (vehicleId: string, until: string) => unknown;
}

/** Up to when snapshots are read: those after the period say whether its last trip went on. */
export function endOfClipped({ to }: Period, { silenceMs, closeAfterMs }: TripLimits, now: number): number {
  return Math.max(to, Math.min(to + Math.max(silenceMs, closeAfterMs), now));
}

/** `lookBacks`: not empty. After the last one, the beginning counts as what it seems to be. */
export async function* tripsOfVehicles(
  asked: readonly VehicleOfTrips[],
  limits: TripLimits,
  dependencies: TripsDependencies,
  lookBacks: readonly number[] = LOOK_BACK_MS,
): AsyncGenerator<Trip, void, undefined> {
  const [lookBack = 0, ...longer] = lookBacks;
  const { now, onError } = dependencies;
  const isLast = longer.length === 0;
  const askedById = new Map(asked.map((one) => [one.vehicleId, one]));
  const vehicles = new Map<string, VehicleReading>();
  const supposed = new Map<string, VehicleReading>();
  const underWay: VehicleOfTrips[] = [];
  const unknown: VehicleOfTrips[] = [];
  const { rows: snapshots, skip } = dependencies.read(asked.map((one) => from(one, lookBack)));
  for await (const { vehicleId, rows, end } of snapshots) {
    const one = askedById.get(vehicleId);
    if (one === undefined) continue;
    const vehicle = vehicles.get(vehicleId) ?? new VehicleReading(one, limits, lookBack, isLast);
    vehicles.set(vehicleId, vehicle);
    try {
      // Safe cast: the selection of trips asks for every field of TripSnapshot.
      yield* vehicle.take(rows as readonly TripSnapshot[]);
      if (end !== null && 'error' in end) {
        vehicles.delete(vehicleId);
        onError({ ...end, rowsGiven: vehicle.given, resumeFrom: vehicle.resumeFrom(end.resumeFrom) });
        continue;
      }
      dependencies.clocks.take(operation, vehicleId, rows.at(-1));
      if (end !== null) yield* vehicle.finish(now(), end.until);
      if (vehicle.isUnderWay) {
        skip(vehicleId);
        vehicles.delete(vehicleId);
        underWay.push(one);
        continue;
      }
      if (end !== null) {
        vehicles.delete(vehicleId);
        if (vehicle.isSupposed) supposed.set(vehicleId, vehicle);
        else await complete(vehicleId, vehicle, dependencies);
      } else if (vehicle.isSupposed && asked.length === 1) {
        // Nothing is saved by asking together with other vehicles, and the caller gets its trips as they end.
        for await (const [, wasParked] of beginnings([one], longer, limits, dependencies)) {
          if (wasParked) {
            yield* vehicle.confirm();
            continue;
          }
          skip(vehicleId);
          vehicles.delete(vehicleId);
          (wasParked === null ? unknown : underWay).push(one);
        }
      }
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      skip(vehicleId);
      vehicles.delete(vehicleId);
      onError({ vehicleId, error, rowsGiven: vehicle.given, resumeFrom: one.period.text(one.period.from) });
    }
  }
  const doubtful = asked.filter(({ vehicleId }) => supposed.has(vehicleId));
  for await (const [one, wasParked] of beginnings(doubtful, longer, limits, dependencies)) {
    const { vehicleId } = one;
    const vehicle = supposed.get(vehicleId);
    supposed.delete(vehicleId);
    if (!wasParked) (wasParked === null ? unknown : underWay).push(one);
    else if (vehicle) {
      yield* vehicle.confirm();
      await complete(vehicleId, vehicle, dependencies);
    }
  }
  if (underWay.length > 0) yield* tripsOfVehicles(underWay, limits, dependencies, longer);
  if (unknown.length > 0) yield* tripsOfVehicles(unknown, limits, dependencies, LONGEST_LOOK_BACK_MS);
}

/** The vehicle from this time before its period; to its end, or to this one. */
function from({ vehicleId, period }: VehicleInPeriod, lookBack: number, to = period.to): VehicleInPeriod {
  return { vehicleId, period: { ...period, from: period.from - lookBack, to } };
}

/** All trips of the vehicle have been taken. */
async function complete(
  vehicleId: string,
  vehicle: VehicleReading,
  { warn, onComplete }: TripsDependencies,
): Promise<void> {
  for (const warning of vehicle.warnings()) warn({ ...warning, operation });
  await onComplete(vehicleId, vehicle.until);
}

/** For each vehicle, whether it was parked when the period began; null when even the time of the longest look-back does not say so. */
async function* beginnings(
  vehicles: readonly VehicleOfTrips[],
  lookBacks: readonly number[],
  limits: TripLimits,
  dependencies: TripsDependencies,
): AsyncGenerator<readonly [vehicle: VehicleOfTrips, wasParked: boolean | null], void> {
  const remaining = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  for (const lookBack of lookBacks) {
    if (remaining.size === 0) return;
    for await (const [vehicleId, wasParked] of beginningsWithin(lookBack, remaining, limits, dependencies)) {
      const vehicle = remaining.get(vehicleId);
      if (wasParked === null || vehicle === undefined) continue;
      remaining.delete(vehicleId);
      yield [vehicle, wasParked];
    }
  }
  for (const vehicle of remaining.values()) yield [vehicle, null];
}

/** The same, with null when this look-back does not say so. */
async function* beginningsWithin(
  lookBack: number,
  vehicles: ReadonlyMap<string, VehicleOfTrips>,
  limits: TripLimits,
  { read }: TripsDependencies,
): AsyncGenerator<readonly [vehicleId: string, wasParked: boolean | null], void> {
  const rowsBefore = new Map<string, TripSnapshot[]>();
  const before = [...vehicles.values()].map((vehicle) => from(vehicle, lookBack, vehicle.period.from - 1));
  for await (const { vehicleId, rows, end } of read(before).rows) {
    const own = rowsBefore.get(vehicleId) ?? [];
    // Safe cast: the selection of trips asks for every field of TripSnapshot.
    for (const row of rows) own.push(row as TripSnapshot);
    rowsBefore.set(vehicleId, own);
    if (end === null) continue;
    rowsBefore.delete(vehicleId);
    const begin = vehicles.get(vehicleId)?.period.from;
    // When everything is read again, the error is met again and told.
    if ('error' in end || begin === undefined) yield [vehicleId, false];
    else yield [vehicleId, wasParkedAfter(own, begin, lookBack, limits)];
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

/**
 * The trip that was in progress when the period began, from when on its snapshots are needed, and whether the snapshots before it say where
 * the first trip begins.
 */
function beginningOf(before: readonly TripSnapshot[], from: number, lookBack: number, limits: TripLimits) {
  const reader = new TripsReader(limits, { isOffBefore: false, operation });
  for (const row of before) reader.take(row);
  reader.finish(from);
  const trip = reader.underWay;
  const isSilence = before.length === 0 && lookBack >= limits.silenceMs;
  return { trip, begin: reader.begins ?? from, isKnown: isSilence || (trip?.isWhole ?? reader.isParkedAt(from)) };
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
  readonly #isLast: boolean;
  #before: TripSnapshot[] = [];
  #held: Trip[] = [];
  #readUntil = '';
  /** Null until the time before the period has been read; `under way` when it does not say where the trip in progress began. */
  #reader: TripsReader | 'under way' | null = null;

  /** `isLast`: there is no longer look-back, so the beginning counts as what it seems to be. */
  constructor({ period, clip }: VehicleOfTrips, limits: TripLimits, lookBack: number, isLast: boolean) {
    this.#clip = clip ?? null;
    this.#isLast = isLast;
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

  /** The vehicle must be read again from further back. */
  get isUnderWay(): boolean {
    return this.#reader === 'under way';
  }

  /** The last trips. `readUntil`: up to when the snapshots have been read, as text. */
  finish(now: number, readUntil: string): readonly Trip[] {
    this.#readUntil = readUntil;
    if (this.#reader === null) this.#begin();
    if (!(this.#reader instanceof TripsReader)) return [];
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

  /** From when to read it the next time, as text: a trip in progress again from its start. Call it after `finish`. */
  get until(): string {
    const readUntil = Date.parse(this.#readUntil);
    const end = this.#clip === null ? readUntil : Math.min(readUntil, this.#clip.to);
    const trip = this.#reader instanceof TripsReader ? this.#reader.underWay : null;
    const rest = trip === null ? end : Math.min(end, trip.start);
    return new Date(Math.max(this.#period.from, rest)).toISOString();
  }

  warnings(): readonly Pick<Warning, 'code' | 'message'>[] {
    return this.#reader instanceof TripsReader ? this.#reader.warnings() : [];
  }

  /** Looks for the trip that was in progress when the period began. */
  #begin(): void {
    const { from } = this.#period;
    const before = this.#before;
    this.#before = [];
    const { trip, begin, isKnown } = beginningOf(before, from, this.#lookBack, this.#limits);
    if (!isKnown && trip !== null && !this.#isLast) {
      this.#reader = 'under way';
      return;
    }
    this.isSupposed = !isKnown && !this.#isLast;
    const isOffBefore = isKnown || this.isSupposed;
    this.#reader = new TripsReader(this.#limits, { isOffBefore, operation, clip: this.#clip });
    const first = begin - AROUND_MS;
    this.#read(before.filter((row) => (timestampMs(row.timestamp) ?? Number.NEGATIVE_INFINITY) >= first));
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
