// The streams of trips as a caller gets them, of one vehicle or of many, from streams of their snapshots.
import { streamError, type VehicleFailure } from '../../core/errors.js';
import type { FleetStream } from '../../core/fleet-stream.js';
import { GeneratorStream } from '../../core/generator-stream.js';
import { DeviceClocks } from '../device-clocks.js';
import type { Trip } from '../trips/trip.js';
import type { TripLimits } from '../trips/trip-limits.js';
import { detailedTripSelection, tripSelection } from '../trips/trip-selection.js';
import { endOfClipped, type ReadSnapshots, tripsOfVehicles } from '../trips/trips-of-vehicles.js';
import type { SnapshotReader } from './snapshot-reader.js';
import { type StreamDependencies, type StreamOptions, snapshotReader, VehicleFailures } from './stream-snapshots.js';
import {
  readVehicles,
  type VehicleInPeriod,
  type VehiclePeriod,
  type VehiclesInPeriod,
  type VehiclesPeriod,
} from './vehicles-in-period.js';

export interface TripReading {
  readonly limits: TripLimits;
  readonly clip: boolean;
  /** The service's time. */
  readonly now: () => number;
}

/**
 * Sends nothing before the first trip is requested.
 * @throws {InvalidInputError} when a vehicle or the period is invalid.
 */
export function streamTrips(
  variables: VehiclePeriod | VehiclesPeriod,
  options: StreamOptions,
  reading: TripReading,
  dependencies: StreamDependencies,
): FleetStream<Trip> {
  const vehicles = readVehicles('streamTrips', variables);
  return new GeneratorStream('streamTrips', (ended) => readTrips(vehicles, options, reading, dependencies, ended));
}

async function* readTrips(
  { vehicles, only }: VehiclesInPeriod,
  options: StreamOptions,
  { limits, clip, now }: TripReading,
  dependencies: StreamDependencies,
  ended: AbortSignal,
): AsyncGenerator<Trip, void, undefined> {
  const failed = only === null ? new VehicleFailures('streamTrips', options.onError) : new FailedVehicle();
  const readers: SnapshotReader[] = [];
  const read: ReadSnapshots = (some) => {
    const all = { vehicles: some, only };
    const [select, purpose] = limits.withDetails
      ? ([detailedTripSelection, 'detailedTrips'] as const)
      : ([tripSelection, 'trips'] as const);
    const reader = snapshotReader(all, { ...options, select }, dependencies, purpose);
    ended.addEventListener('abort', () => reader.stop());
    if (ended.aborted) reader.stop();
    readers.push(reader);
    return { rows: reader.read(), skip: (vehicleId) => reader.skip(vehicleId) };
  };
  const clipped = ({ vehicleId, period }: VehicleInPeriod) => ({
    vehicleId,
    period: { ...period, to: endOfClipped(period, limits, now()) },
    clip: period,
  });
  try {
    yield* tripsOfVehicles(clip ? vehicles.map(clipped) : vehicles, limits, {
      read,
      now,
      clocks: new DeviceClocks(now, dependencies.notifier.warning),
      warn: dependencies.notifier.warning,
      onError: (error) => failed.add(error),
      onComplete: options.onComplete ?? (() => undefined),
    });
    failed.throwIfAny();
  } finally {
    for (const reader of readers) reader.stop();
  }
}

/** The only vehicle of a stream: its error is the stream's. */
class FailedVehicle {
  #failed: VehicleFailure | null = null;

  add(failed: VehicleFailure): void {
    this.#failed = failed;
  }

  throwIfAny(): void {
    if (this.#failed === null) return;
    const { error, rowsGiven } = this.#failed;
    throw streamError(error, `${error.message} ${rowsGiven} trips were delivered before.`, this.#failed);
  }
}
