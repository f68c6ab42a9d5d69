// Checks the shape of a geofence against RFC 7946. Corrects only the direction of rings.
import { isObject } from '../../core/json.js';
import type { Geometry, Position } from '../../telemetry/tracks/geometry.js';

export type Area = Extract<Geometry, { type: 'Polygon' | 'MultiPolygon' }>;

/** An error in a shape, with a hint. */
export interface Flaw {
  readonly problem: string;
  readonly hint: string;
}

/** Returns the area of a GeoJSON object, or its error. A closed line counts as a ring. */
export function areaOf(geojson: unknown): Area | Flaw {
  if (geojson === null)
    return flaw('it has no geometry', 'Give it a Polygon or a MultiPolygon, or leave the feature out.');
  if (!isObject(geojson))
    return flaw('it is not a GeoJSON object', 'Give a Polygon or a MultiPolygon, or a Feature of one.');
  const { type, coordinates, geometry, features, geometries } = geojson;
  switch (type) {
    case 'Feature':
      return areaOf(geometry);
    case 'FeatureCollection':
    case 'GeometryCollection':
      return partsOf(Array.isArray(features) ? features : Array.isArray(geometries) ? withoutLabels(geometries) : []);
    case 'Polygon':
      return polygonOf(coordinates);
    case 'MultiPolygon':
      return multiPolygonOf(coordinates);
    case 'LineString':
      return isClosed(coordinates)
        ? polygonOf([coordinates])
        : flaw('a line has no area', 'Draw it as a polygon, or close the line: end it where it begins.');
    case 'Point':
    case 'MultiPoint':
      return flaw('a point has no area', 'Give --radius to make a circle around it.');
    default:
      return flaw(
        typeof type === 'string' ? `${type} is not an area` : 'it has no GeoJSON type',
        'Give a Polygon or a MultiPolygon, or a Feature of one.',
      );
  }
}

export function isFlaw(area: Area | Flaw): area is Flaw {
  return 'problem' in area;
}

/** Removes points that Google Earth and ArcGIS add for labels, unless there is nothing else. */
function withoutLabels(geometries: readonly unknown[]): readonly unknown[] {
  const others = geometries.filter((geometry) => !isObject(geometry) || geometry.type !== 'Point');
  return others.length > 0 ? others : geometries;
}

function partsOf(members: readonly unknown[]): Area | Flaw {
  const polygons: Position[][][] = [];
  for (const member of members) {
    const area = areaOf(member);
    if (isFlaw(area)) return area;
    polygons.push(...(area.type === 'Polygon' ? [area.coordinates] : area.coordinates));
  }
  const [only] = polygons;
  if (only === undefined) return flaw('it is empty', 'Give at least one polygon.');
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function multiPolygonOf(coordinates: unknown): Area | Flaw {
  return partsOf(
    Array.isArray(coordinates) ? coordinates.map((rings) => ({ type: 'Polygon', coordinates: rings })) : [],
  );
}

function polygonOf(rings: unknown): Area | Flaw {
  if (!Array.isArray(rings) || rings.length === 0) return flaw('the polygon has no ring', 'Give its outer ring first.');
  const corrected: Position[][] = [];
  for (const [index, ring] of rings.entries()) {
    const positions = ringOf(ring);
    if (!Array.isArray(positions)) {
      return rings.length === 1 ? positions : { ...positions, problem: `ring ${index + 1}: ${positions.problem}` };
    }
    const isOuter = index === 0;
    corrected.push(doubleArea(positions) > 0 === isOuter ? positions : positions.reverse());
  }
  return { type: 'Polygon', coordinates: corrected };
}

function ringOf(ring: unknown): Position[] | Flaw {
  if (!Array.isArray(ring) || ring.length < 4) {
    return flaw('a ring needs at least 4 positions', 'A triangle has four: the last position repeats the first.');
  }
  const positions: Position[] = [];
  for (const position of ring) {
    const [longitude, latitude] = Array.isArray(position) ? position : [];
    if (!isNumber(longitude) || !isNumber(latitude)) {
      return flaw('a position is not a pair of numbers', 'A position is [longitude, latitude].');
    }
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) {
      return flaw('a position is out of range', 'A position is [longitude, latitude] in degrees, longitude first.');
    }
    positions.push([longitude, latitude]);
  }
  if (!isClosed(positions)) {
    return flaw('a ring is not closed', 'Repeat its first position at its end.');
  }
  if (doubleArea(positions) === 0) return flaw('a ring has no area', 'Its positions are on one line.');
  return positions;
}

/** Returns twice the area; positive for a counter-clockwise ring. */
function doubleArea(ring: readonly Position[]): number {
  let sum = 0;
  const [[x0 = 0, y0 = 0] = []] = ring;
  for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring[index + 1] ?? [x0, y0];
    // Relative to the first position, so that small areas far from 0,0 keep their precision.
    sum += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return sum;
}

function isClosed(coordinates: unknown): boolean {
  if (!Array.isArray(coordinates) || coordinates.length < 4) return false;
  const [first, last]: unknown[] = [coordinates[0], coordinates.at(-1)];
  return Array.isArray(first) && Array.isArray(last) && first[0] === last[0] && first[1] === last[1];
}

function flaw(problem: string, hint: string): Flaw {
  return { problem, hint };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
