// Converts snapshots to points and trips to lines.

import { isPosition } from '../positions.js';
import type { Readings } from '../readings.js';
import { fixOf, type TrackSnapshot } from './fix.js';
import { positionOf } from './geojson.js';
import type { Position } from './geometry.js';
import type { MapFeature } from './map-item.js';

interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** The part of a trip that makes its line; all other members become properties. */
export interface TrackTrip {
  readonly id: string;
  readonly vehicleId: string;
  /** RFC 3339. */
  readonly startedAt: string;
  /** RFC 3339; null while the trip is open. */
  readonly endedAt?: string | null;
  /** RFC 3339: the time of the end position while the trip is open. */
  readonly lastSeenAt?: string | null;
  readonly startPosition: Coordinates | null;
  readonly endPosition: Coordinates | null;
  /** The positions in order of time, as `streamTrips` adds them with `withTrack: true`. */
  readonly track?: readonly (Coordinates & { readonly time: string })[] | null;
}

export function snapshotPoint(row: TrackSnapshot, name: string | null, readings?: Readings): MapFeature | null {
  const fix = fixOf(row, readings);
  if (fix === null) return null;
  const { vehicleId, time, speed, direction, ignition } = fix;
  return {
    kind: 'feature',
    geometry: { type: 'Point', coordinates: positionOf(fix) },
    name,
    times: [new Date(time).toISOString()],
    properties: { vehicleId, speed, direction, ignition },
  };
}

/** Returns the line of the track, else from start to end; a point for one position; or null. */
export function tripLine(trip: TrackTrip, name: string | null): MapFeature | null {
  const { id, startPosition, endPosition, track, ...rest } = trip;
  const driven = (track ?? []).flatMap((place) => placeAt(place, place.time));
  const endTime = trip.endedAt ?? trip.lastSeenAt ?? trip.startedAt;
  const places =
    driven.length > 1 ? driven : [...placeAt(startPosition, trip.startedAt), ...placeAt(endPosition, endTime)];
  const [first] = places;
  if (first === undefined) return null;
  return {
    kind: 'feature',
    id,
    geometry:
      places.length === 1
        ? { type: 'Point', coordinates: first.position }
        : { type: 'LineString', coordinates: places.map(({ position }) => position) },
    name,
    times: places.map(({ time }) => time),
    properties: rest,
  };
}

/** Returns an empty list for an invalid position. */
function placeAt(place: Coordinates | null, time: string): { readonly position: Position; readonly time: string }[] {
  if (place === null || !isPosition(place.latitude, place.longitude)) return [];
  return [{ position: [place.longitude, place.latitude], time }];
}
