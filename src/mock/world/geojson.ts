// GeoJSON as geofences use it (RFC 7946): is it sound, and is a point inside.

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPosition(value: unknown): value is readonly [number, number, ...number[]] {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  if (!value.every((part: unknown) => typeof part === 'number' && Number.isFinite(part))) return false;
  const [longitude, latitude] = value;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

const positionProblem = 'a position must be [longitude, latitude] in degrees, longitude first';

function pathProblem(value: unknown, atLeast: number): string | null {
  if (!Array.isArray(value) || value.length < atLeast) return `at least ${atLeast} positions are needed`;
  return value.every(isPosition) ? null : positionProblem;
}

function ringProblem(value: unknown): string | null {
  const problem = pathProblem(value, 4);
  // An array of positions: pathProblem has just found it to be one.
  if (problem !== null || !Array.isArray(value)) return problem ?? positionProblem;
  const first: unknown = value[0];
  const last: unknown = value[value.length - 1];
  return JSON.stringify(first) === JSON.stringify(last) ? null : 'a ring must end at the position it begins with';
}

function eachProblem(value: unknown, problemOf: (part: unknown) => string | null): string | null {
  if (!Array.isArray(value) || value.length === 0) return 'coordinates must not be empty';
  for (const part of value) {
    const problem = problemOf(part);
    if (problem !== null) return problem;
  }
  return null;
}

const polygonProblem = (value: unknown): string | null => eachProblem(value, ringProblem);

/** Why this is not the shape of a geofence; null when it is. */
export function geojsonProblem(value: unknown): string | null {
  if (!isObject(value)) return 'an object is needed';
  const { type, coordinates } = value;
  switch (type) {
    case 'Feature':
      return isObject(value.geometry) && value.geometry.type !== 'Feature'
        ? geojsonProblem(value.geometry)
        : 'a Feature needs a geometry';
    case 'Point':
      return isPosition(coordinates) ? null : positionProblem;
    case 'LineString':
      return pathProblem(coordinates, 2);
    case 'Polygon':
      return polygonProblem(coordinates);
    case 'MultiPolygon':
      return eachProblem(coordinates, polygonProblem);
    default:
      return 'type must be Point, LineString, Polygon, MultiPolygon or a Feature of one of them';
  }
}

function isNorthOf(position: unknown, latitude: number): boolean {
  return Array.isArray(position) && position[1] > latitude;
}

function inRing(ring: unknown, x: number, y: number): boolean {
  if (!Array.isArray(ring)) return false;
  let inside = false;
  let previous: unknown = ring[ring.length - 1];
  for (const position of ring) {
    // Few edges cross the parallel of the point; only these are looked at closely.
    if (isNorthOf(position, y) !== isNorthOf(previous, y) && isPosition(position) && isPosition(previous)) {
      const [x1, y1] = position;
      const [x2, y2] = previous;
      if (x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    }
    previous = position;
  }
  return inside;
}

function inPolygon(rings: unknown, x: number, y: number): boolean {
  if (!Array.isArray(rings)) return false;
  const [outer, ...holes] = rings;
  return inRing(outer, x, y) && !holes.some((hole) => inRing(hole, x, y));
}

/** Whether the shape has this point inside. Points and lines have no inside. */
export function contains(geojson: unknown, longitude: number, latitude: number): boolean {
  if (!isObject(geojson)) return false;
  if (geojson.type === 'Feature') return contains(geojson.geometry, longitude, latitude);
  if (geojson.type === 'Polygon') return inPolygon(geojson.coordinates, longitude, latitude);
  if (geojson.type !== 'MultiPolygon' || !Array.isArray(geojson.coordinates)) return false;
  return geojson.coordinates.some((polygon) => inPolygon(polygon, longitude, latitude));
}
