// Distances and directions on the earth, calculated for a sphere: accurate to half a percent.

/** Degrees of WGS 84. */
export interface GeoPosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean radius of the earth in metres. */
export const EARTH_METRES = 6_371_008.8;
export const RADIANS_PER_DEGREE = Math.PI / 180;
/** The length of a degree of latitude; of one of longitude at the equator. */
export const METRES_PER_DEGREE = RADIANS_PER_DEGREE * EARTH_METRES;

/** Kilometres between two points, along the great circle. */
export function greatCircleKm(from: GeoPosition, to: GeoPosition): number {
  // A standing vehicle sends the same position again and again.
  if (from.latitude === to.latitude && from.longitude === to.longitude) return 0;
  const up = Math.sin(((to.latitude - from.latitude) * RADIANS_PER_DEGREE) / 2);
  const along = Math.sin(((to.longitude - from.longitude) * RADIANS_PER_DEGREE) / 2);
  const shrink = Math.cos(from.latitude * RADIANS_PER_DEGREE) * Math.cos(to.latitude * RADIANS_PER_DEGREE);
  const chord = up * up + shrink * along * along;
  return ((2 * EARTH_METRES) / 1_000) * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** The direction from one position to another: degrees clockwise from north, from 0 to below 360. */
export function bearing(from: GeoPosition, to: GeoPosition): number {
  const east = (to.longitude - from.longitude) * RADIANS_PER_DEGREE;
  const [start, end] = [from.latitude * RADIANS_PER_DEGREE, to.latitude * RADIANS_PER_DEGREE];
  const y = Math.sin(east) * Math.cos(end);
  const x = Math.cos(start) * Math.sin(end) - Math.sin(start) * Math.cos(end) * Math.cos(east);
  return (Math.atan2(y, x) / RADIANS_PER_DEGREE + 360) % 360;
}

/** The position this far away in this direction. Its longitude may go on across the 180th meridian. */
export function positionAt({ latitude, longitude }: GeoPosition, metres: number, bearingDegrees: number): GeoPosition {
  const angle = metres / EARTH_METRES;
  const direction = bearingDegrees * RADIANS_PER_DEGREE;
  const from = latitude * RADIANS_PER_DEGREE;
  const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(direction));
  const east = Math.atan2(
    Math.sin(direction) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  );
  return { latitude: to / RADIANS_PER_DEGREE, longitude: longitude + east / RADIANS_PER_DEGREE };
}
