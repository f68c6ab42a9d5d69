// @ts-check
// The queries for vehicles and snapshots, defined once: as `select` for the SDK and as a document for the other clients.

/** The eight plain fields of a vehicle: an answer of about 200 bytes. */
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

/** As much of a vehicle as makes a thousand of them about 400 KB. */
export const medium = /** @type {const} */ ({
  ...small,
  fleetId: true,
  createdAt: true,
  updatedAt: true,
  vehicleType: { id: true, name: true },
});

/** The dozen members of a snapshot that a tracker sends most. */
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
