import { isObject } from "../../core/json.js";
import { isFiniteNumber } from "../../telemetry/positions.js";
import { tripLine } from "../../telemetry/tracks/features.js";
import { fixOf } from "../../telemetry/tracks/fix.js";
import { positionOf } from "../../telemetry/tracks/geojson.js";
import { mapFormats } from "../output/view.js";
const vehicleMap = {
  formats: mapFormats,
  position: ["lastData.gps.latitude", "lastData.gps.longitude"],
  needs: ["id", "name", "lastData.timestamp", "lastData.gps.state", "lastData.gps.altitude"],
  featureOf: ({ id, name, lastData }) => pointOf({ ...lastData, vehicleId: id }, name ?? null, id ?? void 0)
};
const snapshotFields = {
  position: ["gps.latitude", "gps.longitude"],
  needs: ["vehicleId", "timestamp", "gps.state", "gps.altitude", "gps.speed", "gps.direction", "ignition.engineStatus"]
};
const snapshotTrack = {
  ...snapshotFields,
  formats: mapFormats,
  isTrack: true,
  trackOf: ({ vehicleId, vehicle }) => ({ vehicleId: vehicleId ?? null, name: vehicle ?? null }),
  featureOf: fixOf
};
function snapshotPointView(nameOf) {
  return {
    ...snapshotFields,
    formats: mapFormats,
    featureOf: (row) => pointOf(row, nameOf(row.vehicleId ?? "") || null, void 0)
  };
}
const tripMap = {
  formats: mapFormats,
  position: ["startPosition.latitude", "startPosition.longitude", "endPosition.latitude", "endPosition.longitude"],
  needs: [],
  featureOf: (trip) => tripLine(trip, [trip.vehicle, trip.startedAt].filter(Boolean).join(", "))
};
const stopMap = {
  formats: mapFormats,
  position: ["position.latitude", "position.longitude"],
  needs: ["id", "startedAt"],
  featureOf: ({ id, vehicle, startedAt, position }) => position && {
    geometry: { type: "Point", coordinates: [position.longitude, position.latitude] },
    name: [vehicle, startedAt].filter(Boolean).join(", "),
    times: [startedAt],
    id
  }
};
const geofenceMap = {
  formats: ["geojson", "kml"],
  position: ["geojson"],
  needs: ["id", "name"],
  featureOf: ({ id, name, geojson }) => {
    const geometry = geometryOf(geojson);
    return geometry && hasDegrees(geometry) ? { geometry, name: name ?? null, ...id ? { id } : {} } : null;
  }
};
function hasDegrees(geometry) {
  if (geometry.type === "GeometryCollection") {
    return geometry.geometries.map(geometryOf).every((part) => part !== null && hasDegrees(part));
  }
  const isComplete = (part) => {
    if (!Array.isArray(part) || part.length === 0) return false;
    return part.some(Array.isArray) ? part.every(isComplete) : isFiniteNumber(part[0]) && isFiniteNumber(part[1]);
  };
  return isComplete(geometry.coordinates);
}
function geometryOf(geojson) {
  if (!isObject(geojson)) return null;
  if ("geometry" in geojson) return geometryOf(geojson.geometry);
  if (typeof geojson.type !== "string") return null;
  const members = geojson.coordinates ?? geojson.geometries;
  return Array.isArray(members) ? geojson : null;
}
function pointOf(row, name, id) {
  const fix = fixOf(row);
  return fix && {
    geometry: { type: "Point", coordinates: positionOf(fix) },
    name,
    times: [new Date(fix.time).toISOString()],
    ...id === void 0 ? {} : { id }
  };
}
export {
  geofenceMap,
  geometryOf,
  pointOf,
  snapshotPointView,
  snapshotTrack,
  stopMap,
  tripMap,
  vehicleMap
};
