// Writes map items as a GeoJSON FeatureCollection (RFC 7946), one feature at a time.

import { isoTime } from '../timestamps.js';
import { cutAtAntimeridian, type LinePoint } from './antimeridian.js';
import type { Geometry, Position } from './geometry.js';
import type { Items, MapFeature, MapItem, Segment } from './map-item.js';
import type { Fix } from './position-fix.js';

/** Yields one feature per chunk, on a line of its own. */
export async function* geoJsonOf(items: Items<MapItem>): AsyncGenerator<string, void> {
  let separator = '{"type":"FeatureCollection","features":[\n';
  let hasItems = false;
  for await (const item of items) {
    yield separator + JSON.stringify(item.kind === 'segment' ? segmentFeature(item) : feature(item));
    separator = ',\n';
    hasItems = true;
  }
  yield hasItems ? '\n]}\n' : `${separator}]}\n`;
}

function feature({ id, geometry, name, times, properties }: MapFeature): object {
  const named = { ...(name === null ? {} : { name }), ...properties };
  const ids = id === undefined ? {} : { id };
  if (geometry.type === 'LineString' && times !== undefined) {
    const line = cutLine(geometry.coordinates, (index) => Date.parse(times[index] ?? ''));
    const coordTimes = line.eachOf(({ index, time }, isCut) => (isCut ? isoTime(time) : times[index]));
    return { type: 'Feature', ...ids, geometry: line.geometry, properties: { ...named, coordTimes } };
  }
  const time = times === undefined ? {} : geometry.type === 'Point' ? { time: times[0] } : { coordTimes: times };
  return { type: 'Feature', ...ids, geometry, properties: { ...named, ...time } };
}

/** Returns the line or its cut parts. `eachOf`: a value per position, nested like the geometry. */
function cutLine(coordinates: readonly Position[], timeOf: (index: number) => number) {
  const lines = cutAtAntimeridian(coordinates, timeOf);
  const isOne = lines.length === 1;
  const eachOf = <Value>(read: (place: LinePoint, isCut: boolean) => Value): readonly Value[] | readonly Value[][] => {
    const values = lines.map((line) => line.map((place) => read(place, place.position !== coordinates[place.index])));
    return isOne ? (values[0] ?? []) : values;
  };
  const positions = lines.map((line) => line.map(({ position }) => position));
  const geometry: Geometry = isOne
    ? { type: 'LineString', coordinates: positions[0] ?? [] }
    : { type: 'MultiLineString', coordinates: positions };
  return { geometry, eachOf };
}

/** Returns a line; a point for a single fix, because a line needs two. */
function segmentFeature({ vehicleId, name, number, fixes }: Segment): object {
  const coordinates = fixes.map(positionOf);
  const [only] = coordinates;
  const line = cutLine(coordinates, (index) => fixes[index]?.time ?? 0);
  const geometry: Geometry =
    only !== undefined && coordinates.length === 1 ? { type: 'Point', coordinates: only } : line.geometry;
  const properties = {
    vehicleId,
    ...(name === null ? {} : { name }),
    segment: number,
    startedAt: isoTime(fixes[0]?.time ?? 0),
    endedAt: isoTime(fixes.at(-1)?.time ?? 0),
    coordTimes: line.eachOf(({ time }) => isoTime(time)),
    speeds: line.eachOf(({ index }) => fixes[index]?.speed ?? null),
    directions: line.eachOf(({ index }) => fixes[index]?.direction ?? null),
  };
  return { type: 'Feature', geometry, properties };
}

export function positionOf({
  longitude,
  latitude,
  altitude,
}: Pick<Fix, 'longitude' | 'latitude' | 'altitude'>): Position {
  return altitude === null ? [longitude, latitude] : [longitude, latitude, altitude];
}
