// The trips of vehicles, from streams of their snapshots. Reading begins an hour before the period. Where that hour does not say whether a
// vehicle was under way, more is read: of a parked one only what came before, of one under way everything again, from further back. One
// vehicle is the smallest case.
import { FleetError, type VehicleFailure } from '../../core/errors.js';
import type { Warning } from '../../core/hooks.js';
import type { Period } from '../period.js';
import type { VehicleRows } from '../streams/snapshot-reader.js';
import { timestampMs } from '../timestamps.js';
import type { DeviceClocks } from './device-clocks.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { TripsReader } from './trips-from.js';
import type { Clip } from './vehicle-trips.js';

const operation = 'getSnapshots';
const HOUR = 3_600_000;
/** How far to look back for the start of a trip, step by step. A longer trip has `isStartKnown: false`. */
const LOOK_BACK_MS: readonly number[] = [HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR];
const LONGEST_LOOK_BACK_MS = LOOK_BACK_MS.slice(-1);

/** Reads the snapshots of vehicles between two times in milliseconds, both included. */
export type ReadSnapshots = (
  vehicleIds: readonly string[],
  from: number,
  to: number,
) => {
  readonly rows: AsyncIterable<VehicleRows>;
  /** No more rows of this vehicle are needed. */
  readonly skip: (vehicleId: string) => void;
};

export interface TripsDependencies {
  readonly read: ReadSnapshots;
  /** Of trips that go beyond it, only what lies inside counts; null for whole trips. */
  readonly clip: Clip | null;
  /** The service's time. */
  readonly now: () => number;
  readonly clocks: DeviceClocks;
  readonly warn: (event: Warning) => void;
  readonly onError: (error: VehicleFailure) => void;
  /** Called when all trips of a vehicle have been taken. */
  readonly onComplete: (vehicleId: string) => void;
}

/** Up to when snapshots are read: those after the period say whether its last trip went on. */
export function endOfClipped({ to }: Period, { silenceMs, closeAfterMs }: TripLimits, now: number): number {
  return Math.max(to, Math.min(to + Math.max(silenceMs, closeAfterMs), now));
}

/** `period` is what is read, at least. `lookBacks`: not empty. After the last one, the beginning counts as what it seems to be. */
export async function* tripsOfVehicles(
  vehicleIds: readonly string[],
  period: Period,
  limits: TripLimits,
  dependencies: TripsDependencies,
  lookBacks: readonly number[] = LOOK_BACK_MS,
): AsyncGenerator<Trip, void, undefined> {
  const [lookBack = 0, ...longer] = lookBacks;
  const { from, to } = period;
  const { clip, now, onError } = dependencies;
  const isLast = longer.length === 0;
  const vehicles = new Map<string, VehicleReading>();
  const supposed = new Map<string, VehicleReading>();
  const underWay: string[] = [];
  const unknown: string[] = [];
  const { rows: snapshots, skip } = dependencies.read(vehicleIds, from - lookBack, to);
  for await (const { vehicleId, rows, end } of snapshots) {
    const vehicle = vehicles.get(vehicleId) ?? new VehicleReading(period, limits, lookBack, clip, isLast);
    vehicles.set(vehicleId, vehicle);
    try {
      // Safe cast: the selection of trips asks for every field of TripSnapshot.
      yield* vehicle.take(rows as readonly TripSnapshot[]);
      if (end !== null && end !== 'complete') {
        vehicles.delete(vehicleId);
        onError({ ...end, rowsGiven: vehicle.given, resumeFrom: vehicle.resumeFrom(end.resumeFrom) });
        continue;
      }
      dependencies.clocks.take(vehicleId, rows.at(-1));
      if (end === 'complete') yield* vehicle.finish(now());
      if (vehicle.isUnderWay) {
        skip(vehicleId);
        vehicles.delete(vehicleId);
        underWay.push(vehicleId);
        continue;
      }
      if (end === 'complete') {
        vehicles.delete(vehicleId);
        if (vehicle.isSupposed) supposed.set(vehicleId, vehicle);
        else complete(vehicleId, vehicle, dependencies);
      } else if (vehicle.isSupposed && vehicleIds.length === 1) {
        // Nothing is saved by asking together with other vehicles, and the caller gets its trips as they end.
        for await (const [, wasParked] of beginnings(vehicleIds, from, longer, limits, dependencies)) {
          if (wasParked) {
            yield* vehicle.confirm();
            continue;
          }
          skip(vehicleId);
          vehicles.delete(vehicleId);
          (wasParked === null ? unknown : underWay).push(vehicleId);
        }
      }
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      skip(vehicleId);
      vehicles.delete(vehicleId);
      onError({ vehicleId, error, rowsGiven: vehicle.given, resumeFrom: period.text(from) });
    }
  }
  for await (const [vehicleId, wasParked] of beginnings([...supposed.keys()], from, longer, limits, dependencies)) {
    const vehicle = supposed.get(vehicleId);
    supposed.delete(vehicleId);
    if (!wasParked) (wasParked === null ? unknown : underWay).push(vehicleId);
    else if (vehicle) {
      yield* vehicle.confirm();
      complete(vehicleId, vehicle, dependencies);
    }
  }
  if (underWay.length > 0) yield* tripsOfVehicles(underWay, period, limits, dependencies, longer);
  if (unknown.length > 0) yield* tripsOfVehicles(unknown, period, limits, dependencies, LONGEST_LOOK_BACK_MS);
}

