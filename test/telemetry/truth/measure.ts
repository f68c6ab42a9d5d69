// Measures the trips of a device against the truth.
import { FleetError, type Trip, type TripSnapshot, tripsFrom, type WarningEvent } from '../../../src/index.js';
import { rowsOf } from './device.js';
import type { Device } from './devices.js';
import type { TrueTrip } from './route.js';

/** The sums over all trips of a world. */
export interface Sums {
  readonly trips: number;
  readonly km: number;
  readonly movingSeconds: number;
  readonly idleSeconds: number;
  readonly unseenSeconds: number;
  readonly litres: number;
}

export interface Measurement {
  readonly truth: Sums;
  readonly found: Sums;
  /** True when the found trips match the true ones. */
  readonly hasRightTrips: boolean;
  readonly hasRightDrivers: boolean;
  /** False when no trip has fuel. */
  readonly hasFuel: boolean;
  /** The maximum distance error of a trip: a share, or kilometres for a trip below 1 km. */
  readonly worstDistance: number;
  /** The maximum excess of a trip's top speed, as a share of the true one; 0 without excess. */
  readonly worstTopSpeed: number;
  readonly trips: readonly Trip[];
  readonly warnings: readonly Pick<WarningEvent, 'code' | 'message'>[];
  /** The error of reading; null without one. */
  readonly failure: string | null;
}

export async function measure({ name, world, everySeconds, quirks, clockAheadMs = 0 }: Device): Promise<Measurement> {
  // Safe cast: services send values like those of quirks, whatever the contract says.
  const rows = rowsOf(name, world, everySeconds, quirks) as readonly TripSnapshot[];
  const warnings: Pick<WarningEvent, 'code' | 'message'>[] = [];
  const trips: Trip[] = [];
  let failure: string | null = null;
  try {
    // Not as an array, which would be sorted.
    const read = tripsFrom(rows.values(), { onWarning: (warning) => warnings.push(warning) });
    for await (const trip of read) trips.push(trip);
  } catch (error) {
    if (!FleetError.is(error)) throw error;
    failure = error.message;
  }
  const pairs = world.trips.map((truth) => ({
    truth,
    found: trips.filter((trip) => belongs(atTrueTime(trip, clockAheadMs), truth, world.trips)),
  }));
  const sum = <Item>(list: readonly Item[], value: (item: Item) => number) =>
    list.reduce((total, item) => total + value(item), 0);
  return {
    truth: {
      trips: world.trips.length,
      km: sum(world.trips, ({ km }) => km),
      movingSeconds: sum(world.trips, ({ movingSeconds }) => movingSeconds),
      idleSeconds: sum(world.trips, ({ idleSeconds }) => idleSeconds),
      // Nothing is unseen in truth; unseen time reduces one of the other two.
      unseenSeconds: 0,
      litres: sum(world.trips, ({ litres }) => litres),
    },
    found: {
      trips: trips.length,
      km: sum(trips, ({ distanceKm }) => distanceKm),
      movingSeconds: sum(trips, ({ movingSeconds }) => movingSeconds),
      idleSeconds: sum(trips, ({ idleSeconds }) => idleSeconds),
      unseenSeconds: sum(trips, ({ unseenSeconds }) => unseenSeconds),
      litres: sum(trips, ({ fuelUsed }) => fuelUsed ?? 0),
    },
    hasRightTrips: trips.length === world.trips.length && pairs.every(({ found }) => found.length === 1),
    hasRightDrivers: pairs.every(
      ({ truth, found }) =>
        found.length > 0 &&
        sameDrivers(
          truth.driverIds,
          found.flatMap(({ driverIds }) => driverIds),
        ),
    ),
    hasFuel: trips.some(({ fuelUsed }) => fuelUsed !== null),
    worstDistance: Math.max(
      ...pairs.map(({ truth, found }) => {
        const error = Math.abs(sum(found, ({ distanceKm }) => distanceKm) - truth.km);
        return truth.km < 1 ? error : error / truth.km;
      }),
    ),
    worstTopSpeed: Math.max(
      0,
      ...pairs.flatMap(({ truth, found }) =>
        truth.topSpeedKmh === 0 ? [] : found.map(({ topSpeedKmh }) => (topSpeedKmh ?? 0) / truth.topSpeedKmh - 1),
      ),
    ),
    trips,
    warnings,
    failure,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function atTrueTime({ startedAt, endedAt, lastSeenAt }: Trip, clockAheadMs: number): Span {
  return { start: Date.parse(startedAt) - clockAheadMs, end: Date.parse(endedAt ?? lastSeenAt) - clockAheadMs };
}

/** Returns true when this true trip shares the most time with the trip. */
function belongs(trip: Span, truth: TrueTrip, all: readonly TrueTrip[]): boolean {
  const shared = commonMs(trip, truth);
  return shared > 0 && all.every((other) => commonMs(trip, other) <= shared);
}

function commonMs(one: Span, other: Span): number {
  return Math.min(one.end, other.end) - Math.max(one.start, other.start);
}

/** Some devices write `driver-2`, some 2. */
function sameDrivers(truth: readonly string[], found: readonly string[]): boolean {
  return [...new Set(found)].map((id) => `driver-${id.replace('driver-', '')}`).join() === truth.join();
}
