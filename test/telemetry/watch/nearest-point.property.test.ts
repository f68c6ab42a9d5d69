// The nearest point of a geofence, against the nearest of many points along its edge.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { greatCircleKm } from '../../../src/core/geo.js';
import { shapeOf } from '../../../src/telemetry/watch/geofence-shape.js';
import { nearestPointOf } from '../../../src/telemetry/watch/nearest-point.js';
import { runs } from '../../runs.js';

const FAR = Number.POSITIVE_INFINITY;
type Vertex = readonly [longitude: number, latitude: number];

const nearest = (geojson: unknown, longitude: number, latitude: number, radius?: number, reach = FAR) => {
  const shape = shapeOf(geojson, radius);
  return shape && nearestPointOf(shape, { longitude, latitude }, reach);
};
const ring = (vertices: readonly Vertex[]) => [...vertices, vertices[0] ?? [0, 0]];
const polygon = (...rings: readonly (readonly Vertex[])[]) => ({ type: 'Polygon', coordinates: rings.map(ring) });
const box = (west: number, south: number, east: number, north: number): readonly Vertex[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];
const yard = polygon(box(24, 59, 25, 60));

describe('the nearest point', () => {
  test('is at no distance inside, and not inside of a hole', () => {
    expect(nearest(yard, 24.5, 59.5)?.metres).toBe(0);
    const withHole = polygon(box(24, 59, 25, 60), box(24.4, 59.4, 24.6, 59.6));
    expect(nearest(withHole, 24.5, 59.59)?.metres).toBeCloseTo(1_111.95, 0);
  });

  test('is on the edge, however far away', () => {
    // A degree of latitude is 111.195 km.
    expect(nearest(yard, 24.5, 70)?.metres).toBeCloseTo(1_111_950, -2);
    expect(nearest(yard, 24.5, 70)?.point.latitude).toBe(60);
    expect(nearest(yard, 24.5, 70, undefined, 1_000_000)).toBeNull();
  });

  test('of a circle is a radius away from its centre', () => {
    const circle = { type: 'Point', coordinates: [24, 59] };
    expect(nearest(circle, 24, 60, 11_195)?.metres).toBeCloseTo(100_000, -1);
    expect(nearest(circle, 24, 59.05, 11_195)?.metres).toBe(0);
    expect(nearest(circle, 24, 60)).toBeNull();
  });

  test('is found across the 180th meridian', () => {
    const island = polygon(box(179, 0, 179.9, 1));
    expect(nearest(island, -179.9, 0.5)?.metres).toBeCloseTo(22_238, -2);
  });

  test('is as near as the nearest of many points along the edge', () => {
    const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
    const corner = fc.tuple(degrees(20, 23), degrees(50, 52));
    fc.assert(
      fc.property(
        fc.array(corner, { minLength: 3, maxLength: 7 }),
        degrees(16, 27),
        degrees(47, 55),
        (corners, longitude, latitude) => {
          const found = nearest(polygon(corners), longitude, latitude);
          if (found === null || found.metres === 0) return;
          let least = FAR;
          let [fromX, fromY] = corners.at(-1) ?? [0, 0];
          for (const [toX, toY] of corners) {
            for (let part = 0; part <= 1; part += 0.005) {
              const point = { longitude: fromX + part * (toX - fromX), latitude: fromY + part * (toY - fromY) };
              least = Math.min(least, greatCircleKm(point, { longitude, latitude }) * 1_000);
            }
            [fromX, fromY] = [toX, toY];
          }
          // The points along the edge are up to 1.5 km apart, which matters only near it.
          expect(found.metres).toBeLessThanOrEqual(least * 1.0015 + 1);
          expect(found.metres).toBeGreaterThanOrEqual(least * 0.9985 - 1_500);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
