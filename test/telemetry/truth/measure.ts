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
  readonly trips: readonly Trip[];
  readonly warnings: readonly Pick<WarningEvent, 'code' | 'message'>[];
  /** Why the trips could not be read to the end; null when they were. */
  readonly failure: string | null;
}

export async function measure({ name, world, everySeconds, quirks }: Device): Promise<Measurement> {
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
    found: trips.filter((trip) => belongs(trip, truth, world.trips)),
  }));
  const sum = <Item>(list: readonly Item[], value: (item: Item) => number) =>
    list.reduce((total, item) => total + value(item), 0);
  return {
    truth: {
      trips: world.trips.length,
      km: sum(world.trips, ({ km }) => km),
      movingSeconds: sum(world.trips, ({ movingSeconds }) => movingSeconds),
      idleSeconds: sum(world.trips, ({ idleSeconds }) => idleSeconds),
      litres: sum(world.trips, ({ litres }) => litres),
    },
    found: {
      trips: trips.length,
      km: sum(trips, ({ distanceKm }) => distanceKm),
      movingSeconds: sum(trips, ({ movingSeconds }) => movingSeconds),
      idleSeconds: sum(trips, ({ idleSeconds }) => idleSeconds),
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
    trips,
    warnings,
    failure,
  };
}

/** Whether the trip is about this one of the true trips: the one with which it has most time in common. */
function belongs(trip: Trip, truth: TrueTrip, all: readonly TrueTrip[]): boolean {
  const shared = commonMs(trip, truth);
  return shared > 0 && all.every((other) => commonMs(trip, other) <= shared);
}

function commonMs(trip: Trip, truth: TrueTrip): number {
  return (
    Math.min(Date.parse(trip.endedAt ?? trip.lastSeenAt), truth.end) - Math.max(Date.parse(trip.startedAt), truth.start)
  );
}

function sameDrivers(truth: readonly string[], found: readonly string[]): boolean {
  return [...new Set(found)].map((id) => `driver-${id.replace('driver-', '')}`).join() === truth.join();
}
