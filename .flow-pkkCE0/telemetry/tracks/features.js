import { isPosition } from "../positions.js";
import { fixOf } from "./fix.js";
import { positionOf } from "./geojson.js";
function snapshotPoint(row, name, readings) {
  const fix = fixOf(row, readings);
  if (fix === null) return null;
  const { vehicleId, time, speed, direction, ignition } = fix;
  return {
    kind: "feature",
    geometry: { type: "Point", coordinates: positionOf(fix) },
    name,
    times: [new Date(time).toISOString()],
    properties: { vehicleId, speed, direction, ignition }
  };
}
function tripLine(trip, name) {
  const { id, startPosition, endPosition, track, ...rest } = trip;
  const driven = (track ?? []).flatMap((place) => placeAt(place, place.time));
  const endTime = trip.endedAt ?? trip.lastSeenAt ?? trip.startedAt;
  const places = driven.length > 1 ? driven : [...placeAt(startPosition, trip.startedAt), ...placeAt(endPosition, endTime)];
  const [first] = places;
  if (first === void 0) return null;
  return {
    kind: "feature",
    id,
    geometry: places.length === 1 ? { type: "Point", coordinates: first.position } : { type: "LineString", coordinates: places.map(({ position }) => position) },
    name,
    times: places.map(({ time }) => time),
    properties: rest
  };
}
function placeAt(place, time) {
  if (place === null || !isPosition(place.latitude, place.longitude)) return [];
  return [{ position: [place.longitude, place.latitude], time }];
}
export {
  snapshotPoint,
  tripLine
};
