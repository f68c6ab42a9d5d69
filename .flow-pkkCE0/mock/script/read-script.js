import { distanceKm } from "../core/great-circle.js";
import {
  anyTime,
  boolean,
  fail,
  filledText,
  list,
  number,
  object,
  objectOfKind,
  oneOf,
  optional,
  refined
} from "../core/readers.js";
import { toRfc3339 } from "../core/rfc3339.js";
import { contractObject } from "./contract-value.js";
import { defaultOdometerKm, maxRows, rowsOfPath } from "./path-rows.js";
const maxMinutes = 1e6;
const total = optional(number(0, 1e7));
const place = object({ latitude: number(-90, 90), longitude: number(-180, 180) });
const minutes = refined(number(0, maxMinutes), (value) => value > 0 ? null : "must be above 0");
const stepRows = {
  everySeconds: optional(number(1, 86400)),
  without: optional(list(oneOf(["gps", "ignition", "canBus"]))),
  noFix: optional(boolean),
  lateMinutes: optional(number(0, maxMinutes))
};
const step = refined(
  objectOfKind({
    move: { to: place, minutes: optional(minutes), speedKmh: optional(number(1, 1e3)), ...stepRows },
    idle: { minutes, ...stepRows },
    stop: { minutes, ...stepRows },
    silence: { minutes, to: optional(place) },
    swapDevice: { serial: filledText, odometerKm: total }
  }),
  (read) => read.kind === "move" && read.minutes === void 0 === (read.speedKmh === void 0) ? "needs either minutes or speedKmh, not both" : null
);
const steps = refined(list(step), ({ length }) => length > 0 ? null : "must be a list of at least one step");
const scriptedPath = object({
  from: (value, place2) => toRfc3339(anyTime(value, place2)),
  start: place,
  odometerKm: total,
  // A movement has either its time or its speed.
  steps
});
const groups = {
  gps: optional(contractObject("Gps")),
  canBus: optional(contractObject("CanBus")),
  driverBehaviour: optional(contractObject("DriverBehaviour")),
  temperatures: optional(contractObject("Temperatures")),
  fleetMetaSensors: optional(contractObject("FleetMetaSensors")),
  fuel: optional(contractObject("Fuel")),
  misc: optional(contractObject("Misc"))
};
const scriptedRow = object({
  at: anyTime,
  arrivesAt: optional(anyTime),
  ignition: optional(boolean),
  odometerKm: total,
  engineHours: total,
  ...groups
});
const plannedRow = (value, path) => {
  const { at, arrivesAt = at, ignition, odometerKm, engineHours, ...read } = scriptedRow(value, path);
  if (arrivesAt < at) fail(`${path}.arrivesAt`, "must not be before at");
  return { at, arrivesAt, ignition, odometerKm, engineHours, groups: read };
};
const round = (value) => Math.round(value * 1e3) / 1e3;
function totalsByRow(rows) {
  const totals = /* @__PURE__ */ new Map();
  let last = null;
  for (const row of [...rows].sort((a, b) => a.at - b.at)) {
    const position = positionOf(row.groups.gps) ?? last?.position ?? null;
    const moved = last?.position && position ? distanceKm(last.position, position) : 0;
    const hours = last?.ignition === true ? (row.at - last.at) / 36e5 : 0;
    const next = {
      at: row.at,
      ignition: row.ignition ?? last?.ignition ?? false,
      position,
      odometerKm: row.odometerKm ?? (last?.odometerKm ?? defaultOdometerKm) + moved,
      engineHours: row.engineHours ?? (last?.engineHours ?? 0) + hours
    };
    totals.set(row, next);
    last = next;
  }
  return totals;
}
function positionOf(gps) {
  if (gps === void 0) return null;
  const { state, latitude, longitude } = gps;
  if (state === false || latitude === void 0 || longitude === void 0) return null;
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude };
}
function toRows(vehicleId, planned) {
  const totals = totalsByRow(planned);
  return planned.map((row) => {
    const { odometerKm = defaultOdometerKm, engineHours = 0 } = totals.get(row) ?? {};
    const group = (name) => row.groups[name] ?? null;
    const snapshot = {
      vehicleId,
      timestamp: row.at,
      gps: group("gps"),
      ignition: row.ignition === void 0 ? null : { engineStatus: row.ignition },
      canBus: group("canBus"),
      driverBehaviour: group("driverBehaviour"),
      temperatures: group("temperatures"),
      fleetMetaSensors: group("fleetMetaSensors"),
      fuel: group("fuel"),
      misc: group("misc"),
      locationTimestamp: group("gps") === null ? null : row.at,
      locationTimeZone: null,
      odometerKm: round(odometerKm),
      engineHours: round(engineHours)
    };
    return { row: snapshot, arrivesAt: row.arrivesAt };
  });
}
const scriptOf = (vehicleId) => (value, place2) => {
  if (Array.isArray(value)) {
    if (value.length > maxRows) fail(place2, `can have at most ${maxRows} rows`);
    const planned = list(plannedRow)(value, place2);
    return { source: JSON.parse(JSON.stringify(value)), rows: toRows(vehicleId, planned), swaps: [] };
  }
  const source = scriptedPath(value, place2);
  const { rows, swaps } = rowsOfPath(source, Date.parse(source.from), place2);
  return { source, rows: toRows(vehicleId, rows), swaps };
};
export {
  scriptOf
};
