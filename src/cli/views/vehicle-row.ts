// Types of a vehicle in the output: as the list operations return it, and with added fields.
import type { FleetClient } from '../../index.js';
import type { LocatedFields } from './place.js';
import type { VehicleDay } from './vehicle-day.js';

export type VehicleRow = Awaited<ReturnType<FleetClient['getVehicles']>>[number];

export interface PlacedVehicle extends VehicleRow, LocatedFields {}

/** A single vehicle with the additional values of its details on a terminal. */
export interface VehicleInDetail extends PlacedVehicle {
  /** The driver in the last snapshot: the name, else the id. */
  readonly driver?: string | null;
  /** Fuel in the tank in the last snapshot. */
  readonly fuel?: number | null;
  readonly day?: VehicleDay | null;
}
