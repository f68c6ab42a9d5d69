// The rows of a leg, minute by minute. The rows of a minute follow from the leg and the minute alone, so that a period can begin
// anywhere at the cost of one minute, and overlapping periods have the same rows.
import { minuteMs } from '../core/durations.js';
import { drivingMessage, type EngineReading, engineMessage, hasCanBus } from './canbus.js';
import { bodyMessage } from './canbus-body.js';
import { altitudeAt, type DrivenLeg, engineHours, isReported, odometerKm, roundTo } from './driven-leg.js';
import { mixHash, randomBelow, randomBetween, toUnit } from './hash.js';
import type { DriveEvent } from './leg.js';
import { fleetMetaSensors, fuelReadings, powerReadings, temperatures } from './sensors.js';
import type { DriverBehaviourRow, GpsRow, IgnitionRow, SnapshotRow } from './types.js';

/** Why the device sends a row. */
const startReason = 0;
const engineReason = 1;
const bodyReason = 2;
const fixReason = 3;
const sensorReason = 4;
const extraFixReason = 5;
const eventReason = 6;
const drivingReason = 7;
const offReason = 8;
const offBusReason = 9;
const offSensorReason = 10;
const companionReason = 11;

/** Rows after the engine has stopped end within this time; the next leg starts later (see vehicle-schedule.ts). */
export const tailMs = 20_000;
/** The device sends a burst of rows for this long after the engine has started. */
const startBurstMs = 9_000;

const engineOn: IgnitionRow = Object.freeze({ engineStatus: true });
export const engineOff: IgnitionRow = Object.freeze({ engineStatus: false });
const noFix: GpsRow = Object.freeze({
  state: false,
  latitude: 0,
  longitude: 0,
  direction: 0,
  altitude: 0,
  speed: 0,
  satellites: 0,
  hdop: 99.9,
});

// The scheduled rows of one minute, ordered by time: time, reason and detail of each. The arrays are reused for every minute.
const times = new Float64Array(512);
const reasons = new Uint8Array(512);
const details = new Uint16Array(512);
let count = 0;

function addRow(time: number, reason: number, detail = 0): void {
  let i = count++;
  while (i > 0 && (times[i - 1] ?? 0) > time) {
    times[i] = times[i - 1] ?? 0;
    reasons[i] = reasons[i - 1] ?? 0;
    details[i] = details[i - 1] ?? 0;
    i--;
  }
  times[i] = time;
  reasons[i] = reason;
  details[i] = detail;
}

/** The minute of the leg at a time. The rows after the engine has stopped belong to the last minute. */
export function minuteIndexAt(drivenLeg: DrivenLeg, time: number): number {
  return Math.max(0, Math.min(drivenLeg.leg.minutes - 1, Math.floor((time - drivenLeg.start) / minuteMs)));
}

/** When the engine is read in a minute, in milliseconds after the start of the engine. Every full minute has one reading. */
function engineReadingAt(drivenLeg: DrivenLeg, minute: number): number {
  if (minute === 0) return 1400;
  return minute * minuteMs + 9_000 + 100 * randomBelow(drivenLeg.hash, 0x4000 + minute, 450);
}

/**
 * Adds a row that has neither position nor ignition, and a position fix of the same time after it, so that the newest row of a
 * vehicle always tells its status.
 */
function addWithCompanionFix(time: number, reason: number): void {
  addRow(time, reason);
  addRow(time, companionReason);
}

