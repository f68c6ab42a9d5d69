// The rows of a leg by minute. They depend only on the leg and the minute, so a period can begin
// anywhere, and overlapping periods have equal rows.
import { minuteMs } from '../core/durations.js';
import { drivingMessage, engineMessage, hasCanBus } from './canbus.js';
import { bodyMessage } from './canbus-body.js';
import { altitudeAt, type DrivenLeg, engineHours, isReported, odometerKm, roundTo } from './driven-leg.js';
import { mixHash, randomBelow, randomBetween, toUnit } from './hash.js';
import type { DriveEvent } from './leg.js';
import { motionAt, type SimulatedMotion } from './motion.js';
import { fleetMetaSensors, fuelReadings, powerReadings, temperatures } from './sensors.js';
import type { CanBusRow, DriverBehaviourRow, GpsRow, IgnitionRow, TelemetryRow } from './types.js';

/** The reason for a row and the contents it implies. */
interface Reason {
  /** No position and ignition. */
  readonly isBare: boolean;
  readonly repeatsFix: boolean;
  readonly message: 'driving' | 'engine' | 'body' | null;
  readonly hasSensors: boolean;
  readonly hasFuel: boolean;
  readonly hasPower: boolean;
}

function reason(what: Partial<Reason>): Reason {
  return {
    isBare: false,
    repeatsFix: false,
    message: null,
    hasSensors: false,
    hasFuel: false,
    hasPower: false,
    ...what,
  };
}

const reasons = {
  start: reason({ hasFuel: true, hasPower: true }),
  /** An optional fix. */
  fix: reason({}),
  /** Fixes at corners, stops and top speed, and after bare rows: the newest row has the status. */
  neededFix: reason({}),
  event: reason({}),
  driving: reason({ message: 'driving' }),
  // Such a row can be the newest for half an hour, so it has all readings.
  engine: reason({ message: 'engine', repeatsFix: true, hasFuel: true, hasPower: true }),
  body: reason({ message: 'body', isBare: true }),
  sensors: reason({ isBare: true, hasSensors: true }),
  off: reason({ hasPower: true }),
  sensorsAfterStop: reason({ repeatsFix: true, hasSensors: true }),
};

interface PlannedRow {
  /** Milliseconds after engine start. */
  readonly ms: number;
  readonly reason: Reason;
  /** Number of the fix in its minute, or of the event in the leg. */
  readonly detail: number;
}

/** Limit for rows after engine stop; the next leg starts later (see vehicle-schedule.ts). */
export const tailMs = 20_000;
/** Length of the burst of rows after engine start. */
const startBurstMs = 9_000;

const engineOn: IgnitionRow = Object.freeze({ engineStatus: true });
export const engineOff: IgnitionRow = Object.freeze({ engineStatus: false });
export const noFix: GpsRow = Object.freeze({
  state: false,
  latitude: 0,
  longitude: 0,
  direction: 0,
  altitude: 0,
  speed: 0,
  satellites: 0,
  hdop: 99.9,
});

/** Returns the minute of the leg at a time. Rows after engine stop belong to the last minute. */
export function minuteIndexAt(drivenLeg: DrivenLeg, time: number): number {
  return Math.max(0, Math.min(drivenLeg.leg.minutes - 1, Math.floor((time - drivenLeg.start) / minuteMs)));
}

/** Returns the minute's engine reading in milliseconds after engine start. */
function engineReadingAt(drivenLeg: DrivenLeg, minute: number): number {
  if (minute === 0) return 1400;
  return minute * minuteMs + 9_000 + 100 * randomBelow(drivenLeg.hash, 0x4000 + minute, 450);
}

