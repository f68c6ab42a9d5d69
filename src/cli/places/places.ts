// Finds the geofence around a position, or the nearest one.

import { bearing, METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../core/geo.js';
import { readNumber } from '../../telemetry/readings.js';
import type { TripPosition } from '../../telemetry/trips/trip.js';
import { type Shape, shapeOf } from '../../telemetry/watch/geofence-shape.js';
import { type NearestPoint, nearestPointOf } from '../../telemetry/watch/nearest-point.js';
import { compassPoint } from '../views/compass.js';
import type { Place } from '../views/place.js';

interface PlaceGeofence {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly geojson?: unknown;
}

interface IndexedPlace {
  readonly id: string;
  readonly name: string;
  readonly shape: Shape;
  /** In square degrees: sum of the boxes around its parts. */
  readonly size: number;
  readonly box: Box;
}

const MAX_CACHED = 10_000;

/** Positions are compared with boxes by cell. */
const CELL_DEGREES = 0.1;
/** Maximum distance from the center of a cell to its corner. */
const CELL_REACH_METRES = 8_000;

export class Places {
  /** Smallest first: a position in a depot is also in a geofence of the whole country. */
  readonly #all: readonly IndexedPlace[];
  readonly #found = new Map<string, Place | null>();

  constructor(areas: readonly PlaceGeofence[]) {
    this.#all = areas
      .flatMap(({ id, name, geojson }) => {
        const shape = shapeOf(geojson, undefined);
        if (!id || !name || !shape) return [];
        const boxes = boxesOf(shape);
        return [{ id, name, shape, size: boxes.reduce((sum, box) => sum + areaOf(box), 0), box: boundingBox(boxes) }];
      })
      .sort((a, b) => a.size - b.size);
  }

  /** Returns the geofences that may contain one of the positions, by id: few of thousands. */
  near(positions: Iterable<TripPosition>): ReadonlyMap<string, { readonly name: string; readonly shape: Shape }> {
    const cells = new Map<string, TripPosition>();
    for (const { latitude, longitude } of positions) {
      const [row, column] = [Math.round(latitude / CELL_DEGREES), Math.round(longitude / CELL_DEGREES)];
      cells.set(`${row} ${column}`, { latitude: row * CELL_DEGREES, longitude: column * CELL_DEGREES });
    }
    const middles = [...cells.values()];
    const isNear = ({ box }: IndexedPlace) => middles.some((middle) => metresToBox(box, middle) <= CELL_REACH_METRES);
    return new Map(this.#all.filter(isNear).map(({ id, name, shape }) => [id, { name, shape }]));
  }

  /** Returns null without a position or without geofences. */
  at(position: TripPosition | null): Place | null {
    if (position === null) return null;
    // Trips end where the next one begins, and parked vehicles repeat their position.
    const key = `${position.latitude},${position.longitude}`;
    const before = this.#found.get(key);
    if (before !== undefined) return before;
    const place = this.#search(position);
    if (this.#found.size >= MAX_CACHED) this.#found.clear();
    this.#found.set(key, place);
    return place;
  }

  #search(position: TripPosition): Place | null {
    let best: { readonly candidate: IndexedPlace; readonly nearest: NearestPoint } | null = null;
    // The boxes exclude nearly all of thousands of geofences at little cost.
    const lowerBounds = this.#all.map(({ box }) => metresToBox(box, position));
    for (const index of [...indexesInBox(lowerBounds), indexOfLeast(lowerBounds), ...lowerBounds.keys()]) {
      const candidate = this.#all[index];
      const limit = best?.nearest.metres ?? Number.POSITIVE_INFINITY;
      if (candidate === undefined || (lowerBounds[index] ?? 0) >= limit) continue;
      const nearest = nearestPointOf(candidate.shape, position, limit);
      if (nearest === null || nearest.metres >= limit) continue;
      best = { candidate, nearest };
      if (nearest.metres === 0) break;
    }
    return best && placeOf(best.candidate, best.nearest, position);
  }
}

export function placeOf(
  { id, name }: { readonly id: string; readonly name: string },
  { metres, point }: NearestPoint,
  position: TripPosition,
): Place {
  const direction = metres === 0 ? null : compassPoint(bearing(point, position));
  return { id, name, distanceM: metres, direction };
}

/** Returns null without numbers, and for 0,0, which the service sends before the first fix. */
export function positionIn(
  gps: { readonly latitude?: number | null; readonly longitude?: number | null } | null | undefined,
): TripPosition | null {
  const latitude = readNumber(gps?.latitude) ?? null;
  const longitude = readNumber(gps?.longitude) ?? null;
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  return { latitude, longitude };
}

/** In degrees. Longitudes may continue across the 180th meridian. */
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
  // A degree of longitude is shortest at the latitude closest to a pole.
  const shrink = Math.cos(Math.min(90, Math.max(Math.abs(south), Math.abs(north))) * RADIANS_PER_DEGREE);
  const degrees = margin === 0 ? 0 : Math.min(360, margin / METRES_PER_DEGREE / Math.max(shrink, 1e-6));
  return { west: least(longitudes) - degrees, east: greatest(longitudes) + degrees, south, north };
}

function boundingBox(boxes: readonly Box[]): Box {
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

/** Returns a lower bound of the distance to the box in metres, with a margin for rounding. */
function metresToBox({ west, east, south, north }: Box, { latitude, longitude }: TripPosition): number {
  const up = Math.max(0, south - latitude, latitude - north);
  // Distance to the meridians of the box; the shortest path may cross a pole.
  const turn = (((longitude - west) % 360) + 360) % 360;
  const aside = turn <= east - west ? 0 : Math.min(turn - (east - west), 360 - turn);
  const toPole = 90 - Math.abs(latitude);
  const across =
    aside >= 90
      ? toPole
      : Math.asin(Math.cos(latitude * RADIANS_PER_DEGREE) * Math.sin(aside * RADIANS_PER_DEGREE)) / RADIANS_PER_DEGREE;
  return Math.max(0, Math.max(up, across) * METRES_PER_DEGREE * 0.999 - 1);
}

function* indexesInBox(metres: readonly number[]): Generator<number> {
  for (const [index, distance] of metres.entries()) if (distance === 0) yield index;
}

function indexOfLeast(metres: readonly number[]): number {
  let best = 0;
  for (const [index, distance] of metres.entries()) if (distance < (metres[best] ?? 0)) best = index;
  return best;
}
