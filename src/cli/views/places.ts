// Where vehicles, snapshots, trips and geofences are on a map.
import type { Geofence, Snapshot } from '../../index.js';
import { type TrackTrip, tripLine } from '../../telemetry/tracks/features.js';
import { fixOf } from '../../telemetry/tracks/fix.js';
import { positionOf } from '../../telemetry/tracks/geojson.js';
import type { Geometry } from '../../telemetry/tracks/geometry.js';
import { mapFormats, type Place, type Shape } from '../output/format.js';
import type { VehicleRow } from './vehicle.js';

/** A point where the vehicle was last. */
export const vehiclePlace: Place<VehicleRow> = {
  formats: mapFormats,
  position: ['lastData.gps.latitude', 'lastData.gps.longitude'],
  needs: ['id', 'name', 'lastData.timestamp', 'lastData.gps.state', 'lastData.gps.altitude'],
  of: ({ id, name, lastData }) => pointOf({ ...lastData, vehicleId: id }, name ?? null, id ?? undefined),
};

const snapshotFields = {
  position: ['gps.latitude', 'gps.longitude'],
  needs: ['vehicleId', 'timestamp', 'gps.state', 'gps.altitude', 'gps.speed', 'gps.direction', 'ignition.engineStatus'],
};

/** The way that a vehicle has gone. */
export const snapshotTrack: Place<Snapshot> = { ...snapshotFields, formats: mapFormats, isTrack: true, of: fixOf };

/** A point for each snapshot, with the vehicle's name. */
export function snapshotPoint(nameOf: (vehicleId: string) => string): Place<Snapshot> {
  return {
    ...snapshotFields,
    formats: mapFormats,
    of: (row) => pointOf(row, nameOf(row.vehicleId ?? '') || null, undefined),
  };
}

/** A line from where the trip starts to where it ends. */
export const tripPlace: Place<TrackTrip> = {
  formats: mapFormats,
  position: ['startPosition.latitude', 'startPosition.longitude', 'endPosition.latitude', 'endPosition.longitude'],
  needs: [],
  of: (trip) => tripLine(trip, trip.startedAt),
};

/** The shape that the geofence was made with. GPX has no areas. */
export const geofencePlace: Place<Geofence> = {
  formats: ['geojson', 'kml'],
  position: ['geojson'],
  needs: ['id', 'name'],
  of: ({ id, name, geojson }) => {
    const geometry = geometryOf(geojson);
    return geometry && { geometry, name: name ?? null, ...(id ? { id } : {}) };
  },
};

/** Of a GeoJSON object its geometry, which in a feature lies one level deeper. */
export function geometryOf(geojson: unknown): Geometry | null {
  if (typeof geojson !== 'object' || geojson === null) return null;
  if ('geometry' in geojson) return geometryOf(geojson.geometry);
  if (!('coordinates' in geojson || 'geometries' in geojson) || !('type' in geojson)) return null;
  // The service keeps only shapes that are GeoJSON; where it did not, the reader of the file finds out.
  return geojson as Geometry;
}

function pointOf(row: Parameters<typeof fixOf>[0], name: string | null, id: string | undefined): Shape | null {
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