function planRows(drivenLeg: DrivenLeg, minute: number, hash: number): readonly PlannedRow[] {
  const { leg, schedule } = drivenLeg;
  const { traits } = schedule;
  const planned: PlannedRow[] = [];
  const add = (ms: number, reason: Reason, detail = 0): void => {
    planned.push({ ms, reason, detail });
    if (reason.isBare) planned.push({ ms, reason: reasons.neededFix, detail: 0 });
  };
  const hasBus = hasCanBus(schedule);
  const begin = minute * minuteMs;
  const end = Math.min(begin + minuteMs, leg.durationMs);
  const first = minute === 0 ? startBurstMs : begin;
  if (minute === 0) {
    add(0, reasons.start);
    if (hasBus) add(1400, reasons.engine);
    add(2000, reasons.fix);
    if (hasBus) add(3200, reasons.body);
    add(4000, reasons.sensors);
    add(5000 + 1000 * randomBelow(hash, 1, 3), reasons.fix);
  }
  const fixStep = traits.fixSeconds * 1000;
  const jitter = 500 * traits.fixSeconds;
  for (let t = begin + 1000 * randomBelow(hash, 2, traits.fixSeconds), i = 0; t < end - 1000; i++) {
    if (t >= first) add(t, reasons.fix, i);
    t += Math.round((fixStep + randomBetween(hash, 10 + i, -jitter, jitter)) / 1000) * 1000;
  }
  for (const t of leg.course.fixTimes) if (t >= first && t < end) add(t, reasons.neededFix);
  leg.course.events.forEach(({ atMs }, i) => {
    if (atMs < begin || atMs >= end || !isReported(drivenLeg, i)) return;
    add(atMs, reasons.event, i);
    // The CAN bus message of the event is a separate row with the same time.
    if (hasBus) add(atMs, reasons.driving);
  });
  if (hasBus) {
    const busStep = traits.busSeconds * 1000;
    const firstBus = begin + 100 * randomBelow(hash, 3, traits.busSeconds * 10);
    for (let i = 0; firstBus + i * busStep < end; i++) {
      const t = firstBus + i * busStep + 100 * randomBelow(hash, 200 + i, 9);
      if (t >= first && t < end) add(t, reasons.driving);
    }
    const reading = engineReadingAt(drivenLeg, minute);
    if (minute > 0 && reading < end) add(reading, reasons.engine);
    const bodyAt = begin + 15_000 + 100 * randomBelow(hash, 4, 300);
    if (minute % traits.bodyMinutes === 1 && bodyAt < end) add(bodyAt, reasons.body);
  }
  const sensorsAt = begin + 20_000 + 100 * randomBelow(hash, 5, 300);
  if (minute % traits.sensorMinutes === traits.sensorMinutes - 1 && sensorsAt < end) add(sensorsAt, reasons.sensors);
  if (minute === leg.minutes - 1) {
    add(leg.durationMs, reasons.off);
    if (hasBus) add(leg.durationMs + 1100 + 100 * randomBelow(hash, 6, 20), reasons.engine);
    add(leg.durationMs + 5000 + 1000 * randomBelow(hash, 7, 12), reasons.sensorsAfterStop);
  }
  return planned.sort((a, b) => a.ms - b.ms);
}

interface Fix {
  readonly gps: GpsRow;
  readonly measuredAt: number | null;
}

export function rowsOfMinute(drivenLeg: DrivenLeg, minute: number): TelemetryRow[] {
  const { leg, start } = drivenLeg;
  const hash = mixHash(drivenLeg.hash, minute);
  const rows: TelemetryRow[] = [];
  const noFixUntil =
    toUnit(mixHash(drivenLeg.hash, 0xf1)) < 0.16 ? (toUnit(mixHash(drivenLeg.hash, 0xf2)) < 0.5 ? 1500 : 4500) : -1;
  let last: Fix | null = null;
  let movingFixAt = -minuteMs;
  planRows(drivenLeg, minute, hash).forEach(({ ms, reason, detail }, n) => {
    const motion = motionAt(leg, ms);
    if (reason === reasons.fix && ms >= startBurstMs) {
      // Skips every second fix of a standing vehicle, and a fix right after another one.
      if (motion.speed === 0 && detail % 2 === 1) return;
      if (ms - movingFixAt < 1500) return;
    }
    if (reason === reasons.driving && motion.speed === 0 && toUnit(mixHash(hash, 300 + n)) < 0.6) return;
    const rowHash = mixHash(hash, 1000 + n);
    let fix: Fix | null;
    if (reason.isBare) fix = null;
    else if (reason === reasons.start && noFixUntil < 0) {
      // No fix yet: the device repeats its last position.
      const measuredAt = start - 3 * minuteMs + minuteMs * randomBelow(hash, 8, 3);
      fix = { gps: fixOf(drivenLeg, motion, rowHash), measuredAt };
    } else if (ms <= noFixUntil) fix = { gps: noFix, measuredAt: null };
    else if (reason.repeatsFix) fix = last;
    else {
      fix = { gps: fixOf(drivenLeg, motion, rowHash), measuredAt: start + ms };
      last = fix;
      movingFixAt = ms;
    }
    rows.push(rowOf(drivenLeg, { ms, reason, detail }, minute, motion, fix, rowHash));
  });
  swapNeighbours(rows, hash);
  return rows;
}

