// Distances on the earth, calculated for a sphere: accurate to half a percent.
import type { TripPosition } from './trip.js';

/** The mean radius of the earth in metres. */
export const EARTH_METRES = 6_371_008.8;
const EARTH_KM = EARTH_METRES / 1_000;
const RADIANS = Math.PI / 180;

/** Kilometres between two points. */
export function greatCircleKm(from: TripPosition, to: TripPosition): number {
  // A standing vehicle sends the same position again and again.
  if (from.latitude === to.latitude && from.longitude === to.longitude) return 0;
  const up = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const along = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const chord = up * up + Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * along * along;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}
