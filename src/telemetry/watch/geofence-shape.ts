// The shapes of geofences: reads GeoJSON (RFC 7946), and measures the distance of a position from
// the edge. Edges of areas are straight in longitude and latitude, as in the RFC; the distance to a
// point is great-circle.

import { type GeoPosition, greatCircleKm, METRES_PER_DEGREE } from '../../core/geo.js';
import { isObject } from '../../core/json.js';
import { isFiniteNumber } from '../positions.js';

/** Longitude and latitude in degrees. Longitudes continue across the 180th meridian. */
export type Vertex = readonly [longitude: number, latitude: number];
export type Path = readonly Vertex[];

export interface Shape {
  /** Each with its outer ring first, then its holes. */
  readonly polygons: readonly (readonly Path[])[];
  /** Circles are paths of one vertex, corridors paths of several. */
  readonly buffers: readonly { readonly path: Path; readonly radiusMetres: number }[];
}

/**
 * Returns the shape of a geofence; null when no vehicle can be inside. Points and lines need a
 * radius in metres: `radius` next to the coordinates or in the properties of the Feature, else
 * `radiusMetres`.
 */
export function shapeOf(geojson: unknown, radiusMetres: number | undefined): Shape | null {
  const shape = partsOf(geojson, radiusMetres);
  return shape.polygons.length + shape.buffers.length === 0 ? null : shape;
}

const emptyShape: Shape = { polygons: [], buffers: [] };

function partsOf(geojson: unknown, outerRadius: number | undefined): Shape {
  if (!isObject(geojson)) return emptyShape;
  const { type, coordinates, properties } = geojson;
  const radius = radiusIn(geojson) ?? (isObject(properties) ? radiusIn(properties) : undefined) ?? outerRadius;
  const all = (parts: unknown, read: (part: unknown) => Shape) => joined(Array.isArray(parts) ? parts.map(read) : []);
  switch (type) {
    case 'Feature':
      return partsOf(geojson.geometry, radius);
    case 'FeatureCollection':
      return all(geojson.features, (feature) => partsOf(feature, radius));
    case 'GeometryCollection':
      return all(geojson.geometries, (geometry) => partsOf(geometry, radius));
    case 'Polygon':
      return polygonOf(coordinates);
    case 'MultiPolygon':
      return all(coordinates, polygonOf);
    case 'Point':
    // Not GeoJSON, but some maps write circles like this.
    case 'Circle':
      return bufferOf([coordinates ?? geojson.center], radius);
    case 'MultiPoint':
      return all(coordinates, (point) => bufferOf([point], radius));
    case 'LineString':
      return bufferOf(coordinates, radius);
    case 'MultiLineString':
      return all(coordinates, (line) => bufferOf(line, radius));
    default:
      return emptyShape;
  }
}

function joined(shapes: readonly Shape[]): Shape {
  return { polygons: shapes.flatMap(({ polygons }) => polygons), buffers: shapes.flatMap(({ buffers }) => buffers) };
}

function polygonOf(rings: unknown): Shape {
  const paths = Array.isArray(rings) ? rings.map(pathOf) : [];
  const [outer] = paths;
  if (outer === undefined || outer === null || outer.length < 3) return emptyShape;
  return { polygons: [paths.filter((path) => path !== null)], buffers: [] };
}

function bufferOf(positions: unknown, radiusMetres: number | undefined): Shape {
  const path = pathOf(positions);
  return path === null || path.length === 0 || radiusMetres === undefined
    ? emptyShape
    : { polygons: [], buffers: [{ path, radiusMetres }] };
}

function pathOf(positions: unknown): Path | null {
  if (!Array.isArray(positions)) return null;
  const path: Vertex[] = [];
  let before: number | null = null;
  let unrolled = 0;
  for (const position of positions) {
    const [longitude, latitude]: unknown[] = Array.isArray(position) ? position : [];
    if (!isFiniteNumber(longitude) || !isFiniteNumber(latitude)) return null;
    unrolled = before === null ? longitude : unrolled + step(longitude - before);
    before = longitude;
    path.push([unrolled, latitude]);
  }
  return path;
}

