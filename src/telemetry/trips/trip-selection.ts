/** The fields of a snapshot that trips are read from. */
export const tripSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  driverBehaviour: { driverBehaviourType: true },
  canBus: {
    canSpeed: true,
    canWheelSpeed: true,
    canDistance: true,
    canTripFuelUsed: true,
    canhrFuelUsed: true,
    canFuelUsed: true,
  },
} as const;

/** The same for trips with their details. */
export const detailedTripSelection = {
  ...tripSelection,
  driverBehaviour: { ...tripSelection.driverBehaviour, driverBehaviourValue: true },
  canBus: { ...tripSelection.canBus, engineWorkTime: true },
  fuel: { fuel: true },
  locationTimeZone: true,
} as const;
