import { durationText } from "../../core/durations.js";
import { hashedName } from "../../core/hashed-name.js";
import { isGeofenceKind } from "./event-rule.js";
function eventOf({ rule, condition, from, end }, { vehicleId, name, licensePlate }, geofenceName, foundAt) {
  const { on } = rule;
  const { subject } = condition;
  const id = hashedName(JSON.stringify([on, rule.name, vehicleId, timeText(condition.since), subject]));
  const geofenceId = isGeofenceKind(on) ? subject : null;
  const geofence = geofenceId === null ? null : geofenceName(geofenceId);
  const { position, driverId } = end ?? condition;
  const place = geofence ?? geofenceId ?? "";
  const words = end === null ? beginText(rule, condition, place) : endText(rule, condition, end, place);
  return {
    id: end === null ? id : hashedName(JSON.stringify([id, "resolved"])),
    type: on,
    rule: rule.name,
    resolves: end === null ? null : id,
    at: timeText(end === null ? from : end.time),
    foundAt: timeText(foundAt),
    vehicleId,
    vehicle: name,
    licensePlate,
    // A receiver may show nothing but the text.
    text: `${name ?? licensePlate ?? vehicleId}: ${words}`,
    ...end === null ? measureOf(rule, condition) : measureOfEnd(rule, condition, end),
    geofenceId,
    geofence,
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
    driverId
  };
}
function endText(rule, { since, until, value }, end, geofence) {
  const lasted = durationText(end.time - since);
  switch (rule.on) {
    case "silent":
    case "offline":
      return `${rule.on} is over, data again after ${lasted}`;
    case "speeding":
      return `speeding is over, up to ${rounded(value)} km/h${until === since ? "" : `, for ${durationText(until - since)}`}`;
    case "low-battery":
      return `battery at ${rounded(end.power)}, no longer below ${rule.batteryBelow}`;
    case "geofence-dwell":
      return `no longer in ${geofence}, after ${lasted}`;
    case "movement":
      return `movement is over${until === since ? "" : `, after ${durationText(until - since)}`}`;
    default:
      return `idling is over, after ${lasted}`;
  }
}
function measureOfEnd(rule, condition, end) {
  if (rule.on === "speeding") return { value: condition.value, unit: "km/h" };
  if (rule.on === "low-battery") return { value: end.power, unit: null };
  const until = rule.on === "movement" ? condition.until : end.time;
  return { value: (until - condition.since) / 1e3, unit: "s" };
}
function beginText(rule, { subject, value }, geofence) {
  const lasting = durationText(rule.forMs);
  const forSo = rule.forMs === 0 ? "" : `, for ${lasting}`;
  switch (rule.on) {
    case "geofence-enter":
      return `entered ${geofence}${forSo}`;
    case "geofence-exit":
      return `left ${geofence}${forSo}`;
    case "geofence-dwell":
      return `in ${geofence} for ${lasting}`;
    case "silent":
    case "offline":
      return `${rule.on}, no data for ${lasting}`;
    case "idle":
      return `idling for ${lasting}`;
    case "movement":
      return `moving${value ? ` at ${rounded(value)} km/h` : ""}${forSo}`;
    case "ignition":
      return `ignition ${subject}${forSo}`;
    case "speeding":
      return `speeding at ${rounded(value)} km/h, limit ${rule.speedLimitKmh} km/h${forSo}`;
    case "low-battery":
      return `battery at ${rounded(value)}, below ${rule.batteryBelow}${forSo}`;
  }
}
function measureOf(rule, { subject, value }) {
  switch (rule.on) {
    case "geofence-enter":
    case "geofence-exit":
      return { value: null, unit: null };
    case "ignition":
      return { value: subject, unit: null };
    case "speeding":
    case "movement":
      return { value, unit: value === null ? null : "km/h" };
    case "low-battery":
      return { value, unit: null };
    default:
      return { value: rule.forMs / 1e3, unit: "s" };
  }
}
function timeText(time) {
  return new Date(time).toISOString();
}
function rounded(value) {
  return value === null ? "" : String(Math.round(value * 10) / 10);
}
export {
  eventOf
};
