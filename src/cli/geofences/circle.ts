// A circle on the globe as a polygon.
import type { Area } from './area.js';

const earthMetres = 6_371_008.8;
const corners = 64;

/** Counter-clockwise, closed. Null where a circle would reach over a pole or the 180th meridian, which a polygon cannot. */
export function circleAround(longitude: number, latitude: number, radiusMetres: number): Area | null {
  const ring = Array.from({ length: corners }, (_, place) => {
    const bearing = -(place / corners) * 2 * Math.PI;
    return at(longitude, latitude, radiusMetres, bearing);
  });
  const reach = (radiusMetres / earthMetres) * (180 / Math.PI);
  const isOverPole = Math.abs(latitude) + reach > 90;
  const isOverEdge = ring.some(([x = 0]) => Math.abs(x) > 180);
  return isOverPole || isOverEdge ? null : { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] };
}

function at(longitude: number, latitude: number, metres: number, bearing: number): [number, number] {
  const angle = metres / earthMetres;
  const from = radians(latitude);
  const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing));
  const east = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  );
  return [rounded(longitude + degrees(east)), rounded(degrees(to))];
}

function radians(angle: number): number {
  return (angle * Math.PI) / 180;
}

function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}

/** To a centimetre. */
function rounded(angle: number): number {
  return Math.round(angle * 1e7) / 1e7;
}
