// Measures the trips of the reference service against the counters from which it makes rows.
import { tripsFrom } from '../../../src/index.js';
import type { VehicleRecord } from '../../../src/mock/store/tables.js';
import { telemetryVehicleOf } from '../../../src/mock/store/telemetry-vehicle.js';
import { day, type Fleet, tripsBetween } from '../../mock/living-world.js';

/** The error of one source: odometer, positions, or fuel. */
export interface Bias {
  trips: number;
  found: number;
  truth: number;
  /** The largest error of one trip, in the unit of the sums. */
  worst: number;
}

export interface FleetBias {
  readonly odometer: Bias;
  readonly positions: Bias;
  readonly fuel: Bias;
}

/** Returns the error of a source as a share of the truth. */
export function shareOf({ found, truth }: Bias): number {
  return found / truth - 1;
}

/** Compares the trips within these days. */
export async function measureFleet(
  fleet: Fleet,
  vehicles: readonly VehicleRecord[],
  from: number,
  days: number,
): Promise<FleetBias> {
  const none = (): Bias => ({ trips: 0, found: 0, truth: 0, worst: 0 });
  const bias: FleetBias = { odometer: none(), positions: none(), fuel: none() };
  const to = from + days * day;
  for (const vehicle of vehicles) {
    const truths = new Map(
      tripsBetween(fleet, vehicle, from, to).map((truth) => [new Date(truth.start).toISOString(), truth]),
    );
    for await (const trip of tripsFrom(fleet.telemetry.snapshots(telemetryVehicleOf(vehicle), from, to))) {
      const truth = truths.get(trip.startedAt);
      if (truth === undefined || trip.isOpen) continue;
      const by = trip.distanceBy === 'positions' ? bias.positions : bias.odometer;
      add(by, trip.distanceKm, truth.endOdometerKm - truth.startOdometerKm);
      if (trip.fuelUsed !== null) add(bias.fuel, trip.fuelUsed, truth.fuelLitres);
    }
  }
  return bias;
}

function add(bias: Bias, found: number, truth: number): void {
  bias.trips++;
  bias.found += found;
  bias.truth += truth;
  bias.worst = Math.max(bias.worst, Math.abs(found - truth));
}
