// A vehicle as the list operations return it, and with the place that commands add.
import type { FleetClient } from '../../index.js';
import type { PlaceFields } from './place.js';

export type VehicleRow = Awaited<ReturnType<FleetClient['getVehicles']>>[number];

/** With the place of its last position. */
export interface PlacedVehicle extends VehicleRow, PlaceFields {}