/** Schedules the rows of a minute. */
function scheduleRows(drivenLeg: DrivenLeg, minute: number, hash: number): void {
  count = 0;
  const { leg, schedule } = drivenLeg;
  const { traits } = schedule;
  const hasBus = hasCanBus(schedule);
  const begin = minute * minuteMs;
  const end = Math.min(begin + minuteMs, leg.durationMs);
  const first = minute === 0 ? startBurstMs : begin;
  if (minute === 0) {
    addRow(0, startReason);
    if (hasBus) addRow(1400, engineReason);
    addRow(2000, fixReason);
    if (hasBus) addWithCompanionFix(3200, bodyReason);
    addWithCompanionFix(4000, sensorReason);
    addRow(5000 + 1000 * randomBelow(hash, 1, 3), fixReason);
  }
  const fixStep = traits.fixSeconds * 1000;
  const jitter = 500 * traits.fixSeconds;
  for (let t = begin + 1000 * randomBelow(hash, 2, traits.fixSeconds), i = 0; t < end - 1000; i++) {
    if (t >= first) addRow(t, fixReason, i);
    t += Math.round((fixStep + randomBetween(hash, 10 + i, -jitter, jitter)) / 1000) * 1000;
  }
  const fixesEnd = leg.course.firstFixOfMinute[minute + 1] ?? 0;
  for (let i = leg.course.firstFixOfMinute[minute] ?? 0; i < fixesEnd; i++) {
    const t = leg.course.fixTimes[i] ?? 0;
    if (t >= first && t < leg.durationMs) addRow(t, extraFixReason);
  }
  for (let i = 0; i < leg.course.events.length; i++) {
    const at = leg.course.events[i]?.atMs ?? 0;
    if (at < begin || at >= end || !isReported(drivenLeg, i)) continue;
    addRow(at, eventReason, i);
    // The CAN bus message of the event is a row of its own with the same time.
    if (hasBus) addRow(at, drivingReason);
  }
  if (hasBus) {
    const busStep = traits.busSeconds * 1000;
    const firstBus = begin + 100 * randomBelow(hash, 3, traits.busSeconds * 10);
    for (let i = 0; firstBus + i * busStep < end; i++) {
      const t = firstBus + i * busStep + 100 * randomBelow(hash, 200 + i, 9);
      if (t >= first && t < end) addRow(t, drivingReason);
    }
    const reading = engineReadingAt(drivenLeg, minute);
    if (minute > 0 && reading < end) addRow(reading, engineReason);
    const bodyAt = begin + 15_000 + 100 * randomBelow(hash, 4, 300);
    if (minute % traits.bodyMinutes === 1 && bodyAt < end) addWithCompanionFix(bodyAt, bodyReason);
  }
  const sensorAt = begin + 20_000 + 100 * randomBelow(hash, 5, 300);
  if (minute % traits.sensorMinutes === traits.sensorMinutes - 1 && sensorAt < end)
    addWithCompanionFix(sensorAt, sensorReason);
  if (minute === leg.minutes - 1) {
    addRow(leg.durationMs, offReason);
    if (hasBus) addRow(leg.durationMs + 1100 + 100 * randomBelow(hash, 6, 20), offBusReason);
    addRow(leg.durationMs + 5000 + 1000 * randomBelow(hash, 7, 12), offSensorReason);
  }
}

/** The rows of one minute of a leg in the order in which the service returns them. */
export function rowsOfMinute(drivenLeg: DrivenLeg, minute: number): SnapshotRow[] {
  const hash = mixHash(drivenLeg.hash, minute);
  scheduleRows(drivenLeg, minute, hash);
  const rows: SnapshotRow[] = [];
  const noFixUntil =
    toUnit(mixHash(drivenLeg.hash, 0xf1)) < 0.16 ? (toUnit(mixHash(drivenLeg.hash, 0xf2)) < 0.5 ? 1500 : 4500) : -1;
  let last: GpsRow | null = null;
  let lastAt = 0;
  let movingFixAt = -minuteMs;
  for (let n = 0; n < count; n++) {
    const ms = times[n] ?? 0;
    const reason = reasons[n] ?? fixReason;
    const { speed } = drivenLeg.motion.moveTo(ms);
    if (reason === fixReason && ms >= startBurstMs) {
      // Leaves out every second fix of a standing vehicle, and a fix right after another one.
      if (speed === 0 && (details[n] ?? 0) % 2 === 1) continue;
      if (ms - movingFixAt < 1500) continue;
    }
    if (reason === drivingReason && speed === 0 && toUnit(mixHash(hash, 300 + n)) < 0.6) continue;
    const rowHash = mixHash(hash, 1000 + n);
    const isEngineOn = ms < drivenLeg.leg.durationMs;
    let gps: GpsRow | null = null;
    let takenAt: number | null = null;
    if (reason === bodyReason || reason === sensorReason) {
      gps = null;
    } else if (reason === startReason && noFixUntil < 0) {
      // No fix yet: the device repeats its last position.
      gps = fixAt(drivenLeg, rowHash);
      takenAt = drivenLeg.start - 3 * minuteMs + minuteMs * randomBelow(hash, 8, 3);
    } else if (ms <= noFixUntil) {
      gps = noFix;
    } else if (reason === engineReason || reason === offBusReason || reason === offSensorReason) {
      // These rows repeat the last position, because the last of them is the newest row for half an hour.
      gps = last;
      takenAt = last === null ? null : drivenLeg.start + lastAt;
    } else {
      gps = fixAt(drivenLeg, rowHash);
      takenAt = drivenLeg.start + ms;
      last = gps;
      lastAt = ms;
      movingFixAt = ms;
    }
    rows.push(createRow(drivenLeg, ms, reason, minute, isEngineOn, gps, takenAt, rowHash, details[n] ?? 0));
  }
  swapNeighbours(rows, hash);
  return rows;
}

