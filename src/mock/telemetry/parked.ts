// The rows of a parked vehicle: a heartbeat about every half hour, some of them missing. A
// heartbeat depends only on its half hour and the parking position.

import { dayMs, minuteMs } from '../core/durations.js';
import { altitudeAt, ambientAt, engineHours, odometerKm, parkedAt } from './driven-leg.js';
import { mixHash, randomBelow, toUnit } from './hash.js';
import { engineOff } from './minute-rows.js';
import { failureDuring, type ShiftSpan } from './roster.js';
import { fleetMetaSensors, heartbeatHasSensors, powerReadings, temperatures } from './sensors.js';
import { addTotals, type Totals } from './tours.js';
import type { SimulatedPosition, TelemetryRow } from './types.js';
import type { DaySchedule, VehicleSchedule } from './vehicle-schedule.js';

const heartbeatMs = 30 * minuteMs;
/** Time without heartbeats after engine stop. */
const quietAfterStopMs = 2 * minuteMs;

/** A part of one day during which the vehicle is parked. */
export interface ParkedPeriod {
  readonly from: number;
  readonly to: number;
  /** Last engine stop of the day; null before the first drive. */
  readonly since: number | null;
  readonly position: SimulatedPosition;
  readonly bearing: number;
  readonly totals: Totals;
}

/** Returns the parked period before leg `next`, or after the last leg for a higher index. */
export function parkedPeriodBefore(schedule: VehicleSchedule, day: DaySchedule, next: number): ParkedPeriod {
  const to = (day.legStarts[next] ?? day.beginsAt + dayMs) - 1;
  const leg = day.tour?.legs[next - 1];
  if (day.tour === null || leg === undefined) {
    // Every tour begins at the depot.
    const homeLeg = schedule.homeTour.legs.at(-1);
    if (homeLeg === undefined) throw new Error('a tour has no legs');
    return { from: day.beginsAt, to, since: null, ...parkedAt(schedule, homeLeg), totals: day.totals };
  }
  const since = (day.legStarts[next - 1] ?? 0) + leg.durationMs;
  const driven = day.tour.before[next] ?? day.tour.total;
  return {
    from: since + quietAfterStopMs,
    to,
    since,
    ...parkedAt(schedule, leg),
    totals: addTotals(day.totals, driven),
  };
}

/** Returns the device failure at a heartbeat, so that callers skip the whole failure. */
export function failureAtHeartbeat(schedule: VehicleSchedule, index: number): ShiftSpan | null {
  return failureDuring(schedule.duty, index * heartbeatMs);
}

export function heartbeatIndexAt(time: number): number {
  return Math.floor(time / heartbeatMs);
}

/** Returns the time of the heartbeat in a half hour; null when it is missing. */
export function heartbeatTime(schedule: VehicleSchedule, index: number): number | null {
  const hash = mixHash(schedule.hash, index);
  // On some days the device is in deep sleep and sends one heartbeat in four hours.
  const isAsleep = toUnit(mixHash(schedule.hash, 0xa5 + Math.floor(index / 48))) < 0.15;
  if (isAsleep ? index % 8 !== 0 : toUnit(mixHash(hash, 1)) < 0.12) return null;
  const time = index * heartbeatMs + 1000 * randomBelow(hash, 2, heartbeatMs / 3000);
  return failureDuring(schedule.duty, time) === null ? time : null;
}

export function heartbeatRow(
  schedule: VehicleSchedule,
  period: ParkedPeriod,
  index: number,
  timestamp: number,
): TelemetryRow {
  const rowHash = mixHash(schedule.hash, mixHash(index, 3));
  const { latitude, longitude } = period.position;
  const sensors = heartbeatHasSensors(rowHash);
  // Indoors there is often no new fix, and the device repeats the last position.
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
      hdop: Math.round(8 + 14 * toUnit(mixHash(rowHash, 6))) / 10,
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
    engineHours: engineHours(period.totals.engineMs),
  };
}
