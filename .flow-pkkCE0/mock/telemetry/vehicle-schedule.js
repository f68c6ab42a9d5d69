import { dayMs, hourMs } from "../core/durations.js";
import { hashText, mixHash, randomBelow, randomBetween, toUnit } from "./hash.js";
import { regions } from "./regions.js";
import { metresPerDegree, radians } from "./roads.js";
import { cycleDays, dutyFor, failsWithin, firstMonday, maxShuttleDelayMs, shuttleRunMs } from "./roster.js";
import {
  addTotals,
  maxDwellFactor,
  shuttleTour,
  shuttleTours,
  weekendTour,
  workingTours,
  zeroTotals
} from "./tours.js";
import { traitsByKind } from "./vehicle-traits.js";
const minDwellMs = 24e4;
const workdays = Array.from({ length: cycleDays }, (_, i) => i).filter((i) => i % 7 < 5);
function createVehicleSchedule(vehicle, seed, library) {
  const hash = hashText(vehicle.id, seed);
  const region = regions.find(({ name }) => name === vehicle.region) ?? regions[randomBelow(hash, 1, regions.length)];
  if (region === void 0) throw new Error("there are no regions");
  const traits = traitsByKind[vehicle.kind];
  const depot = randomBelow(hash, 2, 2);
  const tour = (index) => library.get(region, vehicle.kind, depot, index);
  const duty = dutyFor(vehicle.kind, vehicle.place);
  const isShuttle = duty.shuttleDepartureMs !== null;
  const worksAtNight = duty.isOnCall || !isShuttle && duty.failureOffsetMs === null && vehicle.kind === "truck" && toUnit(mixHash(hash, 3)) < 0.12;
  const dayOriginMs = duty.shuttleDepartureMs ?? ((worksAtNight ? 15 : 2) - region.utcOffsetHours) * hourMs;
  const usualTours = isShuttle ? [tour(shuttleTour + Math.floor(vehicle.place / 5) % shuttleTours)] : [0, 1, 2].map((i) => tour(randomBelow(hash, 10 + i, workingTours)));
  const homeTour = usualTours[0] ?? tour(0);
  const tourOfWeekend = isShuttle ? homeTour : tour(weekendTour);
  const daysOutOfService = findDaysOutOfService(
    duty,
    traits,
    dayOriginMs,
    Math.max(...[...usualTours, tourOfWeekend].map(maxTourMs))
  );
  const worksOnWeekendDay = weekendRule(duty, daysOutOfService);
  const tourPattern = Array.from({ length: cycleDays }, (_, i) => {
    if (isShuttle) return homeTour;
    if (daysOutOfService.has(i)) return null;
    if (i % 7 >= 5) return worksOnWeekendDay(i) ? tourOfWeekend : null;
    const draw = mixHash(hash, 100 + i);
    const isDayOff = i > 0 && duty.failureOffsetMs === null && toUnit(draw) < traits.restShare;
    return isDayOff ? null : usualTours[randomBelow(draw, 1, usualTours.length)] ?? homeTour;
  });
  const totalsPerCycle = tourPattern.reduce((sum, day) => day === null ? sum : addTotals(sum, day.total), zeroTotals);
  const schedule = {
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
    cachedCycle: null
  };
  const earlierM = Math.round(randomBetween(hash, 6, ...traits.earlierKm) * 1e3);
  const earlierEngineMs = Math.round(earlierM / 1e3 / traits.earlierKmh * hourMs);
  const earlierTotals = {
    metres: earlierM,
    fuelMl: Math.round(earlierM * totalsPerCycle.fuelMl / totalsPerCycle.metres),
    engineMs: earlierEngineMs,
    idleMs: Math.round(earlierEngineMs * randomBetween(hash, 7, 0.1, 0.2))
  };
  const totalsAtInstallation = scheduleOfDay(schedule, dayNumberAt(schedule, vehicle.deviceSince)).totals;
  return { ...schedule, baseTotals: addTotals(earlierTotals, totalsAtInstallation, -1) };
}
function maxTourMs(tour) {
  return tour.dwells.reduce((sum, dwell) => sum + Math.max(dwell * maxDwellFactor, minDwellMs), tour.total.engineMs);
}
function findDaysOutOfService(duty, traits, originMs, spanMs) {
  const [early, late] = traits.startHours;
  const days = /* @__PURE__ */ new Set();
  for (let i = 0; i < cycleDays; i++) {
    const begin = (firstMonday + i) * dayMs + originMs;
    if (failsWithin(duty, begin + (early - 3) * hourMs, begin + (late - 2) * hourMs + spanMs)) days.add(i);
  }
  return days;
}
function weekendRule(duty, daysOutOfService) {
  const weekOf = (day) => Math.floor(day / 7);
  const failureDay = [...daysOutOfService].find((day) => day % 7 >= 5);
  const workedParity = failureDay === void 0 ? duty.workedWeekends : (weekOf(failureDay) + 1) % 2;
  return (day) => duty.isOnCall || weekOf(day) % 2 === workedParity;
}
function dayNumberAt(schedule, time) {
  return Math.floor((time - schedule.dayOriginMs) / dayMs);
}
function scheduleOfDay(schedule, number) {
  const cycleNumber = Math.floor((number - firstMonday) / cycleDays);
  const index = number - firstMonday - cycleNumber * cycleDays;
  const cycle = schedule.cachedCycle?.number === cycleNumber ? schedule.cachedCycle : createCycle(schedule, cycleNumber);
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
      cycle.before[index] ?? zeroTotals
    )
  };
}
function createCycle(schedule, number) {
  const hash = mixHash(schedule.hash, number);
  const tours = [...schedule.tourPattern];
  for (let i = schedule.shuffledDays.length - 1; i > 0; i--) {
    const a = schedule.shuffledDays[i] ?? 0;
    const b = schedule.shuffledDays[randomBelow(hash, a, i + 1)] ?? 0;
    const swapped = tours[a] ?? null;
    tours[a] = tours[b] ?? null;
    tours[b] = swapped;
  }
  const before = [zeroTotals];
  let sum = zeroTotals;
  for (const tour of tours) {
    if (tour !== null) sum = addTotals(sum, tour.total);
    before.push(sum);
  }
  return { number, tours, before };
}
function computeLegStarts(schedule, tour, dayNumber, begin) {
  const hash = mixHash(schedule.hash, mixHash(dayNumber, 24301));
  if (schedule.duty.shuttleDepartureMs !== null) {
    return tour.legs.map((_, i) => begin + i * shuttleRunMs + 1e3 * randomBelow(hash, i, maxShuttleDelayMs / 1e3));
  }
  const [early, late] = schedule.traits.startHours;
  let start = begin + Math.round(randomBetween(hash, 1, early - 2, late - 2) * 3600) * 1e3;
  if (isSummerTime(start)) start -= hourMs;
  return tour.legs.map((leg, i) => {
    const legStart = start;
    const dwell = (tour.dwells[i] ?? 0) * randomBetween(hash, 2 + i, 0.6, maxDwellFactor);
    start += leg.durationMs + Math.max(minDwellMs, Math.round(dwell / 1e3) * 1e3);
    return legStart;
  });
}
function isSummerTime(time) {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9);
}
function lastSunday(year, month) {
  const lastDay = Date.UTC(year, month, 31);
  return lastDay - new Date(lastDay).getUTCDay() * dayMs + hourMs;
}
export {
  createVehicleSchedule,
  dayNumberAt,
  scheduleOfDay
};
