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

export { noFix } from './minute-rows.js';
export { regions } from './regions.js';
export { metaSensors } from './sensors.js';
export type * from './types.js';

/** A unit of work, with which tests measure cost. */
export type WorkUnit = 'tour' | 'schedule' | 'day' | 'minute' | 'heartbeat';

const maxCachedSchedules = 256;

function lastReportTime({ deviceUntil }: TelemetryVehicle): number {
  return deviceUntil ?? Number.POSITIVE_INFINITY;
}

/** The part of a requested period in which the device can have sent rows. */
interface ReportedPeriod {
  readonly begin: number;
  readonly to: number;
}

/** Returns the period cut to the life of the device; null without a device or when it is empty. */
function reportedPeriod(vehicle: TelemetryVehicle, from: number, until: number): ReportedPeriod | null {
  const begin = Math.max(from, vehicle.deviceSince);
  const to = Math.min(until, lastReportTime(vehicle));
  return vehicle.hasDevice && begin <= to ? { begin, to } : null;
}

/** The telemetry of a seed. Instances with equal seeds are interchangeable. */
export class GeneratedTelemetry implements Telemetry {
  readonly #seed: number;
  readonly #work: (work: WorkUnit) => void;
  readonly #tours: TourLibrary;
  readonly #schedules = new Map<string, VehicleSchedule>();

  constructor(seed: number, onWork: (work: WorkUnit) => void = () => {}) {
    this.#seed = seed;
    this.#work = onWork;
    this.#tours = new TourLibrary(seed, () => onWork('tour'));
  }

  *snapshots(vehicle: TelemetryVehicle, from: number, until: number): Generator<TelemetryRow> {
    const period = reportedPeriod(vehicle, from, until);
    if (period === null) return;
    const schedule = this.#scheduleOf(vehicle);
    for (const day of this.#daysOf(schedule, period)) yield* this.#rowsOfDay(schedule, day, period);
  }

  latest(vehicle: TelemetryVehicle, time: number): TelemetryRow | null {
    const at = Math.min(time, lastReportTime(vehicle));
    if (!vehicle.hasDevice || !(at >= vehicle.deviceSince)) return null;
    const schedule = this.#scheduleOf(vehicle);
    for (let number = dayNumberAt(schedule, at); ; number--) {
      const day = this.#dayOf(schedule, number);
      const row = this.#lastRowOfDay(schedule, day, at);
      if (row !== null) return row;
      if (day.beginsAt <= vehicle.deviceSince) return null;
    }
  }

  *trips(vehicle: TelemetryVehicle, from: number, to: number): Generator<TripTruth> {
    for (const drivenLeg of this.#legsBetween(vehicle, from, to)) yield tripTruth(drivenLeg);
  }

  *tripParts(vehicle: TelemetryVehicle, from: number, to: number): Generator<TripPart> {
    for (const drivenLeg of this.#legsBetween(vehicle, from, to))
      if (drivenLeg.start < to && drivenLeg.end > from) yield tripPart(drivenLeg, from, to);
  }

  rowsKey(vehicle: TelemetryVehicle): string {
    return JSON.stringify([this.#seed, vehicle]);
  }

  #scheduleOf(vehicle: TelemetryVehicle): VehicleSchedule {
    const cached = this.#schedules.get(vehicle.id);
    if (
      cached !== undefined &&
      cached.vehicle.kind === vehicle.kind &&
      cached.vehicle.region === vehicle.region &&
      cached.vehicle.place === vehicle.place &&
      cached.vehicle.deviceSince === vehicle.deviceSince &&
      cached.vehicle.deviceUntil === vehicle.deviceUntil
    )
      return cached;
    this.#work('schedule');
    const schedule = createVehicleSchedule(vehicle, this.#seed, this.#tours);
    if (this.#schedules.size >= maxCachedSchedules) {
      const oldest = this.#schedules.keys().next();
      if (oldest.done !== true) this.#schedules.delete(oldest.value);
    }
    this.#schedules.delete(vehicle.id);
    this.#schedules.set(vehicle.id, schedule);
    return schedule;
  }

  #dayOf(schedule: VehicleSchedule, number: number): DaySchedule {
    this.#work('day');
    return scheduleOfDay(schedule, number);
  }

  *#daysOf(schedule: VehicleSchedule, { begin, to }: ReportedPeriod): Generator<DaySchedule> {
    for (let number = dayNumberAt(schedule, begin); ; number++) {
      const day = this.#dayOf(schedule, number);
      if (day.beginsAt > to) return;
      yield day;
    }
  }

  /** Null for a leg in progress when the device was installed or the vehicle deactivated. */
  #reportedLeg(schedule: VehicleSchedule, day: DaySchedule, index: number): DrivenLeg | null {
    const drivenLeg = createDrivenLeg(schedule, day, index);
    if (drivenLeg === null || drivenLeg.start < schedule.vehicle.deviceSince) return null;
    return drivenLeg.end + tailMs > lastReportTime(schedule.vehicle) ? null : drivenLeg;
  }

  *#legsBetween(vehicle: TelemetryVehicle, from: number, until: number): Generator<DrivenLeg> {
    const period = reportedPeriod(vehicle, from, until);
    if (period === null) return;
    const schedule = this.#scheduleOf(vehicle);
    for (const day of this.#daysOf(schedule, period)) {
      for (let index = 0; index < day.legStarts.length; index++) {
        const drivenLeg = this.#reportedLeg(schedule, day, index);
        if (drivenLeg !== null && drivenLeg.end >= period.begin && drivenLeg.start <= period.to) yield drivenLeg;
      }
    }
  }

  *#rowsOfDay(schedule: VehicleSchedule, day: DaySchedule, period: ReportedPeriod): Generator<TelemetryRow> {
    const { begin, to } = period;
    for (let next = 0; next <= day.legStarts.length; next++) {
      const parkedPeriod = parkedPeriodBefore(schedule, day, next);
      if (parkedPeriod.to >= begin && parkedPeriod.from <= to) yield* this.#heartbeats(schedule, parkedPeriod, period);
      const start = day.legStarts[next] ?? Number.POSITIVE_INFINITY;
      if (start > to) break;
      const leg = day.tour?.legs[next];
      if (leg === undefined || start + leg.durationMs + tailMs < begin) continue;
      const drivenLeg = this.#reportedLeg(schedule, day, next);
      if (drivenLeg === null) continue;
      const lastMinute = minuteIndexAt(drivenLeg, to);
      for (let minute = minuteIndexAt(drivenLeg, begin); minute <= lastMinute; minute++)
        for (const row of this.#rowsOf(drivenLeg, minute)) if (row.timestamp >= begin && row.timestamp <= to) yield row;
    }
  }

  #rowsOf(drivenLeg: DrivenLeg, minute: number): TelemetryRow[] {
    this.#work('minute');
    return rowsOfMinute(drivenLeg, minute);
  }

