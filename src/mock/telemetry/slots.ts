/**
 * The rows of a drive, minute by minute. Each minute's rows depend on nothing but the leg and the minute, so a period can
 * begin anywhere at the cost of one minute, and overlapping periods agree.
 */

import { drivingMessage, engineMessage, hasBus, type Reading } from './canbus.js';
import { bodyMessage } from './canbus-body.js';
import { type DriveEvent, slotMs } from './drive.js';
import { fleetMetaSensors, fuelReadings, power, temperatures } from './extras.js';
import { between, mix, pick, unit } from './hash.js';
import type { DriverBehaviourRow, GpsRow, IgnitionRow, SnapshotRow } from './rows.js';
import { altitudeAt, engineHours, isReported, type LegRun, odometerKm, round } from './run.js';

/** Why the device sends a row. */
const start = 0;
const engine = 1;
const body = 2;
const fix = 3;
const sensor = 4;
const mark = 5;
const event = 6;
const driving = 7;
const off = 8;
const offBus = 9;
const offSensor = 10;
const alongside = 11;

/** The rows that follow the engine's stop end before this; the next drive starts later (see plan.ts). */
export const tailMs = 20_000;
const burstMs = 9_000;

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

/** The moments of one minute, in order. Reused for every minute: a minute's rows are made in one go. */
const times = new Float64Array(512);
const reasons = new Uint8Array(512);
const details = new Uint16Array(512);
let count = 0;

