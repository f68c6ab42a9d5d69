import { minuteMs } from "../core/durations.js";
import { bearing, distanceKm } from "../core/great-circle.js";
import { fail } from "../core/readers.js";
const engineOnStepSeconds = 10;
const engineOffStepSeconds = 1800;
const defaultOdometerKm = 1e4;
const noFix = {
  state: false,
  latitude: 0,
  longitude: 0,
  direction: 0,
  altitude: 0,
  speed: 0,
  satellites: 0,
  hdop: 99.9
};
const round = (value, factor) => Math.round(value * factor) / factor;
function between(a, b, share) {
  return {
    latitude: round(a.latitude + (b.latitude - a.latitude) * share, 1e6),
    longitude: round(a.longitude + (b.longitude - a.longitude) * share, 1e6)
  };
}
function durationOf(step, from) {
  if (step.minutes !== void 0) return step.minutes * minuteMs;
  return distanceKm(from, step.to) / step.speedKmh * 60 * minuteMs;
}
function advanced(vehicle, step, durationMs, share) {
  const to = step.kind === "move" ? step.to : vehicle.position;
  const hours = step.kind === "stop" ? 0 : durationMs * share / (60 * minuteMs);
  return {
    time: vehicle.time + Math.round(durationMs * share),
    position: between(vehicle.position, to, share),
    heading: step.kind === "move" ? bearing(vehicle.position, to) : vehicle.heading,
    odometerKm: vehicle.odometerKm + distanceKm(vehicle.position, to) * share,
    engineHours: vehicle.engineHours + hours
  };
}
function rowOf(vehicle, step, speed) {
  const { without = [], noFix: hasNoFix = false, lateMinutes = 0 } = step;
  const fix = {
    state: true,
    ...vehicle.position,
    direction: Math.round(vehicle.heading) % 360,
    altitude: 0,
    speed: round(speed, 10),
    satellites: 10,
    hdop: 0.8
  };
  const bus = { canDistance: round(vehicle.odometerKm, 1e3), canSpeed: round(speed, 10) };
  return {
    at: vehicle.time,
    arrivesAt: vehicle.time + Math.round(lateMinutes * minuteMs),
    ignition: without.includes("ignition") ? void 0 : step.kind !== "stop",
    odometerKm: vehicle.odometerKm,
    engineHours: vehicle.engineHours,
    groups: {
      ...without.includes("gps") ? {} : { gps: hasNoFix ? noFix : fix },
      ...without.includes("canBus") ? {} : { canBus: bus }
    }
  };
}
const maxRows = 2e5;
function rowsOfPath(path, from, place) {
  const rows = [];
  const swaps = [];
  let vehicle = {
    time: from,
    position: path.start,
    heading: 0,
    odometerKm: path.odometerKm ?? defaultOdometerKm,
    engineHours: 0
  };
  let ending = null;
  for (const step of path.steps) {
    if (step.kind === "swapDevice") {
      swaps.push({ at: vehicle.time, serial: step.serial });
      vehicle = { ...vehicle, odometerKm: step.odometerKm ?? 0, engineHours: 0 };
      continue;
    }
    if (step.kind === "silence") {
      if (ending !== null) rows.push(ending);
      ending = null;
      const to = step.to ?? vehicle.position;
      vehicle = {
        ...vehicle,
        time: vehicle.time + Math.round(step.minutes * minuteMs),
        position: to,
        odometerKm: vehicle.odometerKm + distanceKm(vehicle.position, to)
      };
      continue;
    }
    const durationMs = durationOf(step, vehicle.position);
    const defaultSeconds = step.kind === "stop" ? engineOffStepSeconds : engineOnStepSeconds;
    const everyMs = (step.everySeconds ?? defaultSeconds) * 1e3;
    const kilometres = step.kind === "move" ? distanceKm(vehicle.position, step.to) : 0;
    const speed = durationMs > 0 ? kilometres / (durationMs / (60 * minuteMs)) : 0;
    if (rows.length + durationMs / everyMs > maxRows)
      fail(place, `leads to more than ${maxRows} rows: make it shorter, or set everySeconds`);
    for (let ms = 0; ms < durationMs; ms += everyMs)
      rows.push(rowOf(advanced(vehicle, step, durationMs, ms / durationMs), step, speed));
    vehicle = advanced(vehicle, step, durationMs, 1);
    ending = rowOf(vehicle, step, step.kind === "move" ? speed : 0);
  }
  if (ending !== null) rows.push(ending);
  return { rows, swaps };
}
export {
  defaultOdometerKm,
  maxRows,
  rowsOfPath
};