  *#heartbeats(
    schedule: VehicleSchedule,
    parkedPeriod: ParkedPeriod,
    { begin, to }: ReportedPeriod,
  ): Generator<TelemetryRow> {
    const first = Math.max(parkedPeriod.from, begin);
    const last = Math.min(parkedPeriod.to, to);
    for (let index = heartbeatIndexAt(first); heartbeatIndexAt(last) >= index; index++) {
      this.#work('heartbeat');
      const time = heartbeatTime(schedule, index);
      if (time !== null && time >= first && time <= last) yield heartbeatRow(schedule, parkedPeriod, index, time);
      const failure = failureAtHeartbeat(schedule, index);
      if (failure !== null) index = Math.max(index, heartbeatIndexAt(failure.to) - 1);
    }
  }

  #lastRowOfDay(schedule: VehicleSchedule, day: DaySchedule, at: number): TelemetryRow | null {
    for (let next = day.legStarts.length; next >= 0; next--) {
      const start = day.legStarts[next];
      if (start !== undefined && start <= at) {
        const drivenLeg = this.#reportedLeg(schedule, day, next);
        const row = drivenLeg === null ? null : this.#lastRowOfLeg(drivenLeg, at);
        if (row !== null) return row;
      }
      const parkedPeriod = parkedPeriodBefore(schedule, day, next);
      const row = parkedPeriod.from <= at ? this.#lastRowOfParkedPeriod(schedule, parkedPeriod, at) : null;
      if (row !== null) return row;
    }
    return null;
  }

  #lastRowOfLeg(drivenLeg: DrivenLeg, at: number): TelemetryRow | null {
    for (let minute = minuteIndexAt(drivenLeg, at); minute >= 0; minute--) {
      let found: TelemetryRow | null = null;
      for (const row of this.#rowsOf(drivenLeg, minute))
        if (row.timestamp <= at && row.timestamp >= (found?.timestamp ?? Number.NEGATIVE_INFINITY)) found = row;
      if (found !== null) return found;
    }
    return null;
  }

  #lastRowOfParkedPeriod(schedule: VehicleSchedule, parkedPeriod: ParkedPeriod, at: number): TelemetryRow | null {
    const last = Math.min(parkedPeriod.to, at);
    const first = Math.max(parkedPeriod.from, schedule.vehicle.deviceSince);
    for (let index = heartbeatIndexAt(last); index >= heartbeatIndexAt(first); index--) {
      this.#work('heartbeat');
      const time = heartbeatTime(schedule, index);
      if (time !== null && time >= first && time <= last) return heartbeatRow(schedule, parkedPeriod, index, time);
      const failure = failureAtHeartbeat(schedule, index);
      if (failure !== null) index = Math.min(index, heartbeatIndexAt(failure.from) + 1);
    }
    return null;
  }
}
