import { minuteMs } from "../core/durations.js";
import { drivingMessage, engineMessage, hasCanBus } from "./canbus.js";
import { bodyMessage } from "./canbus-body.js";
import { altitudeAt, engineHours, isReported, odometerKm, roundTo } from "./driven-leg.js";
import { mixHash, randomBelow, randomBetween, toUnit } from "./hash.js";
import { motionAt } from "./motion.js";
import { fleetMetaSensors, fuelReadings, powerReadings, temperatures } from "./sensors.js";
function reason(what) {
  return {
    isBare: false,
    repeatsFix: false,
    message: null,
    hasSensors: false,
    hasFuel: false,
    hasPower: false,
    ...what
  };
}
const reasons = {
  start: reason({ hasFuel: true, hasPower: true }),
  /** A fix that may be left out. */
  fix: reason({}),
  /** One at a corner, a stop or the top speed, or after a bare row, so that the newest row of a vehicle always tells its status. */
  neededFix: reason({}),
  event: reason({}),
  driving: reason({ message: "driving" }),
  // Rows that repeat the last position can be the newest row for half an hour.
  engine: reason({ message: "engine", repeatsFix: true, hasFuel: true, hasPower: true }),
  body: reason({ message: "body", isBare: true }),
  sensors: reason({ isBare: true, hasSensors: true }),
  off: reason({ hasPower: true }),
  sensorsAfterStop: reason({ repeatsFix: true, hasSensors: true })
};
const tailMs = 2e4;
const startBurstMs = 9e3;
const engineOn = Object.freeze({ engineStatus: true });
const engineOff = Object.freeze({ engineStatus: false });
const noFix = Object.freeze({
  state: false,
  latitude: 0,
  longitude: 0,
  direction: 0,
  altitude: 0,
  speed: 0,
  satellites: 0,
  hdop: 99.9
});
function minuteIndexAt(drivenLeg, time) {
  return Math.max(0, Math.min(drivenLeg.leg.minutes - 1, Math.floor((time - drivenLeg.start) / minuteMs)));
}
function engineReadingAt(drivenLeg, minute) {
  if (minute === 0) return 1400;
  return minute * minuteMs + 9e3 + 100 * randomBelow(drivenLeg.hash, 16384 + minute, 450);
}
function planRows(drivenLeg, minute, hash) {
  const { leg, schedule } = drivenLeg;
  const { traits } = schedule;
  const planned = [];
  const add = (ms, reason2, detail = 0) => {
    planned.push({ ms, reason: reason2, detail });
    if (reason2.isBare) planned.push({ ms, reason: reasons.neededFix, detail: 0 });
  };
  const hasBus = hasCanBus(schedule);
  const begin = minute * minuteMs;
  const end = Math.min(begin + minuteMs, leg.durationMs);
  const first = minute === 0 ? startBurstMs : begin;
  if (minute === 0) {
    add(0, reasons.start);
    if (hasBus) add(1400, reasons.engine);
    add(2e3, reasons.fix);
    if (hasBus) add(3200, reasons.body);
    add(4e3, reasons.sensors);
    add(5e3 + 1e3 * randomBelow(hash, 1, 3), reasons.fix);
  }
  const fixStep = traits.fixSeconds * 1e3;
  const jitter = 500 * traits.fixSeconds;
  for (let t = begin + 1e3 * randomBelow(hash, 2, traits.fixSeconds), i = 0; t < end - 1e3; i++) {
    if (t >= first) add(t, reasons.fix, i);
    t += Math.round((fixStep + randomBetween(hash, 10 + i, -jitter, jitter)) / 1e3) * 1e3;
  }
  for (const t of leg.course.fixTimes) if (t >= first && t < end) add(t, reasons.neededFix);
  leg.course.events.forEach(({ atMs }, i) => {
    if (atMs < begin || atMs >= end || !isReported(drivenLeg, i)) return;
    add(atMs, reasons.event, i);
    if (hasBus) add(atMs, reasons.driving);
  });
  if (hasBus) {
    const busStep = traits.busSeconds * 1e3;
    const firstBus = begin + 100 * randomBelow(hash, 3, traits.busSeconds * 10);
    for (let i = 0; firstBus + i * busStep < end; i++) {
      const t = firstBus + i * busStep + 100 * randomBelow(hash, 200 + i, 9);
      if (t >= first && t < end) add(t, reasons.driving);
    }
    const reading = engineReadingAt(drivenLeg, minute);
    if (minute > 0 && reading < end) add(reading, reasons.engine);
    const bodyAt = begin + 15e3 + 100 * randomBelow(hash, 4, 300);
    if (minute % traits.bodyMinutes === 1 && bodyAt < end) add(bodyAt, reasons.body);
  }
  const sensorsAt = begin + 2e4 + 100 * randomBelow(hash, 5, 300);
  if (minute % traits.sensorMinutes === traits.sensorMinutes - 1 && sensorsAt < end) add(sensorsAt, reasons.sensors);
  if (minute === leg.minutes - 1) {
    add(leg.durationMs, reasons.off);
    if (hasBus) add(leg.durationMs + 1100 + 100 * randomBelow(hash, 6, 20), reasons.engine);
    add(leg.durationMs + 5e3 + 1e3 * randomBelow(hash, 7, 12), reasons.sensorsAfterStop);
  }
  return planned.sort((a, b) => a.ms - b.ms);
}
function rowsOfMinute(drivenLeg, minute) {
  const { leg, start } = drivenLeg;
  const hash = mixHash(drivenLeg.hash, minute);
  const rows = [];
  const noFixUntil = toUnit(mixHash(drivenLeg.hash, 241)) < 0.16 ? toUnit(mixHash(drivenLeg.hash, 242)) < 0.5 ? 1500 : 4500 : -1;
  let last = null;
  let movingFixAt = -minuteMs;
  planRows(drivenLeg, minute, hash).forEach(({ ms, reason: reason2, detail }, n) => {
    const motion = motionAt(leg, ms);
    if (reason2 === reasons.fix && ms >= startBurstMs) {
      if (motion.speed === 0 && detail % 2 === 1) return;
      if (ms - movingFixAt < 1500) return;
    }
    if (reason2 === reasons.driving && motion.speed === 0 && toUnit(mixHash(hash, 300 + n)) < 0.6) return;
    const rowHash = mixHash(hash, 1e3 + n);
    let fix;
    if (reason2.isBare) fix = null;
    else if (reason2 === reasons.start && noFixUntil < 0) {
      const takenAt = start - 3 * minuteMs + minuteMs * randomBelow(hash, 8, 3);
      fix = { gps: fixOf(drivenLeg, motion, rowHash), takenAt };
    } else if (ms <= noFixUntil) fix = { gps: noFix, takenAt: null };
    else if (reason2.repeatsFix) fix = last;
    else {
      fix = { gps: fixOf(drivenLeg, motion, rowHash), takenAt: start + ms };
      last = fix;
      movingFixAt = ms;
    }
    rows.push(rowOf(drivenLeg, { ms, reason: reason2, detail }, minute, motion, fix, rowHash));
  });
  swapNeighbours(rows, hash);
  return rows;
}
function swapNeighbours(rows, hash) {
  if (rows.length < 4 || toUnit(mixHash(hash, 3349)) > 0.11) return;
  const i = 1 + randomBelow(hash, 3350, rows.length - 2);
  const a = rows[i];
  const b = rows[i + 1];
  if (a === void 0 || b === void 0 || a.timestamp === b.timestamp) return;
  rows[i] = b;
  rows[i + 1] = a;
}
function rowOf(drivenLeg, { ms, reason: reason2, detail }, minute, motion, fix, rowHash) {
  const { schedule, totals, leg, start, ambient } = drivenLeg;
  const isEngineOn = ms < leg.durationMs;
  const engineMs = Math.min(ms, leg.durationMs);
  let canBus = null;
  if (reason2.message === "driving") canBus = drivingMessage(drivenLeg, motion, rowHash);
  else if (reason2.message === "body") canBus = bodyMessage(drivenLeg, ms, motion.speed === 0, rowHash);
  else if (reason2.message === "engine") {
    const previous = motionAt(leg, readingBefore(drivenLeg, ms, minute));
    canBus = engineMessage(drivenLeg, engineMs, motion, previous, rowHash, isEngineOn);
  }
  return {
    vehicleId: schedule.vehicle.id,
    timestamp: start + ms,
    gps: fix?.gps ?? null,
    ignition: reason2.isBare ? null : isEngineOn ? engineOn : engineOff,
    canBus,
    driverBehaviour: reason2 === reasons.event ? toBehaviour(leg.course.events[detail]) : null,
    temperatures: reason2.hasSensors ? temperatures(schedule, start + ms, ambient) : null,
    fleetMetaSensors: reason2.hasSensors ? fleetMetaSensors(schedule, isEngineOn, motion.speed > 0, rowHash) : null,
    fuel: reason2.hasFuel ? fuelReadings(drivenLeg, motion) : null,
    misc: reason2.hasPower ? powerReadings(schedule, isEngineOn, rowHash) : null,
    locationTimestamp: fix?.takenAt ?? null,
    locationTimeZone: fix === null ? null : schedule.region.timeZone,
    odometerKm: odometerKm(totals.metres + motion.metres),
    engineHours: engineHours(totals.engineMs + engineMs)
  };
}
function readingBefore(drivenLeg, ms, minute) {
  const inThisMinute = engineReadingAt(drivenLeg, minute);
  if (inThisMinute < ms) return inThisMinute;
  return minute > 0 ? engineReadingAt(drivenLeg, minute - 1) : ms;
}
function fixOf({ schedule }, motion, rowHash) {
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
    hdop: roundTo(randomBetween(rowHash, 7, 0.6, 1.4), 10)
  };
}
function toBehaviour(event) {
  return event === void 0 ? null : { driverBehaviourType: event.type, driverBehaviourValue: event.value };
}
export {
  engineOff,
  minuteIndexAt,
  rowsOfMinute,
  tailMs
};
