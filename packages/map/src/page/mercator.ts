// Web Mercator, on a unit square: x to the east, y to the south.

/** Circumference at the equator. */
const METRES_AROUND = 40_075_016.686;
/** Limit of the unit square. */
const MOST_LATITUDE = 85.05112878;

export const xOf = (longitude: number): number => (longitude + 180) / 360;

export function yOf(latitude: number): number {
  const sine = Math.sin((Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export const longitudeOf = (x: number): number => x * 360 - 180;

export const latitudeOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** Returns the width of the unit square in metres at this y. */
export const metresAt = (y: number): number => METRES_AROUND * Math.cos((latitudeOf(y) * Math.PI) / 180);

/** In degrees clockwise from north. */
export function headingBetween(fromX: number, fromY: number, toX: number, toY: number): number {
  return ((Math.atan2(toX - fromX, fromY - toY) * 180) / Math.PI + 360) % 360;
}
