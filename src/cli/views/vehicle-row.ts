// A vehicle as the list operations return it, and with the place that commands add.
import type { FleetClient } from '../../index.js';
import type { PlaceFields } from './place.js';
import type { VehicleDay } from './vehicle-day.js';

export type VehicleRow = Awaited<ReturnType<FleetClient['getVehicles']>>[number];

/** With the place of its last position. */
export interface PlacedVehicle extends VehicleRow, PlaceFields {}

/** With what one vehicle on a terminal is shown with beside it. */
export interface VehicleInDetail extends PlacedVehicle {
  /** The name of the driver whom the last snapshot identifies, or else the id. */
  readonly driver?: string | null;
  /** In the tank, by the last snapshot. */
  readonly fuel?: number | null;
  readonly day?: VehicleDay | null;
}
