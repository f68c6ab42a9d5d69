import { dayMs, hourMs } from "../core/durations.js";
import { mixHash, randomBetween, toUnit } from "./hash.js";
import { lineBetween } from "./segments.js";
import { addTotals } from "./tours.js";
const reportedShare = 0.22;
const fullTankShare = 0.97;
const refuelAfterShare = 0.7;
function createDrivenLeg(schedule, day, index) {
  const leg = day.tour?.legs[index];
  const start = day.legStarts[index];
  const before = day.tour?.before[index];
  if (day.tour === null || leg === void 0 || start === void 0 || before === void 0) return null;
  const hash = mixHash(schedule.hash, mixHash(day.number, 489 + index));
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
    load: (day.tour.loads[index] ?? 0) * randomBetween(mixHash(schedule.hash, day.number), 77, 0.55, 1)
  };
}
function isReported(drivenLeg, i) {
  return toUnit(mixHash(drivenLeg.hash, 57344 + i)) < reportedShare;
}
function tankLitres(drivenLeg, fuelMl) {
  const { schedule, totals } = drivenLeg;
  const tank = schedule.traits.tankLitres * 1e3;
  const portion = tank * refuelAfterShare;
  const used = totals.fuelMl + Math.floor(randomBetween(schedule.hash, 21, 0, portion));
  return (tank * fullTankShare - (used % portion + fuelMl)) / 1e3;
}
function ambientAt(schedule, time) {
  const days = time / dayMs;
  const season = -Math.cos((days - 20) / 365.25 * 2 * Math.PI);
  const hour = -Math.cos((days + schedule.region.utcOffsetHours / 24 - 0.16) * 2 * Math.PI);
  const warmth = 26 - schedule.region.latitude / 3;
  const weather = randomBetween(mixHash(16039, Math.floor(days)), Math.round(schedule.region.latitude), -4, 4);
  return Math.round((warmth + season * 10 + hour * 4 + weather) * 2) / 2;
}
function altitudeAt(schedule, latitude, longitude) {
  return Math.round(schedule.region.altitudeM + 14 * Math.sin(latitude * 130) + 11 * Math.sin(longitude * 90));
}
function roundTo(value, factor) {
  return Math.round(value * factor) / factor + 0;
}
function odometerKm(metres) {
  return Math.round(metres) / 1e3;
}
function engineHours(ms) {
  return roundTo(ms / hourMs, 1e4);
}
function voltage(schedule, engineOn, hash) {
  const factor = schedule.traits.volts / 12;
  return roundTo((engineOn ? 14.1 : 12.5) * factor + randomBetween(hash, 31, -0.2, 0.2), 100);
}
function positionAt(schedule, { latitude, longitude }) {
  return {
    latitude: roundTo(latitude + schedule.latitudeOffset, 1e6),
    longitude: roundTo(longitude + schedule.longitudeOffset, 1e6)
  };
}
function parkedAt(schedule, { road }) {
  const [from, to] = road.slice(-2);
  if (from === void 0 || to === void 0) throw new Error("a road needs two corners");
  return { position: positionAt(schedule, to), bearing: Math.round(lineBetween(from, to).bearing) % 360 };
}
export {
  altitudeAt,
  ambientAt,
  createDrivenLeg,
  engineHours,
  isReported,
  odometerKm,
  parkedAt,
  positionAt,
  roundTo,
  tankLitres,
  voltage
};
