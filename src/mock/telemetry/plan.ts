/**
 * What one vehicle does day by day. Every four weeks it drives the same tours, in an order shuffled anew each time, so that
 * the totals of any day follow from the number of cycles before it and a sum over at most 28 days.
 */
import { between, hashText, mix, pick, unit } from './hash.js';
import { type KindTraits, kinds } from './kinds.js';
import { type Terrain, terrains } from './regions.js';
import { metresPerDegree, radians } from './roads.js';
import type { TelemetryVehicle } from './rows.js';
import {
  longestDwell,
  nothing,
  plus,
  type Totals,
  type Tour,
  type TourLibrary,
  weekendTour,
  workingTours,
} from './tours.js';

export const dayMs = 86_400_000;
const hourMs = 3_600_000;
const cycleDays = 28;
/** 5 January 1970, the first Monday. */
const firstMonday = 4;
/** Shortest time parked between two drives: longer than the two minutes of engine-off that end a trip. */
const shortestDwellMs = 240_000;

const workdays: readonly number[] = Array.from({ length: cycleDays }, (_, i) => i).filter((i) => i % 7 < 5);
const saturdays: readonly number[] = [5, 12, 19, 26];
const sundays: readonly number[] = [6, 13, 20, 27];

interface Cycle {
  readonly number: number;
  readonly tours: readonly (Tour | null)[];
  /** Totals of the cycle's days before each of its days. */
  readonly before: readonly Totals[];
}

/** One vehicle's habits, computed from its id. */
export interface VehiclePlan {
  readonly vehicle: TelemetryVehicle;
  readonly hash: number;
  readonly traits: KindTraits;
  readonly terrain: Terrain;
  /** Its own place beside the shared roads, in degrees. */
  readonly latitudeOffset: number;
  readonly longitudeOffset: number;
  /** When its day begins after midnight UTC: in the small hours, or in the afternoon for the night shift. */
  readonly dayOriginMs: number;
  /** A tour that begins and ends where it parks at night. */
  readonly home: Tour;
  readonly perCycle: Totals;
  /** Added to the sum of all days since 1970 to give the totals on its instruments. */
  readonly base: Totals;
  /** The four weeks' tours in their unshuffled order. */
  readonly pattern: readonly (Tour | null)[];
  cycle: Cycle | null;
}

/** One day of a vehicle: when it drives which leg, and the totals it begins with. */
export interface Day {
  readonly number: number;
  readonly begin: number;
  readonly tour: Tour | null;
  /** Begin of each leg, epoch ms. */
  readonly starts: readonly number[];
  readonly totals: Totals;
}

export function makePlan(vehicle: TelemetryVehicle, seed: number, library: TourLibrary): VehiclePlan {
  const hash = hashText(vehicle.id, seed);
  const terrain = terrains.find(({ name }) => name === vehicle.region) ?? terrains[pick(hash, 1, terrains.length)];
  if (terrain === undefined) throw new Error('there are no regions');
  const traits = kinds[vehicle.kind];
  const depot = pick(hash, 2, 2);
  const tour = (index: number): Tour => library.get(terrain, vehicle.kind, depot, index);
  const favourites = [0, 1, 2].map((i) => pick(hash, 10 + i, workingTours));
  const pattern: (Tour | null)[] = new Array<Tour | null>(cycleDays).fill(null);
  for (let i = 0; i < cycleDays; i++) {
    const draw = mix(hash, 100 + i);
    if (i % 7 < 5) {
      // The first working day is never a day off: every vehicle drives.
      const rests = i > 0 && unit(draw) < traits.restShare;
      pattern[i] = rests ? null : tour(favourites[pick(draw, 1, favourites.length)] ?? 0);
    } else {
      const works = unit(draw) < (i % 7 === 5 ? traits.saturdayShare : traits.sundayShare);
      pattern[i] = works ? tour(weekendTour) : null;
    }
  }
  const perCycle = pattern.reduce((sum, day) => (day === null ? sum : plus(sum, day.total)), nothing);
  const night = vehicle.kind === 'truck' && unit(mix(hash, 3)) < 0.12;
  const plan: VehiclePlan = {
    vehicle,
    hash,
    traits,
    terrain,
    latitudeOffset: between(hash, 4, -90, 90) / metresPerDegree,
    longitudeOffset: between(hash, 5, -90, 90) / metresPerDegree / Math.cos(terrain.latitude * radians),
    dayOriginMs: ((night ? 15 : 2) - terrain.utcOffsetHours) * hourMs,
    home: pattern[0] ?? tour(favourites[0] ?? 0),
    perCycle,
    base: nothing,
    pattern,
    cycle: null,
  };
  const earlierM = Math.round(between(hash, 6, ...traits.earlierKm) * 1000);
  const earlierEngineMs = Math.round((earlierM / 1000 / traits.earlierKmh) * hourMs);
  const earlier: Totals = {
    metres: earlierM,
    fuelMl: Math.round((earlierM * perCycle.fuelMl) / perCycle.metres),
    engineMs: earlierEngineMs,
    idleMs: Math.round(earlierEngineMs * between(hash, 7, 0.1, 0.2)),
  };
  const installed = dayAt(plan, dayNumber(plan, vehicle.deviceSince)).totals;
  return { ...plan, base: plus(earlier, installed, -1) };
}