/** Swaps two neighbouring rows in some minutes, as late delivery does; never the first row, never across minutes. */
function swapNeighbours(rows: SnapshotRow[], hash: number): void {
  if (rows.length < 4 || toUnit(mixHash(hash, 0xd15)) > 0.11) return;
  const i = 1 + randomBelow(hash, 0xd16, rows.length - 2);
  const a = rows[i];
  const b = rows[i + 1];
  // The order of rows with the same time tells which is the newest.
  if (a === undefined || b === undefined || a.timestamp === b.timestamp) return;
  rows[i] = b;
  rows[i + 1] = a;
}

function createRow(
  drivenLeg: DrivenLeg,
  ms: number,
  reason: number,
  minute: number,
  isEngineOn: boolean,
  gps: GpsRow | null,
  locationTimestamp: number | null,
  rowHash: number,
  detail: number,
): SnapshotRow {
  const { schedule, totals, motion } = drivenLeg;
  const isBare = reason === bodyReason || reason === sensorReason;
  const hasEngine = reason === engineReason || reason === offBusReason;
  const hasSensors = reason === sensorReason || reason === offSensorReason;
  let canBus: SnapshotRow['canBus'] = null;
  if (reason === drivingReason) canBus = drivingMessage(drivenLeg, rowHash);
  else if (reason === bodyReason) canBus = bodyMessage(drivenLeg, ms, motion.speed === 0, rowHash);
  else if (hasEngine) {
    const previous = readingBefore(drivenLeg, ms, minute);
    canBus = engineMessage(drivenLeg, Math.min(ms, drivenLeg.leg.durationMs), previous, rowHash, isEngineOn);
  }
  return {
    vehicleId: schedule.vehicle.id,
    timestamp: drivenLeg.start + ms,
    gps,
    ignition: isBare ? null : isEngineOn ? engineOn : engineOff,
    canBus,
    driverBehaviour: reason === eventReason ? toBehaviour(drivenLeg.leg.course.events[detail]) : null,
    temperatures: hasSensors ? temperatures(drivenLeg.schedule, drivenLeg.start + ms, drivenLeg.ambient) : null,
    fleetMetaSensors: hasSensors ? fleetMetaSensors(drivenLeg.schedule, isEngineOn, motion.speed > 0, rowHash) : null,
    fuel: hasEngine || reason === startReason ? fuelReadings(drivenLeg, motion.fuel) : null,
    misc:
      hasEngine || reason === startReason || reason === offReason ? powerReadings(schedule, isEngineOn, rowHash) : null,
    locationTimestamp,
    locationTimeZone: gps === null ? null : schedule.terrain.timeZone,
    odometerKm: odometerKm(totals.metres + motion.metres),
    engineHours: engineHours(totals.engineMs + Math.min(ms, drivenLeg.leg.durationMs)),
  };
}

/** The engine reading before the one at `ms`. The motion cursor is back at `ms` afterwards. */
function readingBefore(drivenLeg: DrivenLeg, ms: number, minute: number): EngineReading {
  const inThisMinute = engineReadingAt(drivenLeg, minute);
  const before = inThisMinute < ms ? inThisMinute : minute > 0 ? engineReadingAt(drivenLeg, minute - 1) : ms;
  const { metres, fuel } = drivenLeg.motion.moveTo(before);
  drivenLeg.motion.moveTo(ms);
  return { metres, fuel };
}

function fixAt(drivenLeg: DrivenLeg, rowHash: number): GpsRow {
  const { motion, schedule } = drivenLeg;
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
