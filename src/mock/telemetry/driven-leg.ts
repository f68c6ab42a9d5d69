// A leg on a given day: a leg of the tour with start time, totals at its start, and load.

import { dayMs, hourMs } from '../core/durations.js';
import { mixHash, randomBetween, toUnit } from './hash.js';
import type { Leg } from './leg.js';
import type { Corner } from './roads.js';
import { lineBetween } from './segments.js';
import { addTotals, type Totals } from './tours.js';
import type { SimulatedPosition } from './types.js';
import type { DaySchedule, VehicleSchedule } from './vehicle-schedule.js';

export interface DrivenLeg {
  readonly schedule: VehicleSchedule;
  readonly leg: Leg;
  readonly index: number;
  /** Epoch milliseconds of the first row with the engine on, and the first with it off again. */
  readonly start: number;
  readonly end: number;
  /** Seed of this day's leg. */
  readonly hash: number;
  readonly totals: Totals;
  /** In degrees Celsius: air, and engine at its start. */
  readonly ambient: number;
  readonly engineAtStart: number;
  /** Share of the maximum load. */
  readonly load: number;
}

const reportedShare = 0.22;
const fullTankShare = 0.97;
const refuelAfterShare = 0.7;

export function createDrivenLeg(schedule: VehicleSchedule, day: DaySchedule, index: number): DrivenLeg | null {
  const leg = day.tour?.legs[index];
  const start = day.legStarts[index];
  const before = day.tour?.before[index];
  if (day.tour === null || leg === undefined || start === undefined || before === undefined) return null;
  const hash = mixHash(schedule.hash, mixHash(day.number, 0x1e9 + index));
  const ambient = ambientAt(schedule, start);
  return {
    schedule,
    leg,
    index,
    start,
    end: start + leg.durationMs,
    hash,
    totals: addTotals(day.totals, before),
    ambient,
    engineAtStart: index === 0 ? ambient : 66,
    load: (day.tour.loads[index] ?? 0) * randomBetween(mixHash(schedule.hash, day.number), 77, 0.55, 1),
  };
}

export function isReported(drivenLeg: DrivenLeg, i: number): boolean {
  return toUnit(mixHash(drivenLeg.hash, 0xe000 + i)) < reportedShare;
}

/** Returns the litres in the tank, which is refilled while parked after 70 % is used. */
export function tankLitres(drivenLeg: DrivenLeg, fuelMl: number): number {
  const { schedule, totals } = drivenLeg;
  const tank = schedule.traits.tankLitres * 1000;
  const portion = tank * refuelAfterShare;
  const used = totals.fuelMl + Math.floor(randomBetween(schedule.hash, 21, 0, portion));
  return (tank * fullTankShare - ((used % portion) + fuelMl)) / 1000;
}

/** Returns the air temperature in degrees Celsius by season, time of day and weather. */
export function ambientAt(schedule: VehicleSchedule, time: number): number {
  const days = time / dayMs;
  const season = -Math.cos(((days - 20) / 365.25) * 2 * Math.PI);
  const hour = -Math.cos((days + schedule.region.utcOffsetHours / 24 - 0.16) * 2 * Math.PI);
  const warmth = 26 - schedule.region.latitude / 3;
  const weather = randomBetween(mixHash(0x3ea7, Math.floor(days)), Math.round(schedule.region.latitude), -4, 4);
  return Math.round((warmth + season * 10 + hour * 4 + weather) * 2) / 2;
}

/** Returns metres above sea level: gentle hills around the altitude of the region. */
export function altitudeAt(schedule: VehicleSchedule, latitude: number, longitude: number): number {
  return Math.round(schedule.region.altitudeM + 14 * Math.sin(latitude * 130) + 11 * Math.sin(longitude * 90));
}

/** Rounds to multiples of 1 / factor; never to minus zero. */
export function roundTo(value: number, factor: number): number {
  return Math.round(value * factor) / factor + 0;
}

export function odometerKm(metres: number): number {
  return Math.round(metres) / 1000;
}

export function engineHours(ms: number): number {
  return roundTo(ms / hourMs, 10_000);
}

export function voltage(schedule: VehicleSchedule, engineOn: boolean, hash: number): number {
  const factor = schedule.traits.volts / 12;
  return roundTo((engineOn ? 14.1 : 12.5) * factor + randomBetween(hash, 31, -0.2, 0.2), 100);
}

export function positionAtCorner(
  schedule: VehicleSchedule,
  { latitude, longitude }: Pick<Corner, keyof SimulatedPosition>,
): SimulatedPosition {
  return {
    latitude: roundTo(latitude + schedule.latitudeOffset, 1e6),
    longitude: roundTo(longitude + schedule.longitudeOffset, 1e6),
  };
}

/** Returns the parking position after a leg, which equals the leg's last fix. */
export function parkedAt(schedule: VehicleSchedule, { road }: Leg): { position: SimulatedPosition; bearing: number } {
  const [from, to] = road.slice(-2);
  if (from === undefined || to === undefined) throw new Error('a road needs two corners');
  return { position: positionAtCorner(schedule, to), bearing: Math.round(lineBetween(from, to).bearing) % 360 };
}
