import { dayMs, minuteMs } from "../core/durations.js";
import { altitudeAt, ambientAt, engineHours, odometerKm, parkedAt } from "./driven-leg.js";
import { mixHash, randomBelow, toUnit } from "./hash.js";
import { engineOff } from "./minute-rows.js";
import { failureDuring } from "./roster.js";
import { fleetMetaSensors, heartbeatHasSensors, powerReadings, temperatures } from "./sensors.js";
import { addTotals } from "./tours.js";
const heartbeatMs = 30 * minuteMs;
const quietAfterStopMs = 2 * minuteMs;
function parkedPeriodBefore(schedule, day, next) {
  const to = (day.legStarts[next] ?? day.beginsAt + dayMs) - 1;
  const leg = day.tour?.legs[next - 1];
  if (day.tour === null || leg === void 0) {
    const homeLeg = schedule.homeTour.legs.at(-1);
    if (homeLeg === void 0) throw new Error("a tour has no legs");
    return { from: day.beginsAt, to, since: null, ...parkedAt(schedule, homeLeg), totals: day.totals };
  }
  const since = (day.legStarts[next - 1] ?? 0) + leg.durationMs;
  const driven = day.tour.before[next] ?? day.tour.total;
  return {
    from: since + quietAfterStopMs,
    to,
    since,
    ...parkedAt(schedule, leg),
    totals: addTotals(day.totals, driven)
  };
}
function failureAtHeartbeat(schedule, index) {
  return failureDuring(schedule.duty, index * heartbeatMs);
}
function heartbeatIndexAt(time) {
  return Math.floor(time / heartbeatMs);
}
function heartbeatTime(schedule, index) {
  const hash = mixHash(schedule.hash, index);
  const isAsleep = toUnit(mixHash(schedule.hash, 165 + Math.floor(index / 48))) < 0.15;
  if (isAsleep ? index % 8 !== 0 : toUnit(mixHash(hash, 1)) < 0.12) return null;
  const time = index * heartbeatMs + 1e3 * randomBelow(hash, 2, heartbeatMs / 3e3);
  return failureDuring(schedule.duty, time) === null ? time : null;
}
function heartbeatRow(schedule, period, index, timestamp) {
  const rowHash = mixHash(schedule.hash, mixHash(index, 3));
  const { latitude, longitude } = period.position;
  const sensors = heartbeatHasSensors(rowHash);
  const isOldFix = toUnit(rowHash) < 0.3;
  return {
    vehicleId: schedule.vehicle.id,
    timestamp,
    gps: {
      state: true,
      latitude,
      longitude,
      direction: period.bearing,
      altitude: altitudeAt(schedule, latitude, longitude),
      speed: 0,
      satellites: 5 + randomBelow(rowHash, 5, 8),
      hdop: Math.round(8 + 14 * toUnit(mixHash(rowHash, 6))) / 10
    },
    ignition: engineOff,
    canBus: null,
    driverBehaviour: null,
    temperatures: sensors ? temperatures(schedule, timestamp, ambientAt(schedule, timestamp)) : null,
    fleetMetaSensors: sensors ? fleetMetaSensors(schedule, false, false, rowHash) : null,
    fuel: null,
    misc: powerReadings(schedule, false, rowHash),
    locationTimestamp: isOldFix ? Math.max(timestamp - 15 * minuteMs, period.since ?? 0) : timestamp,
    locationTimeZone: schedule.region.timeZone,
    odometerKm: odometerKm(period.totals.metres),
    engineHours: engineHours(period.totals.engineMs)
  };
}
export {
  failureAtHeartbeat,
  heartbeatIndexAt,
  heartbeatRow,
  heartbeatTime,
  parkedPeriodBefore
};
