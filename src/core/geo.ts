// Distances and directions on a spherical earth, accurate to 0.5 %.

/** A WGS 84 position in degrees. */
export interface GeoPosition {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_METRES = 6_371_008.8;
export const RADIANS_PER_DEGREE = Math.PI / 180;
/** Per degree of latitude, or of longitude at the equator. */
export const METRES_PER_DEGREE = RADIANS_PER_DEGREE * EARTH_METRES;

/** Returns the great-circle distance in kilometres. */
export function greatCircleKm(from: GeoPosition, to: GeoPosition): number {
  // Fast path: a standing vehicle sends the same position repeatedly.
  if (from.latitude === to.latitude && from.longitude === to.longitude) return 0;
  const up = Math.sin(((to.latitude - from.latitude) * RADIANS_PER_DEGREE) / 2);
  const along = Math.sin(((to.longitude - from.longitude) * RADIANS_PER_DEGREE) / 2);
  const shrink = Math.cos(from.latitude * RADIANS_PER_DEGREE) * Math.cos(to.latitude * RADIANS_PER_DEGREE);
  const chord = up * up + shrink * along * along;
  return ((2 * EARTH_METRES) / 1_000) * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Returns the initial bearing in degrees clockwise from north, in [0, 360). */
export function bearing(from: GeoPosition, to: GeoPosition): number {
  const east = (to.longitude - from.longitude) * RADIANS_PER_DEGREE;
  const [start, end] = [from.latitude * RADIANS_PER_DEGREE, to.latitude * RADIANS_PER_DEGREE];
  const y = Math.sin(east) * Math.cos(end);
  const x = Math.cos(start) * Math.sin(end) - Math.sin(start) * Math.cos(end) * Math.cos(east);
  return (Math.atan2(y, x) / RADIANS_PER_DEGREE + 360) % 360;
}

/** Returns the position at this distance and bearing. Its longitude may exceed 180. */
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
