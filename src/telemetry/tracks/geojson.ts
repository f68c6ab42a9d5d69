// Writes map items as a GeoJSON FeatureCollection (RFC 7946), one feature at a time.

import type { Fix } from './fix.js';
import type { Geometry, Position } from './geometry.js';
import type { Items, MapFeature, MapItem, Segment } from './map-item.js';

/** Each chunk has one feature, on a line of its own. */
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
  const time = times === undefined ? {} : geometry.type === 'Point' ? { time: times[0] } : { coordTimes: times };
  return {
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    geometry,
    properties: { ...(name === null ? {} : { name }), ...properties, ...time },
  };
}

/** A line; a point when there is one fix, because a line needs two. */
function segmentFeature({ vehicleId, name, number, fixes }: Segment): object {
  const times = fixes.map(({ time }) => new Date(time).toISOString());
  const coordinates = fixes.map(positionOf);
  const [only] = coordinates;
  const geometry: Geometry =
    only !== undefined && coordinates.length === 1
      ? { type: 'Point', coordinates: only }
      : { type: 'LineString', coordinates };
  const properties = {
    vehicleId,
    ...(name === null ? {} : { name }),
    segment: number,
    startedAt: times[0],
    endedAt: times.at(-1),
    coordTimes: times,
    speeds: fixes.map(({ speed }) => speed),
    directions: fixes.map(({ direction }) => direction),
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
