// Distinguishes positions from the values that devices send without a fix, and from each other.
import type { GeoPosition } from '../core/geo.js';

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Returns true for a position on the earth, in degrees. 0,0 means that the device has no fix. */
export function isPosition(latitude: unknown, longitude: unknown): boolean {
  if (!isFiniteNumber(latitude) || !isFiniteNumber(longitude)) return false;
  if (latitude === 0 && longitude === 0) return false;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

export function isSamePlace(one: GeoPosition | null | undefined, other: GeoPosition): boolean {
  return one?.latitude === other.latitude && one.longitude === other.longitude;
}