/** Swaps two adjacent rows in some minutes, like late delivery, but never the first one. */
function swapNeighbours(rows: TelemetryRow[], hash: number): void {
  if (rows.length < 4 || toUnit(mixHash(hash, 0xd15)) > 0.11) return;
  const i = 1 + randomBelow(hash, 0xd16, rows.length - 2);
  const a = rows[i];
  const b = rows[i + 1];
  // The order of rows with the same time decides which is the newest.
  if (a === undefined || b === undefined || a.timestamp === b.timestamp) return;
  rows[i] = b;
  rows[i + 1] = a;
}

function rowOf(
  drivenLeg: DrivenLeg,
  { ms, reason, detail }: PlannedRow,
  minute: number,
  motion: SimulatedMotion,
  fix: Fix | null,
  rowHash: number,
): TelemetryRow {
  const { schedule, totals, leg, start, ambient } = drivenLeg;
  const isEngineOn = ms < leg.durationMs;
  const engineMs = Math.min(ms, leg.durationMs);
  let canBus: CanBusRow | null = null;
  if (reason.message === 'driving') canBus = drivingMessage(drivenLeg, motion, rowHash);
  else if (reason.message === 'body') canBus = bodyMessage(drivenLeg, ms, motion.speed === 0, rowHash);
  else if (reason.message === 'engine') {
    const previous = motionAt(leg, readingBefore(drivenLeg, ms, minute));
    canBus = engineMessage(drivenLeg, engineMs, motion, previous, rowHash, isEngineOn);
  }
  return {
    vehicleId: schedule.vehicle.id,
    timestamp: start + ms,
    gps: fix?.gps ?? null,
    ignition: reason.isBare ? null : isEngineOn ? engineOn : engineOff,
    canBus,
    driverBehaviour: reason === reasons.event ? toBehaviour(leg.course.events[detail]) : null,
    temperatures: reason.hasSensors ? temperatures(schedule, start + ms, ambient) : null,
    fleetMetaSensors: reason.hasSensors ? fleetMetaSensors(schedule, isEngineOn, motion.speed > 0, rowHash) : null,
    fuel: reason.hasFuel ? fuelReadings(drivenLeg, motion) : null,
    misc: reason.hasPower ? powerReadings(schedule, isEngineOn, rowHash) : null,
    locationTimestamp: fix?.measuredAt ?? null,
    locationTimeZone: fix === null ? null : schedule.region.timeZone,
    odometerKm: odometerKm(totals.metres + motion.metres),
    engineHours: engineHours(totals.engineMs + engineMs),
  };
}

/** Returns the time of the engine reading before the one at `ms`. */
function readingBefore(drivenLeg: DrivenLeg, ms: number, minute: number): number {
  const inThisMinute = engineReadingAt(drivenLeg, minute);
  if (inThisMinute < ms) return inThisMinute;
  return minute > 0 ? engineReadingAt(drivenLeg, minute - 1) : ms;
}

function fixOf({ schedule }: DrivenLeg, motion: SimulatedMotion, rowHash: number): GpsRow {
  const latitude = motion.latitude + schedule.latitudeOffset;
  const longitude = motion.longitude + schedule.longitudeOffset;
  return {
    state: true,
    latitude: roundTo(latitude, 1e6),
    longitude: roundTo(longitude, 1e6),
    direction: Math.round(motion.bearing) % 360,
    altitude: altitudeAt(schedule, latitude, longitude),
    speed: roundTo(motion.speed * 3.6, 10),
    satellites: 7 + randomBelow(rowHash, 6, 9),
    hdop: roundTo(randomBetween(rowHash, 7, 0.6, 1.4), 10),
  };
}

function toBehaviour(event: DriveEvent | undefined): DriverBehaviourRow | null {
  return event === undefined ? null : { driverBehaviourType: event.type, driverBehaviourValue: event.value };
}
