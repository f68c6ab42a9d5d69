// The telemetry of the reference service: a pure function of seed, vehicle and time. A period's
// cost depends only on its number of rows. No row is stored; tours and schedules are cached.

import { createDrivenLeg, type DrivenLeg } from './driven-leg.js';
import { minuteIndexAt, rowsOfMinute, tailMs } from './minute-rows.js';
import {
  failureAtHeartbeat,
  heartbeatIndexAt,
  heartbeatRow,
  heartbeatTime,
  type ParkedPeriod,
  parkedPeriodBefore,
} from './parked.js';
import { TourLibrary } from './tours.js';
import { tripPart, tripTruth } from './trip-truth.js';
import type { Telemetry, TelemetryRow, TelemetryVehicle, TripPart, TripTruth } from './types.js';
import {
  createVehicleSchedule,
  type DaySchedule,
  dayNumberAt,
  scheduleOfDay,
  type VehicleSchedule,
} from './vehicle-schedule.js';

export { regions } from './regions.js';
export { metaSensors } from './sensors.js';
export type * from './types.js';

/** A unit of work, with which tests measure cost. */
export type WorkUnit = 'tour' | 'schedule' | 'day' | 'minute' | 'heartbeat';

export interface TelemetryOptions {
  readonly onWork?: (work: WorkUnit) => void;
}

const maxCachedSchedules = 256;

function lastReportTime({ deviceUntil }: TelemetryVehicle): number {
  return deviceUntil ?? Number.POSITIVE_INFINITY;
}

