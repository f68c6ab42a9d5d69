// @ts-check
// Queries for vehicles and snapshots: as `select` for the SDK, as documents for other clients.

/** The eight plain fields of a vehicle, about 200 bytes. */
export const small = /** @type {const} */ ({
  id: true,
  name: true,
  vin: true,
  licensePlate: true,
  make: true,
  model: true,
  year: true,
  deactivated: true,
});

/** Fields that make a thousand vehicles about 400 KB. */
export const medium = /** @type {const} */ ({
  ...small,
  fleetId: true,
  createdAt: true,
  updatedAt: true,
  vehicleType: { id: true, name: true },
});

/** The snapshot fields that trackers send most. */
export const snapshotFields = /** @type {const} */ ({
  timestamp: true,
  gps: { latitude: true, longitude: true, direction: true, altitude: true, speed: true, satellites: true },
  ignition: { engineStatus: true },
  canBus: { canrpm: true, canDistance: true, canFuel: true, canEngineCoolantTemperature: true },
  driver: { driverId: true },
  driverBehaviour: { driverBehaviourType: true, driverBehaviourValue: true },
});

/** @param {object} select @returns {string} */
const text = (select) =>
  `{ ${Object.entries(select)
    .map(([name, below]) => (below === true ? name : `${name} ${text(below)}`))
    .join(' ')} }`;

export const byIdDocument = `query getVehicleById($id: UUID!) { getVehicleById(id: $id) ${text(small)} }`;
export const listDocument = `query getVehicles { getVehicles ${text(medium)} }`;
export const snapshotDocument = `query getSnapshots($vehicleId: UUID!, $from: DateTime!, $to: DateTime!) {
  getSnapshots(vehicleId: $vehicleId, from: $from, to: $to) ${text(snapshotFields)}
}`;
