import { isObject, readFlag, readNumber } from "fleet-telematics/kit";
const tripColumns = [
  ...["id", "vehicle_id", "started_at", "ended_at", "last_seen_at", "is_open", "ended_by", "is_start_known"],
  ...["trips_by", "driver_ids", "distance_km", "distance_by", "distance_doubt", "duration_s", "moving_s", "idle_s"],
  ...["unseen_s", "top_speed_kmh", "mean_speed_kmh", "fuel_used", "fuel_by", "harsh_events", "snapshots"],
  ...["start_latitude_deg", "start_longitude_deg", "end_latitude_deg", "end_longitude_deg"]
];
function tripOfRow(row) {
  const [id, vehicleId, startedAt, lastSeenAt] = [row.id, row.vehicle_id, row.started_at, row.last_seen_at].map(String);
  const endedAt = row.ended_at === null ? null : String(row.ended_at);
  const endedBy = row.ended_by === null ? null : oneOf(row.ended_by, ["ignition", "stop", "silence"]);
  const tripsBy = oneOf(row.trips_by, ["ignition", "movement"]);
  const distanceBy = oneOf(row.distance_by, ["odometer", "positions", "both", "none"]);
  const fuelBy = row.fuel_by === null ? null : oneOf(row.fuel_by, ["canTripFuelUsed", "canhrFuelUsed", "canFuelUsed"]);
  const driverIds = parsed(row.driver_ids);
  const harshEvents = parsed(row.harsh_events);
  const [distanceKm, durationSeconds, movingSeconds, idleSeconds, unseenSeconds, snapshots] = [
    ...[row.distance_km, row.duration_s, row.moving_s, row.idle_s, row.unseen_s, row.snapshots]
  ].map((cell) => readNumber(cell) ?? void 0);
  if (id === void 0 || vehicleId === void 0 || startedAt === void 0 || lastSeenAt === void 0) return null;
  if (endedBy === void 0 || tripsBy === void 0 || distanceBy === void 0 || fuelBy === void 0) return null;
  if (distanceKm === void 0 || durationSeconds === void 0 || movingSeconds === void 0) return null;
  if (idleSeconds === void 0 || unseenSeconds === void 0 || snapshots === void 0) return null;
  if (!Array.isArray(driverIds) || !isObject(harshEvents)) return null;
  return {
    ...{ id, vehicleId, startedAt, endedAt, lastSeenAt, endedBy, tripsBy, distanceKm, distanceBy },
    ...{ isOpen: readFlag(row.is_open) === true, isStartKnown: readFlag(row.is_start_known) === true },
    ...{ durationSeconds, movingSeconds, idleSeconds, unseenSeconds, snapshots, fuelBy },
    driverIds: driverIds.map(String),
    distanceDoubt: readNumber(row.distance_doubt) ?? null,
    topSpeedKmh: readNumber(row.top_speed_kmh) ?? null,
    meanSpeedKmh: readNumber(row.mean_speed_kmh) ?? null,
    fuelUsed: readNumber(row.fuel_used) ?? null,
    harshEvents: Object.fromEntries(Object.entries(harshEvents).map(([kind, times]) => [kind, Number(times)])),
    startPosition: positionOf(row.start_latitude_deg, row.start_longitude_deg),
    endPosition: positionOf(row.end_latitude_deg, row.end_longitude_deg)
  };
}
function oneOf(cell, known) {
  return known.find((value) => value === cell);
}
function parsed(cell) {
  try {
    return JSON.parse(String(cell));
  } catch {
    return null;
  }
}
function positionOf(latitude, longitude) {
  const [lat, lon] = [readNumber(latitude), readNumber(longitude)];
  return typeof lat === "number" && typeof lon === "number" ? { latitude: lat, longitude: lon } : null;
}
export {
  tripColumns,
  tripOfRow
};
