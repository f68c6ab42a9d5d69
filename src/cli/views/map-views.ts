// Converts vehicles, snapshots, trips, stops and geofences to map features.
import { isObject } from '../../core/json.js';
import type { Geofence, Snapshot, Stop } from '../../index.js';
import { isFiniteNumber } from '../../telemetry/positions.js';
import { type TrackTrip, tripLine } from '../../telemetry/tracks/features.js';
import { fixOf } from '../../telemetry/tracks/fix.js';
import { positionOf } from '../../telemetry/tracks/geojson.js';
import type { Geometry } from '../../telemetry/tracks/geometry.js';
import { type Feature, type MapView, mapFormats } from '../output/view.js';
import type { VehicleRow } from './vehicle-row.js';

export const vehicleMap: MapView<VehicleRow> = {
  formats: mapFormats,
  position: ['lastData.gps.latitude', 'lastData.gps.longitude'],
  needs: ['id', 'name', 'lastData.timestamp', 'lastData.gps.state', 'lastData.gps.altitude'],
  featureOf: ({ id, name, lastData }) => pointOf({ ...lastData, vehicleId: id }, name ?? null, id ?? undefined),
};

const snapshotFields = {
  position: ['gps.latitude', 'gps.longitude'],
  needs: ['vehicleId', 'timestamp', 'gps.state', 'gps.altitude', 'gps.speed', 'gps.direction', 'ignition.engineStatus'],
};

/** Snapshots of one vehicle, joined to its track. */
export const snapshotTrack: MapView<Snapshot & { readonly vehicle?: string | null }> = {
  ...snapshotFields,
  formats: mapFormats,
  isTrack: true,
  trackOf: ({ vehicleId, vehicle }) => ({ vehicleId: vehicleId ?? null, name: vehicle ?? null }),
  featureOf: fixOf,
};

/** Returns a view with one point for each snapshot, named after its vehicle. */
export function snapshotPointView(nameOf: (vehicleId: string) => string): MapView<Snapshot> {
  return {
    ...snapshotFields,
    formats: mapFormats,
    featureOf: (row) => pointOf(row, nameOf(row.vehicleId ?? '') || null, undefined),
  };
}

export const tripMap: MapView<TrackTrip & { readonly vehicle?: string }> = {
  formats: mapFormats,
  position: ['startPosition.latitude', 'startPosition.longitude', 'endPosition.latitude', 'endPosition.longitude'],
  needs: [],
  featureOf: (trip) => tripLine(trip, [trip.vehicle, trip.startedAt].filter(Boolean).join(', ')),
};

export const stopMap: MapView<Stop & { readonly vehicle?: string }> = {
  formats: mapFormats,
  position: ['position.latitude', 'position.longitude'],
  needs: ['id', 'startedAt'],
  featureOf: ({ id, vehicle, startedAt, position }) =>
    position && {
      geometry: { type: 'Point', coordinates: [position.longitude, position.latitude] },
      name: [vehicle, startedAt].filter(Boolean).join(', '),
      times: [startedAt],
      id,
    },
};

/** The area of a geofence. GPX has no areas. */
export const geofenceMap: MapView<Geofence> = {
  formats: ['geojson', 'kml'],
  position: ['geojson'],
  needs: ['id', 'name'],
  featureOf: ({ id, name, geojson }) => {
    const geometry = geometryOf(geojson);
    return geometry && hasDegrees(geometry) ? { geometry, name: name ?? null, ...(id ? { id } : {}) } : null;
  },
};

/** Returns true when each position has two numbers. Map programs refuse other files. */
function hasDegrees(geometry: Geometry): boolean {
  if (geometry.type === 'GeometryCollection') {
    return geometry.geometries.map(geometryOf).every((part) => part !== null && hasDegrees(part));
  }
  const isComplete = (part: unknown): boolean => {
    if (!Array.isArray(part) || part.length === 0) return false;
    return part.some(Array.isArray) ? part.every(isComplete) : isFiniteNumber(part[0]) && isFiniteNumber(part[1]);
  };
  return isComplete(geometry.coordinates);
}

/** Returns the geometry of a GeoJSON object or of a GeoJSON feature. */
export function geometryOf(geojson: unknown): Geometry | null {
  if (!isObject(geojson)) return null;
  if ('geometry' in geojson) return geometryOf(geojson.geometry);
  if (typeof geojson.type !== 'string') return null;
  const members = geojson.coordinates ?? geojson.geometries;
  // The positions are not checked: the service stores any drawing.
  return Array.isArray(members) ? (geojson as unknown as Geometry) : null;
}

/** Returns a point at the position of a row; null for a row without a position. */
export function pointOf(row: Parameters<typeof fixOf>[0], name: string | null, id: string | undefined): Feature | null {
  const fix = fixOf(row);
  return (
    fix && {
      geometry: { type: 'Point', coordinates: positionOf(fix) },
      name,
      times: [new Date(fix.time).toISOString()],
      ...(id === undefined ? {} : { id }),
    }
  );
}