/** Creates the telemetry of a seed. Instances with equal seeds are interchangeable. */
export function createTelemetry(seed: number, options: TelemetryOptions = {}): Telemetry {
  const work = options.onWork ?? (() => {});
  const tourLibrary = new TourLibrary(seed, () => work('tour'));
  const schedules = new Map<string, VehicleSchedule>();

  function scheduleOf(vehicle: TelemetryVehicle): VehicleSchedule {
    const cached = schedules.get(vehicle.id);
    if (
      cached !== undefined &&
      cached.vehicle.kind === vehicle.kind &&
      cached.vehicle.region === vehicle.region &&
      cached.vehicle.place === vehicle.place &&
      cached.vehicle.deviceSince === vehicle.deviceSince &&
      cached.vehicle.deviceUntil === vehicle.deviceUntil
    )
      return cached;
    work('schedule');
    const schedule = createVehicleSchedule(vehicle, seed, tourLibrary);
    if (schedules.size >= maxCachedSchedules) {
      const oldest = schedules.keys().next();
      if (oldest.done !== true) schedules.delete(oldest.value);
    }
    schedules.delete(vehicle.id);
    schedules.set(vehicle.id, schedule);
    return schedule;
  }

  function dayScheduleOf(schedule: VehicleSchedule, number: number): DaySchedule {
    work('day');
    return scheduleOfDay(schedule, number);
  }

  /** Null for a leg in progress when the device was installed or the vehicle deactivated. */
  function reportedLeg(schedule: VehicleSchedule, daySchedule: DaySchedule, index: number): DrivenLeg | null {
    const drivenLeg = createDrivenLeg(schedule, daySchedule, index);
    if (drivenLeg === null || drivenLeg.start < schedule.vehicle.deviceSince) return null;
    return drivenLeg.end + tailMs > lastReportTime(schedule.vehicle) ? null : drivenLeg;
  }

  function rowsOf(drivenLeg: DrivenLeg, minute: number): TelemetryRow[] {
    work('minute');
    return rowsOfMinute(drivenLeg, minute);
  }

  function* heartbeats(
    schedule: VehicleSchedule,
    parkedPeriod: ParkedPeriod,
    from: number,
    to: number,
  ): Generator<TelemetryRow> {
    const last = Math.min(parkedPeriod.to, to);
    for (let index = heartbeatIndexAt(Math.max(parkedPeriod.from, from)); heartbeatIndexAt(last) >= index; index++) {
      work('heartbeat');
      const time = heartbeatTime(schedule, index);
      if (time !== null && time >= parkedPeriod.from && time >= from && time <= last)
        yield heartbeatRow(schedule, parkedPeriod, index, time);
      const failure = failureAtHeartbeat(schedule, index);
      if (failure !== null) index = Math.max(index, heartbeatIndexAt(failure.to) - 1);
    }
  }

  function* snapshots(vehicle: TelemetryVehicle, from: number, until: number): Generator<TelemetryRow> {
    const begin = Math.max(from, vehicle.deviceSince);
    const to = Math.min(until, lastReportTime(vehicle));
    if (!vehicle.hasDevice || !(begin <= to)) return;
    const schedule = scheduleOf(vehicle);
    for (let number = dayNumberAt(schedule, begin); ; number++) {
      const daySchedule = dayScheduleOf(schedule, number);
      if (daySchedule.beginsAt > to) return;
      for (let next = 0; next <= daySchedule.legStarts.length; next++) {
        const parkedPeriod = parkedPeriodBefore(schedule, daySchedule, next);
        if (parkedPeriod.to >= begin && parkedPeriod.from <= to) yield* heartbeats(schedule, parkedPeriod, begin, to);
        const start = daySchedule.legStarts[next] ?? Number.POSITIVE_INFINITY;
        if (start > to) break;
        const leg = daySchedule.tour?.legs[next];
        if (leg === undefined || start + leg.durationMs + tailMs < begin) continue;
        const drivenLeg = reportedLeg(schedule, daySchedule, next);
        if (drivenLeg === null) continue;
        const lastMinute = minuteIndexAt(drivenLeg, to);
        for (let minute = minuteIndexAt(drivenLeg, begin); minute <= lastMinute; minute++)
          for (const row of rowsOf(drivenLeg, minute)) if (row.timestamp >= begin && row.timestamp <= to) yield row;
      }
    }
  }

  function lastRowOfLeg(drivenLeg: DrivenLeg, at: number): TelemetryRow | null {
    for (let minute = minuteIndexAt(drivenLeg, at); minute >= 0; minute--) {
      let found: TelemetryRow | null = null;
      for (const row of rowsOf(drivenLeg, minute))
        if (row.timestamp <= at && row.timestamp >= (found?.timestamp ?? Number.NEGATIVE_INFINITY)) found = row;
      if (found !== null) return found;
    }
    return null;
  }

  function lastRowOfParkedPeriod(
    schedule: VehicleSchedule,
    parkedPeriod: ParkedPeriod,
    at: number,
  ): TelemetryRow | null {
    const last = Math.min(parkedPeriod.to, at);
    const first = Math.max(parkedPeriod.from, schedule.vehicle.deviceSince);
    for (let index = heartbeatIndexAt(last); index >= heartbeatIndexAt(first); index--) {
      work('heartbeat');
      const time = heartbeatTime(schedule, index);
      if (time !== null && time >= first && time <= last) return heartbeatRow(schedule, parkedPeriod, index, time);
      const failure = failureAtHeartbeat(schedule, index);
      if (failure !== null) index = Math.min(index, heartbeatIndexAt(failure.from) + 1);
    }
    return null;
  }

  function latest(vehicle: TelemetryVehicle, time: number): TelemetryRow | null {
    const at = Math.min(time, lastReportTime(vehicle));
    if (!vehicle.hasDevice || !(at >= vehicle.deviceSince)) return null;
    const schedule = scheduleOf(vehicle);
    for (let number = dayNumberAt(schedule, at); ; number--) {
      const daySchedule = dayScheduleOf(schedule, number);
      for (let next = daySchedule.legStarts.length; next >= 0; next--) {
        const start = daySchedule.legStarts[next];
        if (start !== undefined && start <= at) {
          const drivenLeg = reportedLeg(schedule, daySchedule, next);
          const row = drivenLeg === null ? null : lastRowOfLeg(drivenLeg, at);
          if (row !== null) return row;
        }
        const parkedPeriod = parkedPeriodBefore(schedule, daySchedule, next);
        const row = parkedPeriod.from <= at ? lastRowOfParkedPeriod(schedule, parkedPeriod, at) : null;
        if (row !== null) return row;
      }
      if (daySchedule.beginsAt <= vehicle.deviceSince) return null;
    }
  }

  function* legsBetween(vehicle: TelemetryVehicle, from: number, until: number): Generator<DrivenLeg> {
    const begin = Math.max(from, vehicle.deviceSince);
    const to = Math.min(until, lastReportTime(vehicle));
    if (!vehicle.hasDevice || !(begin <= to)) return;
    const schedule = scheduleOf(vehicle);
    for (let number = dayNumberAt(schedule, begin); ; number++) {
      const daySchedule = dayScheduleOf(schedule, number);
      if (daySchedule.beginsAt > to) return;
      for (let index = 0; index < daySchedule.legStarts.length; index++) {
        const drivenLeg = reportedLeg(schedule, daySchedule, index);
        if (drivenLeg !== null && drivenLeg.end >= begin && drivenLeg.start <= to) yield drivenLeg;
      }
    }
  }

  function* trips(vehicle: TelemetryVehicle, from: number, to: number): Generator<TripTruth> {
    for (const drivenLeg of legsBetween(vehicle, from, to)) yield tripTruth(drivenLeg);
  }

  function* tripParts(vehicle: TelemetryVehicle, from: number, to: number): Generator<TripPart> {
    for (const drivenLeg of legsBetween(vehicle, from, to))
      if (drivenLeg.start < to && drivenLeg.end > from) yield tripPart(drivenLeg, from, to);
  }

  return { snapshots, latest, trips, tripParts, rowsKey: (vehicle) => JSON.stringify([seed, vehicle]) };
}
