/**
 * What makes a car, a van and a truck different: how they drive, what they burn, when they work and how often their device
 * reports.
 */
import type { VehicleKind } from './rows.js';

type Span = readonly [low: number, high: number];

export interface KindTraits {
  /** m/s2 in ordinary driving, and in a harsh event. */
  readonly acceleration: number;
  readonly deceleration: number;
  readonly harshAcceleration: number;
  readonly harshDeceleration: number;
  /** The fastest the vehicle goes on purpose, and the speed it reaches when its driver forgets himself (km/h). */
  readonly cruiseKmh: number;
  readonly excessKmh: number;
  /** Millilitres per second with the engine running, per metre, and per metre and m/s2 while accelerating. */
  readonly idleMlPerS: number;
  readonly fuelMlPerM: number;
  readonly fuelMlPerMAccelerating: number;
  readonly tankLitres: number;
  /** What a working day aims at. */
  readonly dayKm: number;
  readonly maxStops: number;
  /** Distance of its customers from the centre: shares of the region's reach. */
  readonly customers: Span;
  /** Minutes parked at a customer. */
  readonly dwellMinutes: Span;
  /** Local time of day at which the first drive begins, in hours. */
  readonly startHours: Span;
  /** Share of working days off. */
  readonly restShare: number;
  /** Seconds between regular fixes and between bus readings while driving. */
  readonly fixSeconds: number;
  readonly busSeconds: number;
  /** Every how many minutes doors, seats and tires, and the sensors, are read. */
  readonly bodyMinutes: number;
  readonly sensorMinutes: number;
  /** Kilometres on the clock when the device is fitted, and their mean speed (for the hours). */
  readonly earlierKm: Span;
  readonly earlierKmh: number;
  readonly serviceKm: number;
  readonly volts: number;
  readonly busType: string;
  /** Engine speed at the bottom and the top of a gear, and how many gears there are. */
  readonly rpm: readonly [idle: number, low: number, high: number];
  readonly gears: number;
}

export const kinds: { readonly [Kind in VehicleKind]: KindTraits } = {
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
