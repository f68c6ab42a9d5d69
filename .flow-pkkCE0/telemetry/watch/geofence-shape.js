import { greatCircleKm, METRES_PER_DEGREE } from "../../core/geo.js";
import { isObject } from "../../core/json.js";
import { isFiniteNumber } from "../positions.js";
function shapeOf(geojson, radiusMetres) {
  const shape = partsOf(geojson, radiusMetres);
  return shape.polygons.length + shape.buffers.length === 0 ? null : shape;
}
const nothing = { polygons: [], buffers: [] };
function partsOf(geojson, outerRadius) {
  if (!isObject(geojson)) return nothing;
  const { type, coordinates, properties } = geojson;
  const radius = radiusIn(geojson) ?? (isObject(properties) ? radiusIn(properties) : void 0) ?? outerRadius;
  const all = (parts, read) => joined(Array.isArray(parts) ? parts.map(read) : []);
  switch (type) {
    case "Feature":
      return partsOf(geojson.geometry, radius);
    case "FeatureCollection":
      return all(geojson.features, (feature) => partsOf(feature, radius));
    case "GeometryCollection":
      return all(geojson.geometries, (geometry) => partsOf(geometry, radius));
    case "Polygon":
      return polygonOf(coordinates);
    case "MultiPolygon":
      return all(coordinates, polygonOf);
    case "Point":
    // Not GeoJSON, but what some maps write for a circle.
    case "Circle":
      return bufferOf([coordinates ?? geojson.center], radius);
    case "MultiPoint":
      return all(coordinates, (point) => bufferOf([point], radius));
    case "LineString":
      return bufferOf(coordinates, radius);
    case "MultiLineString":
      return all(coordinates, (line) => bufferOf(line, radius));
    default:
      return nothing;
  }
}
function joined(shapes) {
  return { polygons: shapes.flatMap(({ polygons }) => polygons), buffers: shapes.flatMap(({ buffers }) => buffers) };
}
function polygonOf(rings) {
  const paths = Array.isArray(rings) ? rings.map(pathOf) : [];
  const [outer] = paths;
  if (outer === void 0 || outer === null || outer.length < 3) return nothing;
  return { polygons: [paths.filter((path) => path !== null)], buffers: [] };
}
function bufferOf(positions, radiusMetres) {
  const path = pathOf(positions);
  return path === null || path.length === 0 || radiusMetres === void 0 ? nothing : { polygons: [], buffers: [{ path, radiusMetres }] };
}
function pathOf(positions) {
  if (!Array.isArray(positions)) return null;
  const path = [];
  let before = null;
  let unrolled = 0;
  for (const position of positions) {
    const [longitude, latitude] = Array.isArray(position) ? position : [];
    if (!isFiniteNumber(longitude) || !isFiniteNumber(latitude)) return null;
    unrolled = before === null ? longitude : unrolled + step(longitude - before);
    before = longitude;
    path.push([unrolled, latitude]);
  }
  return path;
}
function step(degrees) {
  const size = Math.abs(degrees);
  return size > 180 && size < 360 ? degrees - Math.sign(degrees) * 360 : degrees;
}
function metresFromEdge(shape, position, reachMetres) {
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
function isNear(path, { latitude }, metres) {
  const margin = metres / METRES_PER_DEGREE;
  const { lowest, highest } = latitudesOf(path);
  return latitude >= lowest - margin && latitude <= highest + margin;
}
const latitudes = /* @__PURE__ */ new WeakMap();
function latitudesOf(path) {
  const known = latitudes.get(path);
  if (known) return known;
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
function isInRing(ring, { longitude, latitude }) {
  return [longitude, longitude - 360, longitude + 360].some((x) => isInPlaneRing(ring, x, latitude));
}
function isInPlaneRing(ring, x, y) {
  let isInside = false;
  let previous = ring.at(-1);
  for (const vertex of ring) {
    if (previous === void 0) break;
    const [x1, y1] = previous;
    const [x2, y2] = vertex;
    if (y1 > y !== y2 > y && x < (x2 - x1) * (y - y1) / (y2 - y1) + x1) isInside = !isInside;
    previous = vertex;
  }
  return isInside;
}
function metresToPath(path, position) {
  const [first] = path;
  if (first === void 0) return Number.POSITIVE_INFINITY;
  if (path.length === 1) return greatCircleKm({ longitude: first[0], latitude: first[1] }, position) * 1e3;
  let nearest = Number.POSITIVE_INFINITY;
  let previous = first;
  for (const vertex of path) {
    nearest = Math.min(nearest, metresToEdge(previous, vertex, position));
    previous = vertex;
  }
  return nearest;
}
function metresToEdge([x1, y1], [x2, y2], { longitude, latitude }) {
  const perDegree = METRES_PER_DEGREE * Math.cos(latitude * Math.PI / 180);
  const fromX = turned(x1 - longitude) * perDegree;
  const fromY = (y1 - latitude) * METRES_PER_DEGREE;
  const alongX = (x2 - x1) * perDegree;
  const alongY = (y2 - y1) * METRES_PER_DEGREE;
  const length = alongX * alongX + alongY * alongY;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(fromX * alongX + fromY * alongY) / length));
  return Math.hypot(fromX + part * alongX, fromY + part * alongY);
}
function turned(degrees) {
  return (degrees % 360 + 540) % 360 - 180;
}
function radiusIn(object) {
  const { radius } = object;
  return isFiniteNumber(radius) && radius > 0 ? radius : void 0;
}
export {
  isNear,
  metresFromEdge,
  shapeOf,
  turned
};