function add(time: number, reason: number, detail = 0): void {
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

/** The minute of the leg that holds a moment; the last one also holds what follows the engine's stop. */
export function slotAt(run: LegRun, time: number): number {
  return Math.max(0, Math.min(run.leg.slots - 1, Math.floor((time - run.start) / slotMs)));
}

/** When the engine is read in a minute, in ms after the engine's start: every full minute has one such reading. */
function engineReadingAt(run: LegRun, slot: number): number {
  if (slot === 0) return 1400;
  return slot * slotMs + 9_000 + 100 * pick(run.hash, 0x4000 + slot, 450);
}

/**
 * A message that says neither where the vehicle is nor whether its engine runs, and a fix of the same moment after it: the newest
 * row of a vehicle always says what it is doing.
 */
function addBare(time: number, reason: number): void {
  add(time, reason);
  add(time, alongside);
}

/** Lays out the moments of a minute. */
function schedule(run: LegRun, slot: number, hash: number): void {
  count = 0;
  const { leg, plan } = run;
  const { traits } = plan;
  const bus = hasBus(plan);
  const begin = slot * slotMs;
  const end = Math.min(begin + slotMs, leg.durationMs);
  const first = slot === 0 ? burstMs : begin;
  if (slot === 0) {
    add(0, start);
    if (bus) add(1400, engine);
    add(2000, fix);
    if (bus) addBare(3200, body);
    addBare(4000, sensor);
    add(5000 + 1000 * pick(hash, 1, 3), fix);
  }
  const fixStep = traits.fixSeconds * 1000;
  const jitter = 500 * traits.fixSeconds;
  for (let t = begin + 1000 * pick(hash, 2, traits.fixSeconds), i = 0; t < end - 1000; i++) {
    if (t >= first) add(t, fix, i);
    t += Math.round((fixStep + between(hash, 10 + i, -jitter, jitter)) / 1000) * 1000;
  }
  const lastMark = leg.slotMarks[slot + 1] ?? 0;
  for (let i = leg.slotMarks[slot] ?? 0; i < lastMark; i++) {
    const t = leg.marks[i] ?? 0;
    if (t >= first && t < leg.durationMs) add(t, mark);
  }
  for (let i = 0; i < leg.events.length; i++) {
    const at = leg.events[i]?.at ?? 0;
    if (at < begin || at >= end || !isReported(run, i)) continue;
    add(at, event, i);
    // What the bus said at that moment comes as a row of its own with the same time.
    if (bus) add(at, driving);
  }
  if (bus) {
    const busStep = traits.busSeconds * 1000;
    const firstBus = begin + 100 * pick(hash, 3, traits.busSeconds * 10);
    for (let i = 0; firstBus + i * busStep < end; i++) {
      const t = firstBus + i * busStep + 100 * pick(hash, 200 + i, 9);
      if (t >= first && t < end) add(t, driving);
    }
    const reading = engineReadingAt(run, slot);
    if (slot > 0 && reading < end) add(reading, engine);
    const bodyAt = begin + 15_000 + 100 * pick(hash, 4, 300);
    if (slot % traits.bodyMinutes === 1 && bodyAt < end) addBare(bodyAt, body);
  }
  const sensorAt = begin + 20_000 + 100 * pick(hash, 5, 300);
  if (slot % traits.sensorMinutes === traits.sensorMinutes - 1 && sensorAt < end) addBare(sensorAt, sensor);
  if (slot === leg.slots - 1) {
    add(leg.durationMs, off);
    if (bus) add(leg.durationMs + 1100 + 100 * pick(hash, 6, 20), offBus);
    add(leg.durationMs + 5000 + 1000 * pick(hash, 7, 12), offSensor);
  }
}

/** The rows of one minute of a leg in the order the service returns them. */
export function slotRows(run: LegRun, slot: number): SnapshotRow[] {
  const hash = mix(run.hash, slot);
  schedule(run, slot, hash);
  const rows: SnapshotRow[] = [];
  const late = unit(mix(run.hash, 0xf1)) < 0.16 ? (unit(mix(run.hash, 0xf2)) < 0.5 ? 1500 : 4500) : -1;
  let last: GpsRow | null = null;
  let lastAt = 0;
  let movingFixAt = -slotMs;
  for (let n = 0; n < count; n++) {
    const ms = times[n] ?? 0;
    const reason = reasons[n] ?? fix;
    const { speed } = run.motion.to(ms);
    if (reason === fix && ms >= burstMs) {
      // Standing still is not worth every fix, and neither is a moment just reported for another reason.
      if (speed === 0 && (details[n] ?? 0) % 2 === 1) continue;
      if (ms - movingFixAt < 1500) continue;
    }
    if (reason === driving && speed === 0 && unit(mix(hash, 300 + n)) < 0.6) continue;
    const moment = mix(hash, 1000 + n);
    const on = ms < run.leg.durationMs;
    let gps: GpsRow | null = null;
    let takenAt: number | null = null;
    if (reason === body || reason === sensor) {
      gps = null;
    } else if (reason === start && late < 0) {
      // No fix yet: the device repeats where it was when the engine stopped last.
      gps = fixAt(run, moment);
      takenAt = run.start - 180_000 + 60_000 * pick(hash, 8, 3);
    } else if (ms <= late) {
      gps = noFix;
    } else if (reason === engine || reason === offBus || reason === offSensor) {
      // The last row of a drive is the newest for half an hour to come, so it too says where the vehicle stands.
      gps = last;
      takenAt = last === null ? null : run.start + lastAt;
    } else {
      gps = fixAt(run, moment);
      takenAt = run.start + ms;
      last = gps;
      lastAt = ms;
      movingFixAt = ms;
    }
    rows.push(makeRow(run, ms, reason, slot, on, gps, takenAt, moment, details[n] ?? 0));
  }
  deliver(rows, hash);
  return rows;
}

/** Now and then two neighbours arrive in the wrong order; never the first row of the minute, never across minutes. */
function deliver(rows: SnapshotRow[], hash: number): void {
  if (rows.length < 4 || unit(mix(hash, 0xd15)) > 0.11) return;
  const i = 1 + pick(hash, 0xd16, rows.length - 2);
  const a = rows[i];
  const b = rows[i + 1];
  // Of rows with the same time the order says which is the newest.
  if (a === undefined || b === undefined || a.timestamp === b.timestamp) return;
  rows[i] = b;
  rows[i + 1] = a;
}

function makeRow(
  run: LegRun,
  ms: number,
  reason: number,
  slot: number,
  on: boolean,
  gps: GpsRow | null,
  locationTimestamp: number | null,
  moment: number,
  detail: number,
): SnapshotRow {
  const { plan, totals, motion } = run;
  const bare = reason === body || reason === sensor;
  const engineRow = reason === engine || reason === offBus;
  const sensorRow = reason === sensor || reason === offSensor;
  let canBus: SnapshotRow['canBus'] = null;
  if (reason === driving) canBus = drivingMessage(run, moment);
  else if (reason === body) canBus = bodyMessage(run, ms, motion.speed === 0, moment);
  else if (engineRow) {
    const previous = readingBefore(run, ms, slot);
    canBus = engineMessage(run, Math.min(ms, run.leg.durationMs), previous, moment, on);
  }
  return {
    vehicleId: plan.vehicle.id,
    timestamp: run.start + ms,
    gps,
    ignition: bare ? null : on ? engineOn : engineOff,
    canBus,
    driverBehaviour: reason === event ? behaviour(run.leg.events[detail]) : null,
    temperatures: sensorRow ? temperatures(run.plan, run.start + ms, run.ambient) : null,
    fleetMetaSensors: sensorRow ? fleetMetaSensors(run.plan, on, motion.speed > 0, moment) : null,
    fuel: engineRow || reason === start ? fuelReadings(run, motion.fuel) : null,
    misc: engineRow || reason === start || reason === off ? power(plan, on, moment) : null,
    locationTimestamp,
    locationTimeZone: gps === null ? null : plan.terrain.timeZone,
    odometerKm: odometerKm(totals.metres + motion.metres),
    engineHours: engineHours(totals.engineMs + Math.min(ms, run.leg.durationMs)),
  };
}

/** The instruments at the reading before the one at `ms`; leaves the motion where it is. */
function readingBefore(run: LegRun, ms: number, slot: number): Reading {
  const inThisMinute = engineReadingAt(run, slot);
  const before = inThisMinute < ms ? inThisMinute : slot > 0 ? engineReadingAt(run, slot - 1) : ms;
  const { metres, fuel } = run.motion.to(before);
  run.motion.to(ms);
  return { metres, fuel };
}

function fixAt(run: LegRun, moment: number): GpsRow {
  const { motion, plan } = run;
  const latitude = motion.latitude + plan.latitudeOffset;
  const longitude = motion.longitude + plan.longitudeOffset;
  return {
    state: true,
    latitude: round(latitude, 1e6),
    longitude: round(longitude, 1e6),
    direction: Math.round(motion.bearing) % 360,
    altitude: altitudeAt(plan, latitude, longitude),
    speed: round(motion.speed * 3.6, 10),
    satellites: 7 + pick(moment, 6, 9),
    hdop: round(between(moment, 7, 0.6, 1.4), 10),
  };
}

function behaviour(of: DriveEvent | undefined): DriverBehaviourRow | null {
  return of === undefined ? null : { driverBehaviourType: of.type, driverBehaviourValue: of.value };
}
