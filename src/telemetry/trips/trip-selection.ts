/** The fields of a snapshot that trips are read from. */
export const tripSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  driverBehaviour: { driverBehaviourType: true },
  canBus: { canDistance: true, canTripFuelUsed: true, canhrFuelUsed: true, canFuelUsed: true },
} as const;

/** The same with what the positions of a track are read from. */
export const trackSelection = { ...tripSelection, gps: { ...tripSelection.gps, state: true } } as const;
