import { bearing, METRES_PER_DEGREE, RADIANS_PER_DEGREE } from "../../core/geo.js";
import { readNumber } from "../../telemetry/readings.js";
import { shapeOf } from "../../telemetry/watch/geofence-shape.js";
import { nearestPointOf } from "../../telemetry/watch/nearest-point.js";
import { compassPoint } from "../views/compass.js";
const MAX_REMEMBERED = 1e4;
const CELL_DEGREES = 0.1;
const CELL_REACH_METRES = 8e3;
class Places {
  /** The smallest first: a position in a depot is also in the country around it. */
  #all;
  #found = /* @__PURE__ */ new Map();
  constructor(areas) {
    this.#all = areas.flatMap(({ id, name, geojson }) => {
      const shape = shapeOf(geojson, void 0);
      if (!id || !name || !shape) return [];
      const boxes = boxesOf(shape);
      return [{ id, name, shape, size: boxes.reduce((sum, box) => sum + areaOf(box), 0), box: around(boxes) }];
    }).sort((a, b) => a.size - b.size);
  }
  /** Those that may hold one of these positions, by id: with thousands of geofences few of them. */
  near(positions) {
    const cells = /* @__PURE__ */ new Map();
    for (const { latitude, longitude } of positions) {
      const [row, column] = [Math.round(latitude / CELL_DEGREES), Math.round(longitude / CELL_DEGREES)];
      cells.set(`${row} ${column}`, { latitude: row * CELL_DEGREES, longitude: column * CELL_DEGREES });
    }
    const middles = [...cells.values()];
    const isNear = ({ box }) => middles.some((middle) => metresToBox(box, middle) <= CELL_REACH_METRES);
    return new Map(this.#all.filter(isNear).map(({ id, name, shape }) => [id, { name, shape }]));
  }
  /** Null when there is no position or no geofence. */
  at(position) {
    if (position === null) return null;
    const key = `${position.latitude},${position.longitude}`;
    const before = this.#found.get(key);
    if (before !== void 0) return before;
    const place = this.#search(position);
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear();
    this.#found.set(key, place);
    return place;
  }
  #search(position) {
    let best = null;
    const atLeast = this.#all.map(({ box }) => metresToBox(box, position));
    for (const index of [...inBoxes(atLeast), indexOfLeast(atLeast), ...atLeast.keys()]) {
      const known = this.#all[index];
      const limit = best?.nearest.metres ?? Number.POSITIVE_INFINITY;
      if (known === void 0 || (atLeast[index] ?? 0) >= limit) continue;
      const nearest = nearestPointOf(known.shape, position, limit);
      if (nearest === null || nearest.metres >= limit) continue;
      best = { known, nearest };
      if (nearest.metres === 0) break;
    }
    return best && placeOf(best.known, best.nearest, position);
  }
}
function placeOf({ id, name }, { metres, point }, position) {
  const direction = metres === 0 ? null : compassPoint(bearing(point, position));
  return { id, name, distanceM: metres, direction };
}
function positionIn(gps) {
  const latitude = readNumber(gps?.latitude) ?? null;
  const longitude = readNumber(gps?.longitude) ?? null;
  if (latitude === null || longitude === null || latitude === 0 && longitude === 0) return null;
  return { latitude, longitude };
}
function boxesOf({ polygons, buffers }) {
  return [
    ...polygons.map(([outer = []]) => boxOf(outer, 0)),
    ...buffers.map(({ path, radiusMetres }) => boxOf(path, radiusMetres))
  ];
}
function boxOf(path, margin) {
  const longitudes = path.map(([longitude]) => longitude);
  const latitudes = path.map(([, latitude]) => latitude);
  const south = least(latitudes) - margin / METRES_PER_DEGREE;
  const north = greatest(latitudes) + margin / METRES_PER_DEGREE;
  const shrink = Math.cos(Math.min(90, Math.max(Math.abs(south), Math.abs(north))) * RADIANS_PER_DEGREE);
  const degrees = margin === 0 ? 0 : Math.min(360, margin / METRES_PER_DEGREE / Math.max(shrink, 1e-6));
  return { west: least(longitudes) - degrees, east: greatest(longitudes) + degrees, south, north };
}
function around(boxes) {
  return {
    west: least(boxes.map(({ west }) => west)),
    east: greatest(boxes.map(({ east }) => east)),
    south: least(boxes.map(({ south }) => south)),
    north: greatest(boxes.map(({ north }) => north))
  };
}
function areaOf({ west, east, south, north }) {
  return (east - west) * (north - south);
}
function least(values) {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}
function greatest(values) {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
function metresToBox({ west, east, south, north }, { latitude, longitude }) {
  const up = Math.max(0, south - latitude, latitude - north);
  const turn = ((longitude - west) % 360 + 360) % 360;
  const aside = turn <= east - west ? 0 : Math.min(turn - (east - west), 360 - turn);
  const toPole = 90 - Math.abs(latitude);
  const across = aside >= 90 ? toPole : Math.asin(Math.cos(latitude * RADIANS_PER_DEGREE) * Math.sin(aside * RADIANS_PER_DEGREE)) / RADIANS_PER_DEGREE;
  return Math.max(0, Math.max(up, across) * METRES_PER_DEGREE * 0.999 - 1);
}
function* inBoxes(metres) {
  for (const [index, distance] of metres.entries()) if (distance === 0) yield index;
}
function indexOfLeast(metres) {
  let best = 0;
  for (const [index, distance] of metres.entries()) if (distance < (metres[best] ?? 0)) best = index;
  return best;
}
export {
  Places,
  placeOf,
  positionIn
};
