// Shapes of geofences: positions inside, and distances to the edge.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsPoint } from '../../../src/mock/core/geojson.js';
import { metresFromEdge, shapeOf } from '../../../src/telemetry/watch/geofence-shape.js';
import { runs } from '../../runs.js';

const FAR = Number.POSITIVE_INFINITY;
const distance = (geojson: unknown, longitude: number, latitude: number, radius?: number, reach = 1e7) => {
  const shape = shapeOf(geojson, radius);
  return shape === null ? null : metresFromEdge(shape, { longitude, latitude }, reach);
};
const box = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...rings: readonly (readonly (readonly (number | string)[])[])[]) => ({
  type: 'Polygon',
  coordinates: rings,
});
const isInside = (geojson: unknown, longitude: number, latitude: number) =>
  Number(distance(geojson, longitude, latitude)) <= 0;

describe('areas', () => {
  const yard = polygon(box(24, 59, 25, 60));

  test('metres to the edge, negative inside', () => {
    // A degree of latitude is 111.195 km; one of longitude at 59.5 degrees 56.435 km.
    expect(distance(yard, 24.5, 60.1)).toBeCloseTo(11_119.5, 0);
    expect(distance(yard, 24.99, 59.5)).toBeCloseTo(-564.35, 0);
    expect(distance(yard, 25.01, 59.5)).toBeCloseTo(564.35, 0);
    expect(distance(yard, 24.5, 60.1, undefined, 11_000)).toBe(FAR);
  });

  test('holes are outside', () => {
    const ring = polygon(box(24, 59, 25, 60), box(24.4, 59.4, 24.6, 59.6));
    expect(isInside(ring, 24.2, 59.5)).toBe(true);
    expect(isInside(ring, 24.5, 59.5)).toBe(false);
    expect(distance(ring, 24.5, 59.41)).toBeCloseTo(1_111.95, 0);
  });

  test('several polygons, features and collections', () => {
    const two = { type: 'MultiPolygon', coordinates: [[box(24, 59, 25, 60)], [box(26, 59, 27, 60)]] };
    const feature = { type: 'Feature', properties: null, geometry: two };
    for (const shape of [
      two,
      feature,
      { type: 'FeatureCollection', features: [feature] },
      { type: 'GeometryCollection', geometries: [two] },
    ]) {
      expect([24.5, 25.5, 26.5].map((longitude) => isInside(shape, longitude, 59.5))).toEqual([true, false, true]);
    }
  });

  test('across the 180th meridian, however it is written, and around the earth', () => {
    for (const fiji of [
      polygon(box(179, -18, -179, -16)),
      polygon(box(179, -18, 181, -16)),
      polygon(box(-181, -18, -179, -16)),
    ]) {
      expect([178, 179.5, -179.5, -178, 0].map((longitude) => isInside(fiji, longitude, -17))).toEqual([
        false,
        true,
        true,
        false,
        false,
      ]);
      expect(distance(fiji, -178.99, -17)).toBeCloseTo(1_063.4, 0);
    }
    const belt = polygon(box(-180, -10, 180, 10));
    expect([-179, 0, 179].map((longitude) => isInside(belt, longitude, 0))).toEqual([true, true, true]);
    expect(isInside(belt, 0, 11)).toBe(false);
  });

  test('the same as the reference service finds', () => {
    const corner = fc.tuple(
      fc.double({ min: -170, max: 170, noNaN: true }),
      fc.double({ min: -80, max: 80, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 8 }), corner, (corners, [longitude, latitude]) => {
        const [first = [0, 0]] = corners;
        // Longer edges cross the 180th meridian.
        fc.pre(corners.every(([x], index) => Math.abs(x - (corners[index + 1] ?? first)[0]) < 180));
        const area = polygon([...corners, first]);
        // The two implementations differ on the edge itself.
        fc.pre(Math.abs(Number(distance(area, longitude, latitude))) > 1);
        expect(isInside(area, longitude, latitude)).toBe(containsPoint(area, longitude, latitude));
      }),
      { numRuns: runs(400) },
    );
  });
});

describe('circles and corridors', () => {
  const depot = { type: 'Point', coordinates: [24.75, 59.43] };
  const road = {
    type: 'LineString',
    coordinates: [
      [24, 59],
      [25, 59],
    ],
  };

  test('a point with a radius in metres, wherever it is written', () => {
    for (const circle of [
      { ...depot, radius: 500 },
      { type: 'Feature', properties: { radius: 500 }, geometry: depot },
      { type: 'Circle', center: [24.75, 59.43], radius: 500 },
    ]) {
      expect(distance(circle, 24.75, 59.43)).toBe(-500);
      expect(distance(circle, 24.75, 59.44)).toBeCloseTo(1_111.95 - 500, 0);
    }
    expect(distance(depot, 24.75, 59.43, 200)).toBe(-200);
    expect(distance({ ...depot, radius: 500 }, 24.75, 59.43, 200)).toBe(-500);
    expect(
      distance(
        {
          type: 'MultiPoint',
          coordinates: [
            [24, 59],
            [25, 59],
          ],
        },
        25,
        59,
        200,
      ),
    ).toBe(-200);
  });

  test('a line with a radius', () => {
    expect(distance(road, 24.5, 59.001, 200)).toBeCloseTo(111.195 - 200, 0);
    expect(distance({ type: 'MultiLineString', coordinates: [road.coordinates] }, 24.5, 59.01, 200)).toBeCloseTo(
      911.95,
      0,
    );
  });

  test.each([
    depot,
    road,
    null,
    'text',
    {},
    polygon(),
    polygon([[1, 2]]),
    polygon([
      ['a', 'b'],
      [1, 2],
      [2, 3],
      ['a', 'b'],
    ]),
  ])('nothing can be in %j', (geojson) => {
    expect(shapeOf(geojson, undefined)).toBeNull();
  });
});
