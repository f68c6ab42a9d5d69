// Holds the shape of a geofence to RFC 7946 before it is sent: areas only, closed rings, degrees that exist, outer rings
// counter-clockwise and holes clockwise. What can be put right without doubt is put right, everything else refused.
import type { Geometry, Position } from '../../telemetry/tracks/geometry.js';

export type Area = Extract<Geometry, { type: 'Polygon' | 'MultiPolygon' }>;

/** What is wrong with a shape, and what to do about it. */
export interface Flaw {
  readonly problem: string;
  readonly hint: string;
}

/** The area that a GeoJSON object is, without altitudes; or why it is none. A closed line counts as the ring of an area. */
export function areaOf(geojson: unknown): Area | Flaw {
  if (!isObject(geojson))
    return flaw('it is no GeoJSON object', 'Give a Polygon or a MultiPolygon, or a Feature of one.');
  const { type, coordinates, geometry, features, geometries } = geojson;
  switch (type) {
    case 'Feature':
      return areaOf(geometry);
    case 'FeatureCollection':
    case 'GeometryCollection':
      return partsOf(Array.isArray(features) ? features : Array.isArray(geometries) ? geometries : []);
    case 'Polygon':
      return polygonOf(coordinates);
    case 'MultiPolygon':
      return multiPolygonOf(coordinates);
    case 'LineString':
      return isClosed(coordinates)
        ? polygonOf([coordinates])
        : flaw('a line has no area', 'Draw it as a polygon; a line is taken for one when it ends where it begins.');
    case 'Point':
    case 'MultiPoint':
      return flaw('a point has no area', 'Give --radius to make a circle around it.');
    default:
      return flaw(
        typeof type === 'string' ? `${type} is no area` : 'it has no GeoJSON type',
        'Give a Polygon or a MultiPolygon, or a Feature of one.',
      );
  }
}

export function isFlaw(area: Area | Flaw): area is Flaw {
  return 'problem' in area;
}

/** Several areas that belong together are one. */
function partsOf(members: readonly unknown[]): Area | Flaw {
  const polygons: Position[][][] = [];
  for (const member of members) {
    const area = areaOf(member);
    if (isFlaw(area)) return area;
    polygons.push(...(area.type === 'Polygon' ? [area.coordinates] : area.coordinates));
  }
  const [only] = polygons;
  if (only === undefined) return flaw('it holds nothing', 'Give at least one polygon.');
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
  const read: Position[][] = [];
  for (const [place, ring] of rings.entries()) {
    const positions = ringOf(ring);
    if (!Array.isArray(positions)) {
      return rings.length === 1 ? positions : { ...positions, problem: `ring ${place + 1}: ${positions.problem}` };
    }
    const isOuter = place === 0;
    read.push(areaTimesTwo(positions) > 0 === isOuter ? positions : positions.reverse());
  }
  return { type: 'Polygon', coordinates: read };
}

function ringOf(ring: unknown): Position[] | Flaw {
  if (!Array.isArray(ring) || ring.length < 4) {
    return flaw(
      'a ring needs at least 4 positions',
      'A triangle has four: its first position stands at its end again.',
    );
  }
  const positions: Position[] = [];
  for (const position of ring) {
    const [longitude, latitude] = Array.isArray(position) ? position : [];
    if (!isNumber(longitude) || !isNumber(latitude)) {
      return flaw('a position is no pair of numbers', 'A position is [longitude, latitude].');
    }
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) {
      return flaw('a position is not on the globe', 'A position is [longitude, latitude] in degrees, longitude first.');
    }
    positions.push([longitude, latitude]);
  }
  if (!isClosed(positions)) {
    return flaw('a ring does not end where it begins', 'Repeat its first position at its end.');
  }
  if (areaTimesTwo(positions) === 0) return flaw('a ring encloses nothing', 'Its positions lie on one line.');
  return positions;
}

/** Positive when the ring runs counter-clockwise. */
function areaTimesTwo(ring: readonly Position[]): number {
  let sum = 0;
  const [[x0 = 0, y0 = 0] = []] = ring;
  for (const [place, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring[place + 1] ?? [x0, y0];
    // From the first position, so that small areas far from 0,0 keep their digits.
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
