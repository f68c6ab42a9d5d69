// Approximates a circle on the globe by a polygon.
import { EARTH_METRES } from '../../telemetry/trips/great-circle.js';
import type { Area } from './area.js';

const corners = 64;

/** The ring is counter-clockwise and closed. Null when the circle would cross a pole or the 180th meridian, which a polygon cannot. */
export function circleAround(longitude: number, latitude: number, radiusMetres: number): Area | null {
  const ring = Array.from({ length: corners }, (_, index) => {
    const bearing = -(index / corners) * 2 * Math.PI;
    return pointAt(longitude, latitude, radiusMetres, bearing);
  });
  const reach = (radiusMetres / EARTH_METRES) * (180 / Math.PI);
  const crossesPole = Math.abs(latitude) + reach > 90;
  const crossesEdge = ring.some(([x = 0]) => Math.abs(x) > 180);
  return crossesPole || crossesEdge ? null : { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] };
}

function pointAt(longitude: number, latitude: number, metres: number, bearing: number): [number, number] {
  const angle = metres / EARTH_METRES;
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

/** Rounds to about one centimetre. */
function rounded(angle: number): number {
  return Math.round(angle * 1e7) / 1e7;
}
