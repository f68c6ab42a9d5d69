// Measures the trips of a device against the truth.
import { FleetError, type Trip, type TripSnapshot, tripsFrom, type WarningEvent } from '../../../src/index.js';
import { rowsOf } from './device.js';
import type { Device } from './devices.js';
import type { TrueTrip } from './route.js';

/** Sums over all trips of a world. */
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
  /** Whether each true trip was found as one trip, and nothing else. */
  readonly hasRightTrips: boolean;
  readonly hasRightDrivers: boolean;
  /** False when no trip has fuel. */
  readonly hasFuel: boolean;
  /** The largest error of the distance of one trip, as a share of its true distance; of a trip of less than a kilometre, in kilometres. */
  readonly worstDistance: number;
  /** By how much a trip's top speed is above the true one, as a share of it; 0 when none is. */
  readonly worstTopSpeed: number;
  readonly trips: readonly Trip[];
  readonly warnings: readonly Pick<WarningEvent, 'code' | 'message'>[];
  /** Why the trips could not be read to the end; null when they were. */
  readonly failure: string | null;
}

export async function measure({ name, world, everySeconds, quirks, clockAheadMs = 0 }: Device): Promise<Measurement> {
  // Safe cast: what a quirk puts into a row is what services send, whatever the contract says.
  const rows = rowsOf(name, world, everySeconds, quirks) as readonly TripSnapshot[];
  const warnings: Pick<WarningEvent, 'code' | 'message'>[] = [];
  const trips: Trip[] = [];
  let failure: string | null = null;
  try {
    // Not as an array, which would be put in order.
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
      // Nothing happens unseen; what a device does not see is lost to one of the other two.
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

/** Whether the trip is about this one of the true trips: the one with which it has most time in common. */
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