/** Returns the step across the 180th meridian, if it is the shorter way; a full turn stays. */
function step(degrees: number): number {
  const size = Math.abs(degrees);
  return size > 180 && size < 360 ? degrees - Math.sign(degrees) * 360 : degrees;
}

/** Returns the metres from the edge, negative inside; Infinity beyond `reachMetres`. */
export function metresFromEdge(shape: Shape, position: GeoPosition, reachMetres: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const rings of shape.polygons) {
    const [outer = [], ...holes] = rings;
    if (!isNear(outer, position, reachMetres)) continue;
    const isInside = isInRing(outer, position) && !holes.some((hole) => isInRing(hole, position));
    let edge = Number.POSITIVE_INFINITY;
    for (const ring of rings) edge = Math.min(edge, metresToPath(ring, position));
    nearest = Math.min(nearest, isInside ? -edge : edge);
  }
  for (const { path, radiusMetres } of shape.buffers) {
    if (!isNear(path, position, reachMetres + radiusMetres)) continue;
    nearest = Math.min(nearest, metresToPath(path, position) - radiusMetres);
  }
  return nearest <= reachMetres ? nearest : Number.POSITIVE_INFINITY;
}

/** Returns false when the latitude is too far: a cheap check that excludes most geofences. */
export function isNear(path: Path, { latitude }: GeoPosition, metres: number): boolean {
  const margin = metres / METRES_PER_DEGREE;
  const { lowest, highest } = latitudesOf(path);
  return latitude >= lowest - margin && latitude <= highest + margin;
}

interface Latitudes {
  readonly lowest: number;
  readonly highest: number;
}

/** A cache, as each path is compared with many positions. */
const latitudes = new WeakMap<Path, Latitudes>();

function latitudesOf(path: Path): Latitudes {
  const cached = latitudes.get(path);
  if (cached) return cached;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [, y] of path) {
    if (y < lowest) lowest = y;
    if (y > highest) highest = y;
  }
  const found = { lowest, highest };
  latitudes.set(path, found);
  return found;
}

function isInRing(ring: Path, { longitude, latitude }: GeoPosition): boolean {
  return [longitude, longitude - 360, longitude + 360].some((x) => isInPlaneRing(ring, x, latitude));
}

/** Counts the edges that a ray to the east crosses. */
function isInPlaneRing(ring: Path, x: number, y: number): boolean {
  let isInside = false;
  let previous = ring.at(-1);
  for (const vertex of ring) {
    if (previous === undefined) break;
    const [x1, y1] = previous;
    const [x2, y2] = vertex;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
    previous = vertex;
  }
  return isInside;
}

function metresToPath(path: Path, position: GeoPosition): number {
  const [first] = path;
  if (first === undefined) return Number.POSITIVE_INFINITY;
  if (path.length === 1) return greatCircleKm({ longitude: first[0], latitude: first[1] }, position) * 1_000;
  let nearest = Number.POSITIVE_INFINITY;
  let previous = first;
  for (const vertex of path) {
    nearest = Math.min(nearest, metresToEdge(previous, vertex, position));
    previous = vertex;
  }
  return nearest;
}

/** Measures on a plane tangent to the earth at the position: exact near the edge. */
function metresToEdge([x1, y1]: Vertex, [x2, y2]: Vertex, { longitude, latitude }: GeoPosition): number {
  const perDegree = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  const fromX = normalizedDegrees(x1 - longitude) * perDegree;
  const fromY = (y1 - latitude) * METRES_PER_DEGREE;
  const alongX = (x2 - x1) * perDegree;
  const alongY = (y2 - y1) * METRES_PER_DEGREE;
  const length = alongX * alongX + alongY * alongY;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(fromX * alongX + fromY * alongY) / length));
  return Math.hypot(fromX + part * alongX, fromY + part * alongY);
}

/** Returns the angle from -180 to 180. */
export function normalizedDegrees(degrees: number): number {
  return (((degrees % 360) + 540) % 360) - 180;
}

function radiusIn(object: Readonly<Record<string, unknown>>): number | undefined {
  const { radius } = object;
  return isFiniteNumber(radius) && radius > 0 ? radius : undefined;
}
