// Converts a vehicle record for the telemetry.

import type { TelemetryVehicle } from '../telemetry/telemetry.js';
import type { VehicleRecord } from './tables.js';

export function telemetryVehicleOf(vehicle: VehicleRecord): TelemetryVehicle {
  return {
    id: vehicle.id,
    kind: vehicle.kind,
    region: vehicle.region,
    place: vehicle.place,
    deviceSince: vehicle.deviceSince,
    deviceUntil: vehicle.deactivated ? vehicle.deactivatedAt : null,
    hasDevice: vehicle.deviceIds.length > 0,
  };
}
