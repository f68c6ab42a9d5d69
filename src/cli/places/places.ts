// Finds the geofence that a position is in, or the nearest one.

import { bearing, METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../core/geo.js';
import { readNumber } from '../../telemetry/readings.js';
import type { TripPosition } from '../../telemetry/trips/trip.js';
import { type Shape, shapeOf } from '../../telemetry/watch/geofence-shape.js';
import { type NearestPoint, nearestPointOf } from '../../telemetry/watch/nearest-point.js';
import { compassPoint } from '../views/compass.js';
import type { Place } from '../views/place.js';

/** A geofence, as the service answers it. */
export interface PlaceGeofence {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly geojson?: unknown;
}

interface KnownPlace {
  readonly id: string;
  readonly name: string;
  readonly shape: Shape;
  /** Square degrees of the boxes around its parts. */
  readonly size: number;
  /** Around all of it. */
  readonly box: Box;
}

/** How many positions are remembered. */
const MAX_REMEMBERED = 10_000;

/** Positions are compared with boxes a cell at a time. */
const CELL_DEGREES = 0.1;
/** From the middle of a cell to its corner, at most. */
const CELL_REACH_METRES = 8_000;

export class Places {
  /** The smallest first: a position in a depot is also in the country around it. */
  readonly #all: readonly KnownPlace[];
  readonly #found = new Map<string, Place | null>();

  constructor(areas: readonly PlaceGeofence[]) {
    this.#all = areas
      .flatMap(({ id, name, geojson }) => {
        const shape = shapeOf(geojson, undefined);
        if (!id || !name || !shape) return [];
        const boxes = boxesOf(shape);
        return [{ id, name, shape, size: boxes.reduce((sum, box) => sum + areaOf(box), 0), box: around(boxes) }];
      })
      .sort((a, b) => a.size - b.size);
  }

  /** Those that may hold one of these positions, by id: with thousands of geofences few of them. */
  near(positions: Iterable<TripPosition>): ReadonlyMap<string, { readonly name: string; readonly shape: Shape }> {
    const cells = new Map<string, TripPosition>();
    for (const { latitude, longitude } of positions) {
      const [row, column] = [Math.round(latitude / CELL_DEGREES), Math.round(longitude / CELL_DEGREES)];
      cells.set(`${row} ${column}`, { latitude: row * CELL_DEGREES, longitude: column * CELL_DEGREES });
    }
    const middles = [...cells.values()];
    const isNear = ({ box }: KnownPlace) => middles.some((middle) => metresToBox(box, middle) <= CELL_REACH_METRES);
    return new Map(this.#all.filter(isNear).map(({ id, name, shape }) => [id, { name, shape }]));
  }

  /** Null when there is no position or no geofence. */
  at(position: TripPosition | null): Place | null {
    if (position === null) return null;
    // A trip ends where the next one begins, and a standing vehicle sends the same position again and again.
    const key = `${position.latitude},${position.longitude}`;
    const before = this.#found.get(key);
    if (before !== undefined) return before;
    const place = this.#search(position);
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear();
    this.#found.set(key, place);
    return place;
  }

  #search(position: TripPosition): Place | null {
    let best: { readonly known: KnownPlace; readonly nearest: NearestPoint } | null = null;
    // The boxes tell at little cost which geofences cannot be the nearest: with thousands of geofences nearly all of them.
    const atLeast = this.#all.map(({ box }) => metresToBox(box, position));
    for (const index of [...inBoxes(atLeast), indexOfLeast(atLeast), ...atLeast.keys()]) {
      const known = this.#all[index];
      const limit = best?.nearest.metres ?? Number.POSITIVE_INFINITY;
      if (known === undefined || (atLeast[index] ?? 0) >= limit) continue;
      const nearest = nearestPointOf(known.shape, position, limit);
      if (nearest === null || nearest.metres >= limit) continue;
      best = { known, nearest };
      if (nearest.metres === 0) break;
    }
    return best && placeOf(best.known, best.nearest, position);
  }
}

/** How a position lies to one geofence. */
export function placeOf(
  { id, name }: { readonly id: string; readonly name: string },
  { metres, point }: NearestPoint,
  position: TripPosition,
): Place {
  const direction = metres === 0 ? null : compassPoint(bearing(point, position));
  return { id, name, distanceM: metres, direction };
}

/** Null without numbers, and for 0,0, which the service reports before the first GPS fix. */
export function positionIn(
  gps: { readonly latitude?: number | null; readonly longitude?: number | null } | null | undefined,
): TripPosition | null {
  const latitude = readNumber(gps?.latitude) ?? null;
  const longitude = readNumber(gps?.longitude) ?? null;
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  return { latitude, longitude };
}

/** Degrees. Longitudes may go on across the 180th meridian. */
interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

function boxesOf({ polygons, buffers }: Shape): readonly Box[] {
  return [
    ...polygons.map(([outer = []]) => boxOf(outer, 0)),
    ...buffers.map(({ path, radiusMetres }) => boxOf(path, radiusMetres)),
  ];
}

function boxOf(path: readonly (readonly [number, number])[], margin: number): Box {
  const longitudes = path.map(([longitude]) => longitude);
  const latitudes = path.map(([, latitude]) => latitude);
  const south = least(latitudes) - margin / METRES_PER_DEGREE;
  const north = greatest(latitudes) + margin / METRES_PER_DEGREE;
  // A degree of longitude is shortest at the end that is nearest to a pole.
  const shrink = Math.cos(Math.min(90, Math.max(Math.abs(south), Math.abs(north))) * RADIANS_PER_DEGREE);
  const degrees = margin === 0 ? 0 : Math.min(360, margin / METRES_PER_DEGREE / Math.max(shrink, 1e-6));
  return { west: least(longitudes) - degrees, east: greatest(longitudes) + degrees, south, north };
}

function around(boxes: readonly Box[]): Box {
  return {
    west: least(boxes.map(({ west }) => west)),
    east: greatest(boxes.map(({ east }) => east)),
    south: least(boxes.map(({ south }) => south)),
    north: greatest(boxes.map(({ north }) => north)),
  };
}

function areaOf({ west, east, south, north }: Box): number {
  return (east - west) * (north - south);
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}

/** At most the distance to anything in the box, on a sphere; a little less, because the distances to edges are rounded. */
function metresToBox({ west, east, south, north }: Box, { latitude, longitude }: TripPosition): number {
  const up = Math.max(0, south - latitude, latitude - north);
  // How far the meridians of the box are; on the other side of the globe the way may lead across a pole.
  const turn = (((longitude - west) % 360) + 360) % 360;
  const aside = turn <= east - west ? 0 : Math.min(turn - (east - west), 360 - turn);
  const toPole = 90 - Math.abs(latitude);
  const across =
    aside >= 90
      ? toPole
      : Math.asin(Math.cos(latitude * RADIANS_PER_DEGREE) * Math.sin(aside * RADIANS_PER_DEGREE)) / RADIANS_PER_DEGREE;
  return Math.max(0, Math.max(up, across) * METRES_PER_DEGREE * 0.999 - 1);
}

/** The smallest geofence first. */
function* inBoxes(metres: readonly number[]): Generator<number> {
  for (const [index, distance] of metres.entries()) if (distance === 0) yield index;
}

function indexOfLeast(metres: readonly number[]): number {
  let best = 0;
  for (const [index, distance] of metres.entries()) if (distance < (metres[best] ?? 0)) best = index;
  return best;
}
