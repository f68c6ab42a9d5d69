/**
 * What one vehicle does day by day. Every four weeks it drives the same tours, those of working days in an order shuffled anew
 * each time, so that the totals of any day follow from the number of cycles before it and a sum over at most 28 days.
 */
import { between, hashText, mix, pick, unit } from './hash.js';
import { type KindTraits, kinds } from './kinds.js';
import { type Terrain, terrains } from './regions.js';
import { metresPerDegree, radians } from './roads.js';
import { cycleDays, type Duty, dayMs, dutyOf, failsWithin, firstMonday, lineDelayMs, lineRunMs } from './roster.js';
import type { TelemetryVehicle } from './rows.js';
import {
  lineTour,
  longestDwell,
  nothing,
  plus,
  type Totals,
  type Tour,
  type TourLibrary,
  weekendTour,
  workingTours,
} from './tours.js';

const hourMs = 3_600_000;
/** Shortest time parked between two drives: longer than the two minutes of engine-off that end a trip. */
const shortestDwellMs = 240_000;

const workdays: readonly number[] = Array.from({ length: cycleDays }, (_, i) => i).filter((i) => i % 7 < 5);

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
  readonly duty: Duty;
  readonly traits: KindTraits;
  readonly terrain: Terrain;
  /** Its own place beside the shared roads, in degrees. */
  readonly latitudeOffset: number;
  readonly longitudeOffset: number;
  /** When its day begins after midnight UTC: in the small hours, in the afternoon for the night shift, at a departure for a line. */
  readonly dayOriginMs: number;
  /** A tour that begins and ends where it parks at night. */
  readonly home: Tour;
  readonly perCycle: Totals;
  /** Added to the sum of all days since 1970 to give the totals on its instruments. */
  readonly base: Totals;
  /** The four weeks' tours in their unshuffled order. */
  readonly pattern: readonly (Tour | null)[];
  /** The working days of the four weeks whose tours change places from one cycle to the next. */
  readonly shuffled: readonly number[];
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
  const duty = dutyOf(vehicle.kind, vehicle.place);
  const onLine = duty.lineMs !== null;
  const night =
    duty.onCall || (!onLine && duty.failureAt === null && vehicle.kind === 'truck' && unit(mix(hash, 3)) < 0.12);
  const dayOriginMs = duty.lineMs ?? ((night ? 15 : 2) - terrain.utcOffsetHours) * hourMs;
  const favourites = onLine ? [tour(lineTour)] : [0, 1, 2].map((i) => tour(pick(hash, 10 + i, workingTours)));
  const home = favourites[0] ?? tour(0);
  const weekend = onLine ? home : tour(weekendTour);
  const yard = daysInYard(duty, traits, dayOriginMs, Math.max(...[...favourites, weekend].map(longestSpan)));
  const worksOn = weekendsOf(duty, yard);
  const pattern = Array.from({ length: cycleDays }, (_, i): Tour | null => {
    if (onLine) return home;
    if (yard.has(i)) return null;
    if (i % 7 >= 5) return worksOn(i) ? weekend : null;
    const draw = mix(hash, 100 + i);
    // The first working day is never a day off: every vehicle drives. Days in the yard are days off enough.
    const rests = i > 0 && duty.failureAt === null && unit(draw) < traits.restShare;
    return rests ? null : (favourites[pick(draw, 1, favourites.length)] ?? home);
  });
  const perCycle = pattern.reduce((sum, day) => (day === null ? sum : plus(sum, day.total)), nothing);
  const plan: VehiclePlan = {
    vehicle,
    hash,
    duty,
    traits,
    terrain,
    latitudeOffset: between(hash, 4, -90, 90) / metresPerDegree,
    longitudeOffset: between(hash, 5, -90, 90) / metresPerDegree / Math.cos(terrain.latitude * radians),
    dayOriginMs,
    home,
    perCycle,
    base: nothing,
    pattern,
    shuffled: workdays.filter((i) => !yard.has(i)),
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

/** The longest a tour can take, from its first departure. */
function longestSpan(tour: Tour): number {
  return tour.dwells.reduce((sum, dwell) => sum + Math.max(dwell * longestDwell, shortestDwellMs), tour.total.engineMs);
}

/** The days of the cycle on which no tour is safe from the device's failure. */
function daysInYard(duty: Duty, traits: KindTraits, originMs: number, spanMs: number): ReadonlySet<number> {
  const [early, late] = traits.startHours;
  const days = new Set<number>();
  for (let i = 0; i < cycleDays; i++) {
    const begin = (firstMonday + i) * dayMs + originMs;
    // An hour earlier in summer.
    if (failsWithin(duty, begin + (early - 3) * hourMs, begin + (late - 2) * hourMs + spanMs)) days.add(i);
  }
  return days;
}

/** Every other weekend is worked, and whole; those on which the vehicle stands in the yard are among the others. */
function weekendsOf(duty: Duty, yard: ReadonlySet<number>): (day: number) => boolean {
  const weekOf = (day: number): number => Math.floor(day / 7);
  const lost = [...yard].find((day) => day % 7 >= 5);
  const worked = lost === undefined ? duty.weekends : (weekOf(lost) + 1) % 2;
  return (day) => duty.onCall || weekOf(day) % 2 === worked;
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
  for (let i = plan.shuffled.length - 1; i > 0; i--) {
    const a = plan.shuffled[i] ?? 0;
    const b = plan.shuffled[pick(hash, a, i + 1)] ?? 0;
    const kept = tours[a] ?? null;
    tours[a] = tours[b] ?? null;
    tours[b] = kept;
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
  if (plan.duty.lineMs !== null) {
    // Every hour at the same minute, which summer time does not move.
    return tour.legs.map((_, i) => begin + i * lineRunMs + 1000 * pick(hash, i, lineDelayMs / 1000));
  }
  const [early, late] = plan.traits.startHours;
  // Seconds, not milliseconds: the device stamps its rows on whole seconds at the engine's start.
  let start = begin + Math.round(between(hash, 1, early - 2, late - 2) * 3600) * 1000;
  if (isSummerTime(start)) start -= hourMs;
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
