// The type of a vehicle as the list operations return it.
import type { FleetClient } from '../../index.js';

export type VehicleRow = Awaited<ReturnType<FleetClient['getVehicles']>>[number];
