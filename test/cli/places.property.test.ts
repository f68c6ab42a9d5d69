// The place of a position: the smallest geofence around it, else the nearest one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Places } from '../../src/cli/places/places.js';
import { distanceText, fieldsOfPlace, placeTextIn } from '../../src/cli/views/place.js';
import { shapeOf } from '../../src/telemetry/watch/geofence-shape.js';
import { nearestPointOf } from '../../src/telemetry/watch/nearest-point.js';
import { runs } from '../runs.js';

const square = (name: string, longitude: number, latitude: number, half: number) => ({
  id: name,
  name,
  geojson: {
    type: 'Polygon',
    coordinates: [
      [
        [longitude - half, latitude - half],
        [longitude + half, latitude - half],
        [longitude + half, latitude + half],
        [longitude - half, latitude + half],
        [longitude - half, latitude - half],
      ],
    ],
  },
});
const circle = (name: string, longitude: number, latitude: number, half: number) => ({
  id: name,
  name,
  geojson: { type: 'Point', coordinates: [longitude, latitude], radius: half * 100_000 },
});
const text = (places: Places, latitude: number, longitude: number) =>
  placeTextIn(fieldsOfPlace(places.at({ latitude, longitude })));

describe('a place', () => {
  const places = new Places([square('Estonia', 25.5, 58.5, 2), square('Depot', 26, 58, 0.01), { name: 'No shape' }]);

  test('is the smallest geofence around the position', () => {
    expect(text(places, 58, 26)).toBe('in Depot');
    expect(text(places, 58.2, 26)).toBe('in Estonia');
  });

  test('is otherwise the nearest one, with distance and direction', () => {
    expect(text(new Places([square('Depot', 26, 58, 0.01)]), 58.03, 26.05)).toBe('3.2 km NE of Depot');
    expect(text(new Places([square('Depot', 26, 58, 0.01)]), 57.988, 26)).toBe('222 m S of Depot');
    expect(fieldsOfPlace(new Places([square('Depot', 26, 58, 0.01)]).at({ latitude: 57.988, longitude: 26 }))).toEqual({
      place: null,
      placeId: null,
      nearestPlace: 'Depot',
      nearestPlaceDistanceM: 222,
      nearestPlaceDirection: 'S',
    });
    expect(fieldsOfPlace(new Places([square('Depot', 26, 58, 0.01)]).at({ latitude: 58, longitude: 26 }))).toEqual({
      place: 'Depot',
      placeId: 'Depot',
      nearestPlace: 'Depot',
      nearestPlaceDistanceM: 0,
      nearestPlaceDirection: null,
    });
  });

  test('that positions may be in is found for all of them at once, also across the 180th meridian', () => {
    const edge = square('Taveuni', 180, -16.8, 0.05);
    const places = new Places([square('Depot', 26, 58, 0.01), square('Far', 10, 50, 0.01), edge]);
    const degrees = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(degrees, degrees, (up, aside) => {
        const positions = [
          { latitude: 58 + up / 100, longitude: 26 + aside / 100 },
          { latitude: -16.8 + up / 20, longitude: (aside > 0 ? -180 : 180) + aside / 20 },
        ];
        expect([...places.near(positions).keys()].sort()).toEqual(['Depot', 'Taveuni']);
      }),
      { numRuns: runs(100) },
    );
  });

  test('is nothing without a position or a geofence', () => {
    expect(places.at(null)).toBeNull();
    expect(text(new Places([]), 58, 26)).toBe('');
  });

  test.each([
    [999.4, '999 m'],
    [999.6, '1.0 km'],
    [99_940, '99.9 km'],
    [99_960, '100 km'],
    [1_204_400, '1,204 km'],
  ])('%d metres are %s', (metres, said) => expect(distanceText(metres)).toBe(said));

  test('is never farther than any other geofence', () => {
    const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
    const near = fc.tuple(degrees(20, 30), degrees(50, 60), degrees(0.001, 0.5));
    const anywhere = fc.tuple(degrees(-180, 180), degrees(-85, 85), degrees(0.001, 5));
    const areas = (area: typeof near) => fc.array(fc.tuple(area, fc.boolean()), { minLength: 1, maxLength: 12 });
    const cases = fc.oneof(
      fc.tuple(areas(near), fc.record({ longitude: degrees(18, 32), latitude: degrees(48, 62) })),
      fc.tuple(areas(anywhere), fc.record({ longitude: degrees(-180, 180), latitude: degrees(-88, 88) })),
    );
    fc.assert(
      fc.property(cases, ([areaSpecs, position]) => {
        const all = areaSpecs.map(([[x, y, half], isCircle], index) =>
          isCircle ? circle(String(index), x, y, half) : square(String(index), x, y, half),
        );
        const distances = all.map(({ geojson }) => {
          const shape = shapeOf(geojson, undefined);
          return shape === null ? Number.NaN : nearestPointOf(shape, position, Number.POSITIVE_INFINITY)?.metres;
        });
        const found = new Places(all).at(position);
        expect(found?.distanceM).toBe(Math.min(...distances.map(Number)));
        expect(distances[Number(found?.id)]).toBe(found?.distanceM);
        expect(found?.direction === null).toBe(found?.distanceM === 0);
      }),
      { numRuns: runs(100) },
    );
  });
});
