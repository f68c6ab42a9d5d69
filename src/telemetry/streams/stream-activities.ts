// The streams of trips and stops, of one vehicle or many, on top of streams of snapshots.
import { streamError, type VehicleFailure } from '../../core/errors.js';
import { type FleetStream, GeneratorStream } from '../../core/generator-stream.js';
import type { Activity, ActivityKind } from '../activities/activity.js';
import {
  activitiesOfVehicles,
  endOfReading,
  FIRST_LOOK_BACK_MS,
  type FinishedVehicle,
  type ReadSnapshots,
} from '../activities/read-activities.js';
import { DeviceClocks } from '../device-clocks.js';
import type { SnapshotReader } from './snapshot-reader.js';
import { type StreamDependencies, type StreamOptions, snapshotReader, VehicleFailures } from './stream-snapshots.js';
import {
  isForManyVehicles,
  readVehicles,
  type VehicleInPeriod,
  type VehiclePeriod,
  type VehiclesInPeriod,
  type VehiclesPeriod,
} from './vehicles-in-period.js';

export interface ActivityReading<Found extends Activity> {
  /** For messages: "streamTrips". */
  readonly caller: string;
  readonly kind: ActivityKind<Found>;
  readonly clip: boolean;
  /** The time of the service. */
  readonly now: () => number;
}

/**
 * Returns the trips or stops of vehicles. Sends no request before the first item is requested.
 * @throws {InvalidInputError} when a vehicle or the period is invalid.
 */
export function streamActivities<Found extends Activity>(
  variables: VehiclePeriod | VehiclesPeriod,
  options: StreamOptions,
  reading: ActivityReading<Found>,
  dependencies: StreamDependencies,
): FleetStream<Found> {
  const { caller, kind } = reading;
  const vehicles = readVehicles(caller, variables);
  // An own start is mostly that of the activity in progress, so a short look-back confirms it.
  const hasOwnStarts = isForManyVehicles(variables) && (variables.vehicles ?? null) !== null;
  const lookBacks = hasOwnStarts ? [...new Set([FIRST_LOOK_BACK_MS, ...kind.lookBacksMs])] : kind.lookBacksMs;
  const read = (ended: AbortSignal) => readActivities(vehicles, lookBacks, options, reading, dependencies, ended);
  return new GeneratorStream(caller, read);
}

async function* readActivities<Found extends Activity>(
  { vehicles, singleId }: VehiclesInPeriod,
  lookBacks: readonly number[],
  options: StreamOptions,
  { caller, kind, clip, now }: ActivityReading<Found>,
  dependencies: StreamDependencies,
  ended: AbortSignal,
): AsyncGenerator<Found, void, undefined> {
  const failed = singleId === null ? new VehicleFailures(caller, options.onEvent) : new FailedVehicle(kind.noun);
  const readers: SnapshotReader[] = [];
  const read: ReadSnapshots = (some) => {
    const all = { vehicles: some, singleId };
    const reader = snapshotReader(all, { ...options, select: kind.select }, dependencies, kind.purpose);
    ended.addEventListener('abort', () => reader.stop());
    if (ended.aborted) reader.stop();
    readers.push(reader);
    return { rows: reader.read(), skip: (vehicleId) => reader.skip(vehicleId) };
  };
  const clipped = ({ vehicleId, period }: VehicleInPeriod) => ({
    vehicleId,
    period: { ...period, to: endOfReading(period, kind, now()) },
    clip: period,
  });
  const { serviceTime } = dependencies;
  const activityDependencies = {
    read,
    now,
    // Rows may arrive long after the start of the stream.
    clocks: new DeviceClocks(() => serviceTime.at(serviceTime.localNow()), dependencies.notifier.warning),
    warn: dependencies.notifier.warning,
    onFailure: (failure: VehicleFailure) => failed.add(failure),
    onComplete: (complete: FinishedVehicle) => options.onEvent?.({ type: 'complete', ...complete }),
  };
  try {
    yield* activitiesOfVehicles(clip ? vehicles.map(clipped) : vehicles, kind, activityDependencies, lookBacks);
    failed.throwIfAny();
  } finally {
    for (const reader of readers) reader.stop();
  }
}

/** The failure of a single vehicle: the stream throws its error. */
class FailedVehicle {
  readonly #noun: string;
  #failed: VehicleFailure | null = null;

  constructor(noun: string) {
    this.#noun = noun;
  }

  add(failed: VehicleFailure): void {
    this.#failed = failed;
  }

  throwIfAny(): void {
    if (this.#failed === null) return;
    const { error, rowsGiven } = this.#failed;
    throw streamError(error, `${error.message} ${rowsGiven} ${this.#noun}s were delivered before.`, this.#failed);
  }
}
