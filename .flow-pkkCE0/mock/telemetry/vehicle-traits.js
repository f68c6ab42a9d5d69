const of = (car, van, truck) => ({ car, van, truck });
const traits = {
  /** In m/s2, in ordinary driving and in a harsh event. */
  acceleration: of(1.7, 1.4, 0.8),
  deceleration: of(1.9, 1.6, 1.1),
  harshAcceleration: of(3.4, 2.9, 1.9),
  harshDeceleration: of(4.6, 4.1, 3.3),
  /** Normal maximum speed, and the speed in an event of excessive speed (km/h). */
  cruiseKmh: of(125, 108, 85),
  excessKmh: of(138, 124, 95),
  /** Millilitres per second with the engine running, per metre, and per metre and m/s2 while accelerating. */
  idleMlPerS: of(0.2, 0.27, 0.65),
  fuelMlPerM: of(0.042, 0.064, 0.22),
  fuelMlPerMAccelerating: of(0.1, 0.16, 0.8),
  tankLitres: of(55, 75, 600),
  /** Planned distance of a working day. */
  dayKm: of(130, 230, 560),
  maxStops: of(9, 18, 16),
  /** Customers between two calls at the depot, where the vehicle is loaded again. */
  stopsPerRound: of(5, 9, 4),
  /** Distance of its customers from the city centre, as shares of the region's `reachKm`. */
  customers: of([0.08, 0.7], [0.05, 0.6], [0.45, 1]),
  /** Minutes parked at a customer. */
  dwellMinutes: of([15, 45], [8, 28], [12, 38]),
  /** Local time of the first departure, in hours. */
  startHours: of([7.5, 9], [6.5, 8], [4.8, 6.2]),
  /** Share of working days that are days off. */
  restShare: of(0.12, 0.08, 0.05),
  /** Seconds between position fixes and between CAN bus messages while driving. */
  fixSeconds: of(14, 11, 10),
  busSeconds: of(24, 13, 6),
  /** Minutes between messages about the body (doors, seats, tires) and between sensor readings. */
  bodyMinutes: of(6, 4, 2),
  sensorMinutes: of(10, 4, 1),
  /** Odometer when the device is fitted, and the mean speed until then, from which the engine hours follow. */
  earlierKm: of([3e3, 9e4], [8e3, 16e4], [4e4, 45e4]),
  earlierKmh: of(42, 38, 58),
  serviceKm: of(2e4, 3e4, 6e4),
  volts: of(12, 12, 24),
  busType: of("OBD2", "OBD2", "J1939"),
  /** Engine speeds: idle, and at the bottom and the top of a gear. */
  rpm: of([780, 1300, 2300], [800, 1300, 2200], [600, 1e3, 1500]),
  gears: of(6, 6, 12)
};
function traitsOf(kind) {
  return Object.fromEntries(Object.entries(traits).map(([name, values]) => [name, values[kind]]));
}
const traitsByKind = of(traitsOf("car"), traitsOf("van"), traitsOf("truck"));
export {
  traitsByKind
};
