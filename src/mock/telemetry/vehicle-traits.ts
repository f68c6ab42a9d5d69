// What distinguishes cars, vans and trucks: how they drive, how much fuel they use, when they work and how often their device reports.
import type { VehicleKind } from './types.js';

type Range = readonly [low: number, high: number];

export interface VehicleTraits {
  /** In m/s2, in ordinary driving and in a harsh event. */
  readonly acceleration: number;
  readonly deceleration: number;
  readonly harshAcceleration: number;
  readonly harshDeceleration: number;
  /** Normal maximum speed, and the speed in an event of excessive speed (km/h). */
  readonly cruiseKmh: number;
  readonly excessKmh: number;
  /** Millilitres per second with the engine running, per metre, and per metre and m/s2 while accelerating. */
  readonly idleMlPerS: number;
  readonly fuelMlPerM: number;
  readonly fuelMlPerMAccelerating: number;
  readonly tankLitres: number;
  /** Planned distance of a working day. */
  readonly dayKm: number;
  readonly maxStops: number;
  /** Distance of its customers from the city centre, as shares of the region's `reachKm`. */
  readonly customers: Range;
  /** Minutes parked at a customer. */
  readonly dwellMinutes: Range;
  /** Local time of the first departure, in hours. */
  readonly startHours: Range;
  /** Share of working days that are days off. */
  readonly restShare: number;
  /** Seconds between position fixes and between CAN bus messages while driving. */
  readonly fixSeconds: number;
  readonly busSeconds: number;
  /** Minutes between messages about the body (doors, seats, tires) and between sensor readings. */
  readonly bodyMinutes: number;
  readonly sensorMinutes: number;
  /** Odometer when the device is fitted, and the mean speed until then, from which the engine hours follow. */
  readonly earlierKm: Range;
  readonly earlierKmh: number;
  readonly serviceKm: number;
  readonly volts: number;
  readonly busType: string;
  /** Engine speeds: idle, and at the bottom and the top of a gear. */
  readonly rpm: readonly [idle: number, low: number, high: number];
  readonly gears: number;
}

export const traitsByKind: { readonly [Kind in VehicleKind]: VehicleTraits } = {
  car: {
    acceleration: 1.7,
    deceleration: 1.9,
    harshAcceleration: 3.4,
    harshDeceleration: 4.6,
    cruiseKmh: 125,
    excessKmh: 138,
    idleMlPerS: 0.2,
    fuelMlPerM: 0.042,
    fuelMlPerMAccelerating: 0.1,
    tankLitres: 55,
    dayKm: 130,
    maxStops: 9,
    customers: [0.08, 0.7],
    dwellMinutes: [15, 50],
    startHours: [7.5, 9],
    restShare: 0.12,
    fixSeconds: 14,
    busSeconds: 24,
    bodyMinutes: 6,
    sensorMinutes: 10,
    earlierKm: [3_000, 90_000],
    earlierKmh: 42,
    serviceKm: 20_000,
    volts: 12,
    busType: 'OBD2',
    rpm: [780, 1300, 2300],
    gears: 6,
  },
  van: {
    acceleration: 1.4,
    deceleration: 1.6,
    harshAcceleration: 2.9,
    harshDeceleration: 4.1,
    cruiseKmh: 108,
    excessKmh: 124,
    idleMlPerS: 0.27,
    fuelMlPerM: 0.064,
    fuelMlPerMAccelerating: 0.16,
    tankLitres: 75,
    dayKm: 230,
    maxStops: 18,
    customers: [0.05, 0.6],
    dwellMinutes: [8, 30],
    startHours: [6.5, 8],
    restShare: 0.08,
    fixSeconds: 11,
    busSeconds: 13,
    bodyMinutes: 4,
    sensorMinutes: 4,
    earlierKm: [8_000, 160_000],
    earlierKmh: 38,
    serviceKm: 30_000,
    volts: 12,
    busType: 'OBD2',
    rpm: [800, 1300, 2200],
    gears: 6,
  },
  truck: {
    acceleration: 0.8,
    deceleration: 1.1,
    harshAcceleration: 1.9,
    harshDeceleration: 3.3,
    cruiseKmh: 85,
    excessKmh: 95,
    idleMlPerS: 0.65,
    fuelMlPerM: 0.22,
    fuelMlPerMAccelerating: 0.8,
    tankLitres: 600,
    dayKm: 560,
    maxStops: 16,
    customers: [0.45, 1],
    dwellMinutes: [12, 40],
    startHours: [4.8, 6.2],
    restShare: 0.05,
    fixSeconds: 10,
    busSeconds: 6,
    bodyMinutes: 2,
    sensorMinutes: 1,
    earlierKm: [40_000, 450_000],
    earlierKmh: 58,
    serviceKm: 60_000,
    volts: 24,
    busType: 'J1939',
    rpm: [600, 1000, 1500],
    gears: 12,
  },
};
