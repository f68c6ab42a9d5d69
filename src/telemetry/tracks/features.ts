// Converts snapshots to points and trips to lines.

import { isPosition } from '../positions.js';
import { fixOf, type TrackSnapshot } from './fix.js';
import { positionOf } from './geojson.js';
import type { Position } from './geometry.js';
import type { MapFeature } from './map-item.js';

interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** The parts of a trip that make its line; all other members become properties. */
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
}

export function snapshotPoint(row: TrackSnapshot, name: string | null): MapFeature | null {
  const fix = fixOf(row);
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

/** A line from the start to the end; a point when only one of them is known, null when neither is. */
export function tripLine(trip: TrackTrip, name: string | null): MapFeature | null {
  const { id, startPosition, endPosition, ...rest } = trip;
  const start = toPosition(startPosition);
  const end = toPosition(endPosition);
  const endTime = trip.endedAt ?? trip.lastSeenAt ?? trip.startedAt;
  const ends = [
    ...(start === null ? [] : [{ position: start, time: trip.startedAt }]),
    ...(end === null ? [] : [{ position: end, time: endTime }]),
  ];
  const [first] = ends;
  if (first === undefined) return null;
  return {
    kind: 'feature',
    id,
    geometry:
      ends.length === 1
        ? { type: 'Point', coordinates: first.position }
        : { type: 'LineString', coordinates: ends.map(({ position }) => position) },
    name,
    times: ends.map(({ time }) => time),
    properties: rest,
  };
}

function toPosition(place: Coordinates | null): Position | null {
  return place !== null && isPosition(place.latitude, place.longitude) ? [place.longitude, place.latitude] : null;
}
