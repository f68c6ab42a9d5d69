// The differences between cars, vans and trucks: driving, fuel, working hours, reporting.
import type { VehicleKind } from './types.js';

type Range = readonly [low: number, high: number];

const of = <T>(car: T, van: T, truck: T): Readonly<Record<VehicleKind, T>> => ({ car, van, truck });

const traits = {
  /** In m/s², for ordinary driving and harsh events. */
  acceleration: of(1.7, 1.4, 0.8),
  deceleration: of(1.9, 1.6, 1.1),
  harshAcceleration: of(3.4, 2.9, 1.9),
  harshDeceleration: of(4.6, 4.1, 3.3),
  /** Normal maximum speed, and the speed of a speeding event (km/h). */
  cruiseKmh: of(125, 108, 85),
  excessKmh: of(138, 124, 95),
  /** Millilitres per second of engine time, per metre, and per metre and m/s² of acceleration. */
  idleMlPerS: of(0.2, 0.27, 0.65),
  fuelMlPerM: of(0.042, 0.064, 0.22),
  fuelMlPerMAccelerating: of(0.1, 0.16, 0.8),
  tankLitres: of(55, 75, 600),
  dayKm: of(130, 230, 560),
  maxStops: of(9, 18, 16),
  /** Customers between two visits to the depot for loading. */
  stopsPerRound: of(5, 9, 4),
  /** Customers' distance from the city centre, as shares of the region's `reachKm`. */
  customers: of<Range>([0.08, 0.7], [0.05, 0.6], [0.45, 1]),
  /** Minutes parked at a customer. */
  dwellMinutes: of<Range>([15, 45], [8, 28], [12, 38]),
  /** Local time of the first departure in hours. */
  startHours: of<Range>([7.5, 9], [6.5, 8], [4.8, 6.2]),
  /** Share of working days that are days off. */
  restShare: of(0.12, 0.08, 0.05),
  /** Seconds between position fixes and between CAN bus messages while driving. */
  fixSeconds: of(14, 11, 10),
  busSeconds: of(24, 13, 6),
  /** Minutes between body messages (doors, seats, tires) and between sensor readings. */
  bodyMinutes: of(6, 4, 2),
  sensorMinutes: of(10, 4, 1),
  /** Odometer at installation, and the mean speed before, which gives the engine hours. */
  earlierKm: of<Range>([3_000, 90_000], [8_000, 160_000], [40_000, 450_000]),
  earlierKmh: of(42, 38, 58),
  serviceKm: of(20_000, 30_000, 60_000),
  volts: of(12, 12, 24),
  busType: of('OBD2', 'OBD2', 'J1939'),
  /** Engine speeds: idle, bottom and top of a gear. */
  rpm: of<readonly [idle: number, low: number, high: number]>([780, 1300, 2300], [800, 1300, 2200], [600, 1000, 1500]),
  gears: of(6, 6, 12),
};

export type VehicleTraits = { readonly [Trait in keyof typeof traits]: (typeof traits)[Trait][VehicleKind] };

function traitsOf(kind: VehicleKind): VehicleTraits {
  return Object.fromEntries(Object.entries(traits).map(([name, values]) => [name, values[kind]])) as VehicleTraits;
}

export const traitsByKind = of(traitsOf('car'), traitsOf('van'), traitsOf('truck'));
