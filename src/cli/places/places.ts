// Finds the geofence that a position is in, or the nearest one.

import { readNumber } from '../../telemetry/readings.js';
import type { TripPosition } from '../../telemetry/trips/trip.js';
import { type Shape, shapeOf } from '../../telemetry/watch/geofence-shape.js';
import { type NearestPoint, nearestPointOf } from '../../telemetry/watch/nearest-point.js';
import { compassPoint } from '../views/compass.js';
import type { Place } from '../views/place.js';
import { bearing } from './bearing.js';

/** A geofence, as the service answers it. */
export interface Area {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly geojson?: unknown;
}

interface KnownPlace {
  readonly id: string;
  readonly name: string;
  readonly shape: Shape;
  /** Square degrees of the box around it. */
  readonly size: number;
}

/** How many positions are remembered. */
const maxRemembered = 10_000;

export class Places {
  /** The smallest first: a position in a depot is also in the country around it. */
  readonly #all: readonly KnownPlace[];
  readonly #found = new Map<string, Place | null>();

  constructor(areas: readonly Area[]) {
    this.#all = areas
      .flatMap(({ id, name, geojson }) => {
        const shape = shapeOf(geojson, undefined);
        return id && name && shape ? [{ id, name, shape, size: sizeOf(shape) }] : [];
      })
      .sort((a, b) => a.size - b.size);
  }

  /** Null when there is no position or no geofence. */
  at(position: TripPosition | null): Place | null {
    if (position === null) return null;
    // A trip ends where the next one begins, and a standing vehicle sends the same position again and again.
    const key = `${position.latitude},${position.longitude}`;
    const before = this.#found.get(key);
    if (before !== undefined) return before;
    const place = this.#search(position);
    if (this.#found.size >= maxRemembered) this.#found.clear();
    this.#found.set(key, place);
    return place;
  }

  #search(position: TripPosition): Place | null {
    let best: { readonly known: KnownPlace; readonly nearest: NearestPoint } | null = null;
    for (const known of this.#all) {
      const nearest = nearestPointOf(known.shape, position, best?.nearest.metres ?? Number.POSITIVE_INFINITY);
      if (nearest === null || (best !== null && nearest.metres >= best.nearest.metres)) continue;
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

function sizeOf({ polygons, buffers }: Shape): number {
  const boxes = [
    ...polygons.map(([outer = []]) => boxOf(outer, 0)),
    ...buffers.map(({ path, radiusMetres }) => boxOf(path, radiusMetres / 111_195)),
  ];
  return boxes.reduce((sum, box) => sum + box, 0);
}

function boxOf(path: readonly (readonly [number, number])[], margin: number): number {
  const side = (axis: 0 | 1) => {
    const values = path.map((vertex) => vertex[axis]);
    return (
      values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) -
      values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) +
      2 * margin
    );
  };
  return side(0) * side(1);
}
