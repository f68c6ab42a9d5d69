/**
 * One leg of one day as a vehicle really drove it: the shared drive put in its place in time, with the instruments'
 * readings at the start and what is in the tank and on the load bed.
 */
import type { Leg } from './drive.js';
import { between, mix, unit } from './hash.js';
import { Motion } from './motion.js';
import type { Day, VehiclePlan } from './plan.js';
import type { Position } from './rows.js';
import { plus, type Totals } from './tours.js';

export interface LegRun {
  readonly plan: VehiclePlan;
  readonly leg: Leg;
  readonly index: number;
  /** Epoch ms of the first row with the engine on, and of the first one with it off again. */
  readonly start: number;
  readonly end: number;
  /** Chance that belongs to this leg of this day. */
  readonly hash: number;
  readonly totals: Totals;
  readonly motion: Motion;
  /** Degrees C outside, and of the engine when it starts. */
  readonly ambient: number;
  readonly engineAtStart: number;
  /** Share of the load bed in use. */
  readonly load: number;
}

/** Share of the harsh moments of a drive that the device notices. */
const noticed = 0.22;
const full = 0.97;
const refuelAfter = 0.7;

export function legRun(plan: VehiclePlan, day: Day, index: number): LegRun | null {
  const leg = day.tour?.legs[index];
  const start = day.starts[index];
  const before = day.tour?.before[index];
  if (day.tour === null || leg === undefined || start === undefined || before === undefined) return null;
  const legs = day.tour.legs.length;
  const hash = mix(plan.hash, mix(day.number, 0x1e9 + index));
  const outside = ambientAt(plan, start);
  return {
    plan,
    leg,
    index,
    start,
    end: start + leg.durationMs,
    hash,
    totals: plus(day.totals, before),
    motion: new Motion(leg),
    ambient: outside,
    engineAtStart: index === 0 ? outside : 66,
    // Full in the morning, empty on the way back to the depot.
    load: index === legs - 1 ? 0 : (1 - index / legs) * between(mix(plan.hash, day.number), 77, 0.55, 1),
  };
}

/** Whether the device reports event i of the leg. */
export function isReported(run: LegRun, i: number): boolean {
  return unit(mix(run.hash, 0xe000 + i)) < noticed;
}

/** Litres in the tank. It is filled up while parked after the leg on which 70 % of it had been used. */
export function tankLitres(run: LegRun, fuelMl: number): number {
  const { plan, totals } = run;
  const tank = plan.traits.tankLitres * 1000;
  const portion = tank * refuelAfter;
  const used = totals.fuelMl + Math.floor(between(plan.hash, 21, 0, portion));
  return (tank * full - ((used % portion) + fuelMl)) / 1000;
}

/** Degrees C outside: the season, the time of day and the day's weather. */
export function ambientAt(plan: VehiclePlan, time: number): number {
  const days = time / 86_400_000;
  const season = -Math.cos(((days - 20) / 365.25) * 2 * Math.PI);
  const hour = -Math.cos((days + plan.terrain.utcOffsetHours / 24 - 0.16) * 2 * Math.PI);
  const warmth = 26 - plan.terrain.latitude / 3;
  const weather = between(mix(0x3ea7, Math.floor(days)), Math.round(plan.terrain.latitude), -4, 4);
  return Math.round((warmth + season * 10 + hour * 4 + weather) * 2) / 2;
}

/** Metres above the sea: gentle hills around the region's height. */
export function altitudeAt(plan: VehiclePlan, latitude: number, longitude: number): number {
  return Math.round(plan.terrain.altitudeM + 14 * Math.sin(latitude * 130) + 11 * Math.sin(longitude * 90));
}

/** Rounds to a fraction; never to minus zero. */
export function round(value: number, factor: number): number {
  return Math.round(value * factor) / factor + 0;
}

export function odometerKm(metres: number): number {
  return Math.round(metres) / 1000;
}

export function engineHours(ms: number): number {
  return round(ms / 3_600_000, 10_000);
}

/** Rest voltage of the battery, and the alternator's with the engine on. */
export function voltage(plan: VehiclePlan, engineOn: boolean, hash: number): number {
  const factor = plan.traits.volts / 12;
  return round((engineOn ? 14.1 : 12.5) * factor + between(hash, 31, -0.2, 0.2), 100);
}

/** Where a vehicle stands after a leg, to the last digit what the leg's last fix said. */
export function parkedAt(plan: VehiclePlan, leg: Leg | undefined): { position: Position; bearing: number } {
  const corners = leg?.road.latitudes.length ?? 0;
  return {
    position: {
      latitude: round((leg?.road.latitudes[corners - 1] ?? 0) + plan.latitudeOffset, 1e6),
      longitude: round((leg?.road.longitudes[corners - 1] ?? 0) + plan.longitudeOffset, 1e6),
    },
    bearing: Math.round(leg?.bearings[corners - 2] ?? 0) % 360,
  };
}
