import { greatCircleKm } from "../../core/geo.js";
import { isNear, metresFromEdge, turned } from "./geofence-shape.js";
function nearestPointOf(shape, position, reachMetres) {
  if (metresFromEdge(shape, position, 0) <= 0) return { metres: 0, point: position };
  const paths = [
    ...shape.polygons.flatMap((rings) => rings.map((path) => ({ path, radiusMetres: 0 }))),
    ...shape.buffers
  ];
  let nearest = null;
  for (const { path, radiusMetres } of paths) {
    const limit = nearest?.metres ?? reachMetres;
    if (!isNear(path, position, limit + radiusMetres)) continue;
    for (const point of nearestOnEdges(path, position)) {
      const metres = Math.max(0, greatCircleKm(point, position) * 1e3 - radiusMetres);
      if (metres <= reachMetres && (nearest === null || metres < nearest.metres)) nearest = { metres, point };
    }
  }
  return nearest;
}
function* nearestOnEdges(path, position) {
  const [first] = path;
  if (first === void 0) return;
  if (path.length === 1) yield pointOf(first);
  let previous = first;
  for (const vertex of path.slice(1)) {
    yield nearestOnEdge(previous, vertex, position);
    previous = vertex;
  }
}
function nearestOnEdge([x1, y1], [x2, y2], { longitude, latitude }) {
  const between = (latitude + (y1 + y2) / 2) / 2;
  const shrink = Math.cos(between * Math.PI / 180);
  const fromX = turned(x1 - longitude) * shrink;
  const fromY = y1 - latitude;
  const alongX = (x2 - x1) * shrink;
  const alongY = y2 - y1;
  const length = alongX * alongX + alongY * alongY;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(fromX * alongX + fromY * alongY) / length));
  return { longitude: x1 + part * (x2 - x1), latitude: y1 + part * (y2 - y1) };
}
function pointOf([longitude, latitude]) {
  return { longitude, latitude };
}
export {
  nearestPointOf
};
