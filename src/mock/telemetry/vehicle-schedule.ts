// The daily schedule of a vehicle: tours that repeat every four weeks, reshuffled. Totals of any
// day thus need only the number of earlier cycles and a sum over up to 28 days.
import { dayMs, hourMs } from '../core/durations.js';
import { hashText, mixHash, randomBelow, randomBetween, toUnit } from './hash.js';
import { type Region, regions } from './regions.js';
import { metresPerDegree, radians } from './roads.js';
import { cycleDays, type Duty, dutyFor, failsWithin, firstMonday, maxShuttleDelayMs, shuttleRunMs } from './roster.js';
import {
  addTotals,
  maxDwellFactor,
  shuttleTour,
  shuttleTours,
  type Totals,
  type Tour,
  type TourLibrary,
  weekendTour,
  workingTours,
  zeroTotals,
} from './tours.js';
import type { TelemetryVehicle } from './types.js';
import { traitsByKind, type VehicleTraits } from './vehicle-traits.js';

/** Longer than the two minutes with the engine off that end a trip. */
const minDwellMs = 240_000;

const workdays: readonly number[] = Array.from({ length: cycleDays }, (_, i) => i).filter((i) => i % 7 < 5);

interface TourCycle {
  readonly number: number;
  readonly tours: readonly (Tour | null)[];
  /** Totals before each day of the cycle. */
  readonly before: readonly Totals[];
}

export interface VehicleSchedule {
  readonly vehicle: TelemetryVehicle;
  readonly hash: number;
  readonly duty: Duty;
  readonly traits: VehicleTraits;
  readonly region: Region;
  /** Offset in degrees from the roads shared with other vehicles. */
  readonly latitudeOffset: number;
  readonly longitudeOffset: number;
  /** After midnight UTC: at night, in the afternoon (night shift), or a shuttle's departure. */
  readonly dayOriginMs: number;
  /** A tour that begins and ends at the vehicle's parking place. */
  readonly homeTour: Tour;
  readonly totalsPerCycle: Totals;
  /** Instrument readings minus the totals of all days since 1970. */
  readonly baseTotals: Totals;
  /** The tours of a cycle before shuffling. */
  readonly tourPattern: readonly (Tour | null)[];
  /** Working days of the cycle with shuffled tours. */
  readonly shuffledDays: readonly number[];
  cachedCycle: TourCycle | null;
}

/** One day of a vehicle: legs with start times, and totals at its start. */
export interface DaySchedule {
  readonly number: number;
  readonly beginsAt: number;
  readonly tour: Tour | null;
  /** In epoch milliseconds. */
  readonly legStarts: readonly number[];
  readonly totals: Totals;
}

export function createVehicleSchedule(vehicle: TelemetryVehicle, seed: number, library: TourLibrary): VehicleSchedule {
  const hash = hashText(vehicle.id, seed);
  const region = regions.find(({ name }) => name === vehicle.region) ?? regions[randomBelow(hash, 1, regions.length)];
  if (region === undefined) throw new Error('there are no regions');
  const traits = traitsByKind[vehicle.kind];
  const depot = randomBelow(hash, 2, 2);
  const tour = (index: number): Tour => library.get(region, vehicle.kind, depot, index);
  const duty = dutyFor(vehicle.kind, vehicle.place);
  const isShuttle = duty.shuttleDepartureMs !== null;
  const worksAtNight =
    duty.isOnCall ||
    (!isShuttle && duty.failureOffsetMs === null && vehicle.kind === 'truck' && toUnit(mixHash(hash, 3)) < 0.12);
  const dayOriginMs = duty.shuttleDepartureMs ?? ((worksAtNight ? 15 : 2) - region.utcOffsetHours) * hourMs;
  const usualTours = isShuttle
    ? [tour(shuttleTour + (Math.floor(vehicle.place / 5) % shuttleTours))]
    : [0, 1, 2].map((i) => tour(randomBelow(hash, 10 + i, workingTours)));
  const homeTour = usualTours[0] ?? tour(0);
  const tourOfWeekend = isShuttle ? homeTour : tour(weekendTour);
  const daysOutOfService = findDaysOutOfService(
    duty,
    traits,
    dayOriginMs,
    Math.max(...[...usualTours, tourOfWeekend].map(maxTourMs)),
  );
  const worksOnWeekendDay = weekendRule(duty, daysOutOfService);
  const tourPattern = Array.from({ length: cycleDays }, (_, i): Tour | null => {
    if (isShuttle) return homeTour;
    if (daysOutOfService.has(i)) return null;
    if (i % 7 >= 5) return worksOnWeekendDay(i) ? tourOfWeekend : null;
    const draw = mixHash(hash, 100 + i);
    // The first working day is never off, so every vehicle drives. A failure replaces the days off.
    const isDayOff = i > 0 && duty.failureOffsetMs === null && toUnit(draw) < traits.restShare;
    return isDayOff ? null : (usualTours[randomBelow(draw, 1, usualTours.length)] ?? homeTour);
  });
  const totalsPerCycle = tourPattern.reduce((sum, day) => (day === null ? sum : addTotals(sum, day.total)), zeroTotals);
  const schedule: VehicleSchedule = {
    vehicle,
    hash,
    duty,
    traits,
    region,
    latitudeOffset: randomBetween(hash, 4, -90, 90) / metresPerDegree,
    longitudeOffset: randomBetween(hash, 5, -90, 90) / metresPerDegree / Math.cos(region.latitude * radians),
    dayOriginMs,
    homeTour,
    totalsPerCycle,
    baseTotals: zeroTotals,
    tourPattern,
    shuffledDays: workdays.filter((i) => !daysOutOfService.has(i)),
    cachedCycle: null,
  };
  const totalsAtInstallation = scheduleOfDay(schedule, dayNumberAt(schedule, vehicle.deviceSince)).totals;
  return { ...schedule, baseTotals: addTotals(earlierTotals(schedule), totalsAtInstallation, -1) };
}

