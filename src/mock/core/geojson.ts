// Validates the GeoJSON of geofences (RFC 7946) and tests whether it contains a point.
import { isJsonObject } from './json-object.js';

function isPosition(value: unknown): value is readonly [number, number, ...number[]] {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) return false;
  if (!value.every((part: unknown) => typeof part === 'number' && Number.isFinite(part))) return false;
  const [longitude, latitude] = value;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

const positionProblem = 'a position must be [longitude, latitude] in degrees, longitude first';

function positionsProblem(value: unknown, minCount: number): string | null {
  if (!Array.isArray(value) || value.length < minCount) return `at least ${minCount} positions are needed`;
  return value.every(isPosition) ? null : positionProblem;
}

function ringProblem(value: unknown): string | null {
  const problem = positionsProblem(value, 4);
  if (problem !== null || !Array.isArray(value)) return problem ?? positionProblem;
  const first: unknown = value[0];
  const last: unknown = value[value.length - 1];
  return JSON.stringify(first) === JSON.stringify(last) ? null : 'a ring must end at the position it begins with';
}

function firstProblem(value: unknown, problemOf: (part: unknown) => string | null): string | null {
  if (!Array.isArray(value) || value.length === 0) return 'coordinates must not be empty';
  for (const part of value) {
    const problem = problemOf(part);
    if (problem !== null) return problem;
  }
  return null;
}

const polygonProblem = (value: unknown): string | null => firstProblem(value, ringProblem);

/** Returns the problem with the GeoJSON of a geofence; null when it is valid. */
export function geojsonProblem(value: unknown): string | null {
  if (!isJsonObject(value)) return 'an object is needed';
  const { type, coordinates } = value;
  switch (type) {
    case 'Feature':
      return isJsonObject(value.geometry) && value.geometry.type !== 'Feature'
        ? geojsonProblem(value.geometry)
        : 'a Feature needs a geometry';
    case 'Point':
      return isPosition(coordinates) ? null : positionProblem;
    case 'LineString':
      return positionsProblem(coordinates, 2);
    case 'Polygon':
      return polygonProblem(coordinates);
    case 'MultiPolygon':
      return firstProblem(coordinates, polygonProblem);
    default:
      return 'type must be Point, LineString, Polygon, MultiPolygon or a Feature of one of them';
  }
}

function isNorthOf(position: unknown, latitude: number): boolean {
  return Array.isArray(position) && position[1] > latitude;
}

function isInRing(ring: unknown, x: number, y: number): boolean {
  if (!Array.isArray(ring)) return false;
  let inside = false;
  let previous: unknown = ring[ring.length - 1];
  for (const position of ring) {
    // Only edges that cross the point's parallel count.
    if (isNorthOf(position, y) !== isNorthOf(previous, y) && isPosition(position) && isPosition(previous)) {
      const [x1, y1] = position;
      const [x2, y2] = previous;
      if (x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    }
    previous = position;
  }
  return inside;
}

function isInPolygon(rings: unknown, x: number, y: number): boolean {
  if (!Array.isArray(rings)) return false;
  const [outer, ...holes] = rings;
  return isInRing(outer, x, y) && !holes.some((hole) => isInRing(hole, x, y));
}

/** True when the point lies inside an area. Points and lines contain nothing. */
export function containsPoint(geojson: unknown, longitude: number, latitude: number): boolean {
  if (!isJsonObject(geojson)) return false;
  if (geojson.type === 'Feature') return containsPoint(geojson.geometry, longitude, latitude);
  if (geojson.type === 'Polygon') return isInPolygon(geojson.coordinates, longitude, latitude);
  if (geojson.type !== 'MultiPolygon' || !Array.isArray(geojson.coordinates)) return false;
  return geojson.coordinates.some((polygon) => isInPolygon(polygon, longitude, latitude));
}