/** The number of the vehicle's day that holds a moment. */
export function dayNumber(plan: VehiclePlan, time: number): number {
  return Math.floor((time - plan.dayOriginMs) / dayMs);
}

/** What the vehicle does on a day: a few hundred nanoseconds of work, whichever day it is. */
export function dayAt(plan: VehiclePlan, number: number): Day {
  const cycleNumber = Math.floor((number - firstMonday) / cycleDays);
  const index = number - firstMonday - cycleNumber * cycleDays;
  const cycle = plan.cycle?.number === cycleNumber ? plan.cycle : makeCycle(plan, cycleNumber);
  plan.cycle = cycle;
  const tour = cycle.tours[index] ?? null;
  const begin = number * dayMs + plan.dayOriginMs;
  return {
    number,
    begin,
    tour,
    starts: tour === null ? [] : legStarts(plan, tour, number, begin),
    totals: plus(plus(plan.base, plan.perCycle, cycleNumber), cycle.before[index] ?? nothing),
  };
}

function makeCycle(plan: VehiclePlan, number: number): Cycle {
  const hash = mix(plan.hash, number);
  const tours = [...plan.pattern];
  for (const slots of [workdays, saturdays, sundays]) {
    for (let i = slots.length - 1; i > 0; i--) {
      const a = slots[i] ?? 0;
      const b = slots[pick(hash, a, i + 1)] ?? 0;
      const kept = tours[a] ?? null;
      tours[a] = tours[b] ?? null;
      tours[b] = kept;
    }
  }
  const before: Totals[] = [nothing];
  let sum = nothing;
  for (const tour of tours) {
    if (tour !== null) sum = plus(sum, tour.total);
    before.push(sum);
  }
  return { number, tours, before };
}

/** Start times: the working day follows local time, and both its start and the stops vary from day to day. */
function legStarts(plan: VehiclePlan, tour: Tour, number: number, begin: number): number[] {
  const hash = mix(plan.hash, mix(number, 0x5eed));
  const [early, late] = plan.traits.startHours;
  const summer = isSummerTime(begin) ? hourMs : 0;
  // Seconds, not milliseconds: the device stamps its rows on whole seconds at the engine's start.
  let start = begin - summer + Math.round(between(hash, 1, early - 2, late - 2) * 3600) * 1000;
  return tour.legs.map((leg, i) => {
    const here = start;
    const dwell = (tour.dwells[i] ?? 0) * between(hash, 2 + i, 0.6, longestDwell);
    start += leg.durationMs + Math.max(shortestDwellMs, Math.round(dwell / 1000) * 1000);
    return here;
  });
}

/** Summer time in the European Union: from the last Sunday of March to the last Sunday of October, 01:00 UTC. */
function isSummerTime(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9);
}

function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, 31);
  return last - new Date(last).getUTCDay() * dayMs + hourMs;
}
