// Geofences of the map page: search, hit test, nearest place, nearest vehicles.
import { describe, expect, test } from 'vitest';
import { fenceOf } from '../src/page/fence.js';
import { bySize, fenceAt, nearestVehicles, placeNear } from '../src/page/fence-distance.js';
import type { Marker } from '../src/page/fleet.js';
import { placesMatching } from '../src/page/list-order.js';
import { xOf, yOf } from '../src/page/mercator.js';
import type { MapGeofence, MapVehicle } from '../src/shapes.js';

const unknown = { name: null, plate: null, at: null, speed: null, heading: null, driver: null, place: null };
const vehicle = (id: string, longitude: number, latitude: number): MapVehicle => ({
  ...{ id, ...unknown, status: 'stopped', longitude, latitude },
});

describe('geofences', () => {
  const square = (id: string, west: number, south: number, size: number, name: string | null = id): MapGeofence => {
    const [east, north] = [west + size, south + size];
    const ring = [[west, south] as const, [east, south] as const, [east, north] as const, [west, north] as const];
    return { id, name, color: null, type: null, address: `${id} Street 1`, polygons: [[ring]], buffers: [] };
  };
  const fences = [square('Country', 20, 50, 10), square('Depot', 24, 59, 0.01), square('nameless', 25, 59, 0.01, null)]
    .map(fenceOf)
    .sort(bySize);
  const markerAt = (id: string, longitude: number, latitude: number): Marker => {
    const [x, y] = [xOf(longitude), yOf(latitude)];
    return { vehicle: vehicle(id, longitude, latitude), x, y, fromX: x, fromY: y, since: 0 };
  };

  test('are found by the words of name and address, and none without a word', () => {
    const found = (query: string) => placesMatching(fences, query).map(({ geofence }) => geofence.id);
    expect(found('dep')).toEqual(['Depot']);
    expect(found('STREET depot')).toEqual(['Depot']);
    expect(found('nameless')).toEqual(['nameless']);
    expect([found(' '), found('elsewhere')]).toEqual([[], []]);
  });

  test('the smallest one under the pointer counts, with a reach for those of a few pixels', () => {
    const view = (scale: number) => {
      const [x, y] = [xOf(24.005) * scale, yOf(59.005) * scale];
      return { scale, left: x - 400, top: y - 300, width: 800, height: 600 };
    };
    const at = (scale: number, x: number, y: number) => fenceAt(fences, view(scale), x, y)?.name;
    expect(at(1e5, 400, 300)).toBe('Depot');
    expect(at(1e5, 404, 300)).toBe('Depot');
    expect(at(1e4, 400, 250)).toBe('Country');
    // A geofence larger than the screen is background.
    expect(at(1e6, 400, 100)).toBe(undefined);
  });

  test('a place in words is that of the smallest one around it, or of the nearest with a name', () => {
    expect(placeNear(fences, { longitude: 24.005, latitude: 59.005 })).toEqual({
      ...{ name: 'Depot', metres: 0, direction: null },
    });
    const outside = placeNear(fences.slice(0, 2), { longitude: 24.005, latitude: 59.02 });
    expect(outside).toMatchObject({ name: 'Depot', direction: 'N' });
    expect(outside?.metres).toBeCloseTo(1_112, -1);
    expect(placeNear([], { longitude: 24, latitude: 59 })).toBe(null);
  });

  test('the nearest vehicles come first, silent and deactivated ones last; those without a position are left out', () => {
    const [depot] = fences.filter(({ name }) => name === 'Depot');
    const markers = [
      markerAt('far', 10, 40),
      markerAt('inside', 24.005, 59.005),
      { ...markerAt('unknown', 24, 59), x: Number.NaN },
      markerAt('near', 24.03, 59.005),
      markerAt('nearer', 24.005, 59.012),
    ];
    if (depot === undefined) throw new Error('there is one');
    const near = nearestVehicles(depot, markers, 3);
    expect(near.map((one) => [one.vehicle.id, Math.round(one.metres / 100)])).toEqual([
      ['inside', 0],
      ['nearer', 2],
      ['near', 11],
    ]);
    expect(nearestVehicles(depot, markers, 9)).toHaveLength(4);
    const last = (['stale', 'offline', 'unknown', 'deactivated'] as const).map((id) => {
      const marker = markerAt(id, 24.005, 59.005);
      const state = id === 'deactivated' ? { deactivated: true as const } : { status: id };
      return { ...marker, vehicle: { ...marker.vehicle, ...state } };
    });
    const all = nearestVehicles(depot, [...last, ...markers], 7);
    expect(all.map((one) => one.vehicle.id)).toEqual([
      ...['inside', 'nearer', 'near', 'far'],
      ...['stale', 'offline', 'unknown'],
    ]);
    expect(all.at(-1)?.metres).toBe(0);
    expect(nearestVehicles(depot, last, 9)).toHaveLength(4);
    // A point in the triangle's box may be farther away than one outside.
    const ring = [[24, 59] as const, [25, 59] as const, [24, 59.5] as const];
    const triangle = fenceOf({
      ...{ id: 't', name: null, color: null, type: null, address: null, polygons: [[ring]], buffers: [] },
    });
    const around = [markerAt('in its box', 24.99, 59.49), markerAt('beside it', 23.99, 59.1)];
    expect(nearestVehicles(triangle, around, 2).map((one) => one.vehicle.id)).toEqual(['beside it', 'in its box']);
  });
});
