// Approximates a circle on the globe by a polygon.
import { METRES_PER_DEGREE, positionAt } from '../../core/geo.js';
import type { Area } from './area.js';

const CORNERS = 64;

/** Returns a closed counter-clockwise ring; null across a pole or the 180th meridian. */
export function circleAround(longitude: number, latitude: number, radiusMetres: number): Area | null {
  const ring = Array.from({ length: CORNERS }, (_, index) => {
    const corner = positionAt({ latitude, longitude }, radiusMetres, -(index / CORNERS) * 360);
    return [roundDegrees(corner.longitude), roundDegrees(corner.latitude)];
  });
  const crossesPole = Math.abs(latitude) + radiusMetres / METRES_PER_DEGREE > 90;
  const crossesEdge = ring.some(([x = 0]) => Math.abs(x) > 180);
  return crossesPole || crossesEdge ? null : { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] };
}

/** Rounds to about one centimetre. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
