// Distances and headings on the earth as a sphere.

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const earthRadiusKm = 6371.0088;
const radians = Math.PI / 180;

export function distanceKm(a: Point, b: Point): number {
  const [from, to] = [a.latitude * radians, b.latitude * radians];
  const east = (b.longitude - a.longitude) * radians;
  const half = Math.sin((to - from) / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(east / 2) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Returns degrees clockwise from north, from 0 to below 360. */
export function bearingDegrees(a: Point, b: Point): number {
  const [from, to] = [a.latitude * radians, b.latitude * radians];
  const east = (b.longitude - a.longitude) * radians;
  const y = Math.sin(east) * Math.cos(to);
  const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(east);
  return (Math.atan2(y, x) / radians + 360) % 360;
}
