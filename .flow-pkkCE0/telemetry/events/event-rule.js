import { closestNames } from "../../core/suggestions.js";
import { parseBetween, WeeklyHours, weekdays } from "./weekly-hours.js";
const eventKinds = [
  "geofence-enter",
  "geofence-exit",
  "geofence-dwell",
  "movement",
  "silent",
  "speeding",
  "ignition",
  "idle",
  "low-battery",
  "offline"
];
class WrongRule extends Error {
}
const DEFAULT_SPEED_LIMIT_KMH = 90;
const MINUTE_MS = 6e4;
const defaultForMs = {
  silent: 90 * MINUTE_MS,
  offline: 6 * 60 * MINUTE_MS,
  idle: 10 * MINUTE_MS,
  "low-battery": 5 * MINUTE_MS
};
function isMomentary(kind) {
  return kind === "ignition" || kind === "geofence-enter" || kind === "geofence-exit";
}
function isGeofenceKind(kind) {
  return kind.startsWith("geofence-");
}
const oppositeOf = {
  "geofence-enter": "geofence-exit",
  "geofence-exit": "geofence-enter",
  ignition: "the other position of the key"
};
function checkGeofences(on, geofences) {
  if (geofences === void 0 || isGeofenceKind(on)) return;
  throw new WrongRule(`Geofences are for events of geofences, not for ${on}.`);
}
function completeRule(rule) {
  const { name, on, forMs, speedLimitKmh, batteryBelow, resolved = false } = rule;
  if (speedLimitKmh !== void 0 && on !== "speeding") {
    throw new WrongRule(`A speed limit is for speeding, not for ${on}.`);
  }
  if (batteryBelow !== void 0 && on !== "low-battery") {
    throw new WrongRule(`A threshold of the battery is for low-battery, not for ${on}.`);
  }
  if (resolved && isMomentary(on))
    throw new WrongRule(`${on} is not resolved: ${oppositeOf[on]} is an event by itself.`);
  if (on === "low-battery" && batteryBelow === void 0) {
    throw new WrongRule("low-battery needs a threshold: the service does not say at which voltage a battery is low.");
  }
  if (on === "geofence-dwell" && forMs === void 0) {
    throw new WrongRule("geofence-dwell needs the time that a vehicle has to stay.");
  }
  const lasting = forMs ?? defaultForMs[on] ?? 0;
  if (lasting === 0 && ["silent", "offline", "geofence-dwell"].includes(on)) {
    throw new WrongRule(`${on} needs a time that is longer than nothing.`);
  }
  return {
    name: name ?? on,
    on,
    forMs: lasting,
    speedLimitKmh: on === "speeding" ? speedLimitKmh ?? DEFAULT_SPEED_LIMIT_KMH : null,
    batteryBelow: batteryBelow ?? null,
    resolved,
    ...completeHours(rule)
  };
}
function completeHours({
  between,
  days,
  schedule,
  outsideSchedule
}) {
  if (schedule !== void 0 && outsideSchedule !== void 0) {
    throw new WrongRule("A rule counts either in the hours of a work schedule or outside of them.");
  }
  const period = between === void 0 ? { begin: 0, minutes: 1440 } : readBetween(between);
  const hours = between === void 0 && days === void 0 ? null : WeeklyHours.of((days ?? weekdays).map((day) => ({ day, ...period })));
  return {
    between: between ?? null,
    days: days ?? null,
    hours,
    schedule: schedule ?? null,
    outsideSchedule: outsideSchedule ?? null
  };
}
function readBetween(text) {
  const period = parseBetween(text);
  if (period !== null) return period;
  throw new WrongRule(`"${text}" is not a range of hours. Write it as 22:00-06:00, with two different times.`);
}
function readKind(text) {
  const name = text.trim();
  const kind = eventKinds.find((one) => one === name);
  if (kind !== void 0) return kind;
  const [nearest] = closestNames(name, eventKinds);
  const rest = nearest === void 0 ? `. The events are ${eventKinds.join(", ")}.` : `, but ${nearest} is.`;
  throw new WrongRule(`"${name}" is not an event${rest}`);
}
export {
  DEFAULT_SPEED_LIMIT_KMH,
  WrongRule,
  checkGeofences,
  completeRule,
  eventKinds,
  isGeofenceKind,
  isMomentary,
  readKind
};