/** All trips of the vehicle have been taken. */
function complete(vehicleId: string, vehicle: VehicleReading, { warn, onComplete }: TripsDependencies): void {
  for (const warning of vehicle.warnings()) warn({ ...warning, operation });
  onComplete(vehicleId);
}

/** For each vehicle, whether it was parked when the period began; null when even the time of the longest look-back does not say so. */
async function* beginnings(
  vehicleIds: readonly string[],
  from: number,
  lookBacks: readonly number[],
  limits: TripLimits,
  dependencies: TripsDependencies,
): AsyncGenerator<readonly [vehicleId: string, wasParked: boolean | null], void> {
  const remaining = new Set(vehicleIds);
  for (const lookBack of lookBacks) {
    if (remaining.size === 0) return;
    for await (const [vehicleId, wasParked] of beginningsWithin(lookBack, [...remaining], from, limits, dependencies)) {
      if (wasParked === null) continue;
      remaining.delete(vehicleId);
      yield [vehicleId, wasParked];
    }
  }
  for (const vehicleId of remaining) yield [vehicleId, null];
}

/** The same, with null when this look-back does not say so. */
async function* beginningsWithin(
  lookBack: number,
  vehicleIds: readonly string[],
  from: number,
  limits: TripLimits,
  { read }: TripsDependencies,
): AsyncGenerator<readonly [vehicleId: string, wasParked: boolean | null], void> {
  const rowsBefore = new Map<string, TripSnapshot[]>();
  for await (const { vehicleId, rows, end } of read(vehicleIds, from - lookBack, from - 1).rows) {
    const before = rowsBefore.get(vehicleId) ?? [];
    // Safe cast: the selection of trips asks for every field of TripSnapshot.
    for (const row of rows) before.push(row as TripSnapshot);
    rowsBefore.set(vehicleId, before);
    if (end === null) continue;
    rowsBefore.delete(vehicleId);
    // When everything is read again, the error is met again and told.
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
  /** Null until the time before the period has been read; `under way` when it does not say where the trip in progress began. */
  #reader: TripsReader | 'under way' | null = null;

  /** `isLast`: there is no longer look-back, so the beginning counts as what it seems to be. */
  constructor(period: Period, limits: TripLimits, lookBack: number, clip: Clip | null, isLast: boolean) {
    this.#clip = clip;
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

  /** The last trips. */
  finish(now: number): readonly Trip[] {
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