/** Returns the instrument readings at the installation of the device. */
function earlierTotals({ hash, traits, totalsPerCycle }: VehicleSchedule): Totals {
  const metres = Math.round(randomBetween(hash, 6, ...traits.earlierKm) * 1000);
  const engineMs = Math.round((metres / 1000 / traits.earlierKmh) * hourMs);
  return {
    metres,
    fuelMl: Math.round((metres * totalsPerCycle.fuelMl) / totalsPerCycle.metres),
    engineMs,
    idleMs: Math.round(engineMs * randomBetween(hash, 7, 0.1, 0.2)),
  };
}

function maxTourMs(tour: Tour): number {
  return tour.dwells.reduce((sum, dwell) => sum + Math.max(dwell * maxDwellFactor, minDwellMs), tour.total.engineMs);
}

/** Returns the days of the cycle whose tour could overlap the device failure. */
function findDaysOutOfService(
  duty: Duty,
  traits: VehicleTraits,
  originMs: number,
  spanMs: number,
): ReadonlySet<number> {
  const [early, late] = traits.startHours;
  const days = new Set<number>();
  for (let i = 0; i < cycleDays; i++) {
    const begin = (firstMonday + i) * dayMs + originMs;
    // The tour starts an hour earlier in summer time.
    if (failsWithin(duty, begin + (early - 3) * hourMs, begin + (late - 2) * hourMs + spanMs)) days.add(i);
  }
  return days;
}

/** True for every other weekend, avoiding the weekend of a device failure. */
function weekendRule(duty: Duty, daysOutOfService: ReadonlySet<number>): (day: number) => boolean {
  const weekOf = (day: number): number => Math.floor(day / 7);
  const failureDay = [...daysOutOfService].find((day) => day % 7 >= 5);
  const workedParity = failureDay === undefined ? duty.workedWeekends : (weekOf(failureDay) + 1) % 2;
  return (day) => duty.isOnCall || weekOf(day) % 2 === workedParity;
}

export function dayNumberAt(schedule: VehicleSchedule, time: number): number {
  return Math.floor((time - schedule.dayOriginMs) / dayMs);
}

/** Returns the schedule of a day, in constant time for every day. */
export function scheduleOfDay(schedule: VehicleSchedule, number: number): DaySchedule {
  const cycleNumber = Math.floor((number - firstMonday) / cycleDays);
  const index = number - firstMonday - cycleNumber * cycleDays;
  const cycle =
    schedule.cachedCycle?.number === cycleNumber ? schedule.cachedCycle : createCycle(schedule, cycleNumber);
  schedule.cachedCycle = cycle;
  const tour = cycle.tours[index] ?? null;
  const begin = number * dayMs + schedule.dayOriginMs;
  return {
    number,
    beginsAt: begin,
    tour,
    legStarts: tour === null ? [] : computeLegStarts(schedule, tour, number, begin),
    totals: addTotals(
      addTotals(schedule.baseTotals, schedule.totalsPerCycle, cycleNumber),
      cycle.before[index] ?? zeroTotals,
    ),
  };
}

function createCycle(schedule: VehicleSchedule, number: number): TourCycle {
  const hash = mixHash(schedule.hash, number);
  const tours = [...schedule.tourPattern];
  for (let i = schedule.shuffledDays.length - 1; i > 0; i--) {
    const a = schedule.shuffledDays[i] ?? 0;
    const b = schedule.shuffledDays[randomBelow(hash, a, i + 1)] ?? 0;
    const swapped = tours[a] ?? null;
    tours[a] = tours[b] ?? null;
    tours[b] = swapped;
  }
  const before: Totals[] = [zeroTotals];
  let sum = zeroTotals;
  for (const tour of tours) {
    if (tour !== null) sum = addTotals(sum, tour.total);
    before.push(sum);
  }
  return { number, tours, before };
}

/** Working days follow local time; starts and parked times vary daily. */
function computeLegStarts(schedule: VehicleSchedule, tour: Tour, dayNumber: number, begin: number): number[] {
  const hash = mixHash(schedule.hash, mixHash(dayNumber, 0x5eed));
  if (schedule.duty.shuttleDepartureMs !== null) {
    // A shuttle leaves at the same minute of every hour, so summer time does not matter.
    return tour.legs.map((_, i) => begin + i * shuttleRunMs + 1000 * randomBelow(hash, i, maxShuttleDelayMs / 1000));
  }
  const [early, late] = schedule.traits.startHours;
  // Whole seconds, as a device reports engine start.
  let start = begin + Math.round(randomBetween(hash, 1, early - 2, late - 2) * 3600) * 1000;
  if (isSummerTime(start)) start -= hourMs;
  return tour.legs.map((leg, i) => {
    const legStart = start;
    const dwell = (tour.dwells[i] ?? 0) * randomBetween(hash, 2 + i, 0.6, maxDwellFactor);
    start += leg.durationMs + Math.max(minDwellMs, Math.round(dwell / 1000) * 1000);
    return legStart;
  });
}

/** From the last Sunday of March to the last Sunday of October, 01:00 UTC (European Union). */
function isSummerTime(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9);
}

function lastSunday(year: number, month: number): number {
  const lastDay = Date.UTC(year, month, 31);
  return lastDay - new Date(lastDay).getUTCDay() * dayMs + hourMs;
}
