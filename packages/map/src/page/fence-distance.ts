// Hit test and distances of geofences, computed as in the command line.
import { bearing, metresFromEdge, nearestPointOf, silentStatuses } from 'fleet-telematics/kit';
import type { MapPlace, MapVehicle } from '../shapes.js';
import type { Fence } from './fence.js';
import type { Marker } from './fleet.js';
import { latitudeOf, longitudeOf, metresAt } from './mercator.js';
import { type PageView, shiftOf } from './view.js';

/** In pixels. */
const REACH = 5;

/** Sorts smallest first: a position in a depot is also in the country around it. */
export function bySize({ box: one }: Fence, { box: other }: Fence): number {
  const sizeOf = ({ west, east, north, south }: Fence['box']) => (east - west) * (south - north);
  return sizeOf(one) - sizeOf(other);
}

/** Expects {@link bySize} order. A geofence larger than the screen counts as background. */
export function fenceAt(fences: readonly Fence[], view: PageView, left: number, top: number): Fence | null {
  const { scale } = view;
  const [x, y] = [(view.left + left) / scale, (view.top + top) / scale];
  const position = { longitude: longitudeOf(x), latitude: latitudeOf(y) };
  const reach = REACH / scale;
  const found = fences.find(({ box, geofence }) => {
    const { west, east, north, south } = box;
    const shift = shiftOf(view, west);
    const isNear = x > west + shift - reach && x < east + shift + reach && y > north - reach && y < south + reach;
    const isAround = (east - west) * scale > view.width && (south - north) * scale > view.height;
    const metres = reach * metresAt(y);
    return isNear && !isAround && metresFromEdge(geofence, position, metres) <= metres;
  });
  return found ?? null;
}

/** Expects {@link bySize} order. Returns null when no geofence has a name. */
export function placeNear(
  fences: readonly Fence[],
  position: { readonly latitude: number; readonly longitude: number },
): MapPlace | null {
  let best: MapPlace | null = null;
  for (const { name, geofence } of fences) {
    const limit: number = best?.metres ?? Number.POSITIVE_INFINITY;
    const nearest = name ? nearestPointOf(geofence, position, limit) : null;
    if (!name || nearest === null || nearest.metres >= limit) continue;
    const { metres, point } = nearest;
    if (metres === 0) return { name, metres, direction: null };
    best = { name, metres, direction: windOf(bearing(point, position)) };
  }
  return best;
}

const winds = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
const windOf = (degrees: number) => winds[Math.round(degrees / 45) % 8] ?? '';

export interface NearVehicle {
  readonly vehicle: MapVehicle;
  /** From the edge; 0 inside. */
  readonly metres: number;
}

/** Added to the distance of silent and deactivated vehicles, so that they come last. */
const UNUSABLE_METRES = 1e9;

/** Returns the nearest vehicles, silent and deactivated ones last. */
export function nearestVehicles(fence: Fence, markers: Iterable<Marker>, most: number): readonly NearVehicle[] {
  // The cheap distance to the box excludes nearly all of thousands of vehicles.
  const candidates = [...markers].flatMap(({ vehicle, x, y }) => {
    const extra = vehicle.deactivated || silentStatuses.includes(vehicle.status) ? UNUSABLE_METRES : 0;
    return Number.isNaN(x) ? [] : [{ vehicle, extra, lowerBound: extra + metresToBox(fence.box, x, y) }];
  });
  candidates.sort((one, other) => one.lowerBound - other.lowerBound);
  const nearest: (NearVehicle & { readonly order: number })[] = [];
  for (const { vehicle, extra, lowerBound } of candidates) {
    const limit = nearest[most - 1]?.order ?? Number.POSITIVE_INFINITY;
    if (lowerBound > limit) break;
    const { latitude, longitude } = vehicle;
    if (latitude === null || longitude === null) continue;
    const found = nearestPointOf(fence.geofence, { latitude, longitude }, limit - extra);
    if (found === null) continue;
    nearest.push({ vehicle, metres: found.metres, order: extra + found.metres });
    nearest.sort((one, other) => one.order - other.order);
    nearest.splice(most);
  }
  return nearest;
}

/** Returns a lower bound: a great circle is a little shorter than a straight line. */
function metresToBox({ west, east, north, south }: Fence['box'], x: number, y: number): number {
  const aside = Math.max(0, west - x, x - east);
  const along = Math.max(0, north - y, y - south);
  // The square wraps around at the 180th meridian.
  const across = aside > 0 ? Math.min(aside, 1 - Math.min(1, east - west + aside)) : 0;
  return Math.hypot(across, along) * Math.min(metresAt(y), metresAt(north), metresAt(south)) * 0.9;
}
