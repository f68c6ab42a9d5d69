// Finds the point of a geofence that is nearest to a position, at any distance. geofence-shape.ts
// measures near the edge only, as needed for entering and leaving.
import { type GeoPosition, greatCircleKm } from '../../core/geo.js';
import { isNear, metresFromEdge, normalizedDegrees, type Path, type Shape, type Vertex } from './geofence-shape.js';

export interface NearestPoint {
  /** 0 inside of the shape. */
  readonly metres: number;
  /** On the edge of an area, or on the line with the radius; inside, the position itself. */
  readonly point: GeoPosition;
}

/** Returns null when the shape is farther than `reachMetres`. */
export function nearestPointOf(shape: Shape, position: GeoPosition, reachMetres: number): NearestPoint | null {
  if (metresFromEdge(shape, position, 0) <= 0) return { metres: 0, point: position };
  const paths = [
    ...shape.polygons.flatMap((rings) => rings.map((path) => ({ path, radiusMetres: 0 }))),
    ...shape.buffers,
  ];
  let nearest: NearestPoint | null = null;
  for (const { path, radiusMetres } of paths) {
    const limit: number = nearest?.metres ?? reachMetres;
    if (!isNear(path, position, limit + radiusMetres)) continue;
    for (const point of nearestOnEdges(path, position)) {
      const metres = Math.max(0, greatCircleKm(point, position) * 1_000 - radiusMetres);
      if (metres <= reachMetres && (nearest === null || metres < nearest.metres)) nearest = { metres, point };
    }
  }
  return nearest;
}

/** Yields the nearest point of each edge; for a path of one vertex, that vertex. */
function* nearestOnEdges(path: Path, position: GeoPosition): Generator<GeoPosition> {
  const [first] = path;
  if (first === undefined) return;
  if (path.length === 1) yield pointOf(first);
  let previous = first;
  for (const vertex of path.slice(1)) {
    yield nearestOnEdge(previous, vertex, position);
    previous = vertex;
  }
}

/**
 * Calculates on a plane scaled for the latitude half way to the edge. The plane only selects the
 * point; its distance is then great-circle.
 */
function nearestOnEdge([x1, y1]: Vertex, [x2, y2]: Vertex, { longitude, latitude }: GeoPosition): GeoPosition {
  const between = (latitude + (y1 + y2) / 2) / 2;
  const shrink = Math.cos((between * Math.PI) / 180);
  const fromX = normalizedDegrees(x1 - longitude) * shrink;
  const fromY = y1 - latitude;
  const alongX = (x2 - x1) * shrink;
  const alongY = y2 - y1;
  const length = alongX * alongX + alongY * alongY;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(fromX * alongX + fromY * alongY) / length));
  return { longitude: x1 + part * (x2 - x1), latitude: y1 + part * (y2 - y1) };
}

function pointOf([longitude, latitude]: Vertex): GeoPosition {
  return { longitude, latitude };
}
