// The parts of the map's page that need no browser: track, slider, list, link, units.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trackColumns } from '../../src/map/day.js';
import { fenceOf } from '../../src/map/page/fence.js';
import { Fleet, GLIDE_MS, progress } from '../../src/map/page/fleet.js';
import { ageText, durationText, eventText, Formats } from '../../src/map/page/format.js';
import { readLink, writeLink } from '../../src/map/page/link.js';
import { arranged, countsOf, type Wish } from '../../src/map/page/list-order.js';
import { headingBetween, latitudeOf, longitudeOf, metresAt, xOf, yOf } from '../../src/map/page/mercator.js';
import { Player } from '../../src/map/page/player.js';
import { visiblePositions } from '../../src/map/page/simplify.js';
import { speedClass } from '../../src/map/page/speeds.js';
import { decodeTrack, indexAt, placeAt } from '../../src/map/page/track.js';
import type { MapVehicle } from '../../src/map/shapes.js';
import type { Fix } from '../../src/telemetry/tracks/fix.js';

const start = Date.parse('2026-03-02T00:00:00Z');
const minute = 60_000;

function fix(minutes: number, latitude: number, longitude: number, speed: number | null = 50): Fix {
  const time = start + minutes * minute;
  return { vehicleId: 'v', time, latitude, longitude, speed, altitude: null, direction: null, ignition: null };
}

const trackOf = (...fixes: readonly Fix[]) => decodeTrack(trackColumns(start, fixes));

test('a border of many corners has a box', () => {
  const corners = Array.from({ length: 200_000 }, (_, index) => [index / 10_000, 50] as const);
  const { box } = fenceOf({ id: 'f', name: 'Country', polygons: [[corners]], buffers: [] });
  expect(box).toEqual({ west: xOf(0), east: xOf(19.9999), north: yOf(50), south: yOf(50) });
});

describe('the projection', () => {
  test('there and back', () => {
    const degrees = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
    );
    fc.assert(
      fc.property(degrees, ([longitude, latitude]) => {
        expect(longitudeOf(xOf(longitude))).toBeCloseTo(longitude, 9);
        expect(latitudeOf(yOf(latitude))).toBeCloseTo(latitude, 9);
      }),
    );
  });

  test('knows the corners of the square, directions and lengths', () => {
    expect([xOf(-180), xOf(180), yOf(0)]).toEqual([0, 1, 0.5]);
    expect(yOf(90)).toBeCloseTo(0, 9);
    expect(headingBetween(0, 0, 1, 0)).toBe(90);
    expect(headingBetween(0, 0, 0, 1)).toBe(180);
    expect(headingBetween(0, 0, -1, -1)).toBe(315);
    expect(metresAt(yOf(60)) / metresAt(yOf(0))).toBeCloseTo(0.5, 9);
  });
});

describe('a track', () => {
  test('comes back from its columns to within a metre', () => {
    const track = trackOf(fix(0, 59.43696, 24.75353), fix(1, 59.43701, 24.75402, null), fix(2, 59.438, 24.756, 61.4));
    expect([...track.times].map((time) => (time - start) / minute)).toEqual([0, 1, 2]);
    expect(latitudeOf(track.y[1] ?? 0)).toBeCloseTo(59.43701, 5);
    expect(longitudeOf(track.x[2] ?? 0)).toBeCloseTo(24.756, 5);
    expect([...track.speeds]).toEqual([50, -1, 61]);
    expect([...track.begins]).toEqual([1, 0, 0]);
  });

  test('a place between two positions is on the way, and has its direction', () => {
    const track = trackOf(fix(0, 59, 24, 0), fix(10, 59, 25, 80));
    expect(placeAt(track, start - 1)).toBe(null);
    const half = placeAt(track, start + 5 * minute);
    expect(longitudeOf(half?.x ?? 0)).toBeCloseTo(24.5, 6);
    expect(half?.heading).toBe(90);
    expect(placeAt(track, start + 99 * minute)).toMatchObject({ heading: null, speed: 80 });
  });

  test('after a long silence the line begins anew, and the vehicle waits where it was', () => {
    const track = trackOf(fix(0, 59, 24), fix(120, 59.1, 25));
    expect([...track.begins]).toEqual([1, 1]);
    expect(longitudeOf(placeAt(track, start + 60 * minute)?.x ?? 0)).toBeCloseTo(24, 5);
  });

  test('the index at a time is that of the last position before it', () => {
    const times = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 30 }).map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(times, fc.integer({ min: -5, max: 105 }), (all, time) => {
        const index = indexAt({ times: Float64Array.from(all) }, time);
        expect(index).toBe(all.filter((one) => one <= time).length - 1);
      }),
    );
  });

  test('what is drawn keeps the ends, and leaves no position out that can be seen', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 40 }), (all, pixels) => {
        const track = trackOf(...all.map(([dx, dy], i) => fix(i, 59 + (dy * i) / 1_000, 24 + (dx * i) / 1_000)));
        const step = pixels / 1e6;
        const kept = [...visiblePositions(track, step)];
        expect(kept[0]).toBe(0);
        expect(kept.at(-1)).toBe(track.times.length - 1);
        let last = 0;
        for (let i = 0; i < track.times.length; i++) {
          if (kept.includes(i)) last = i;
          const apart = (column: Float64Array) => Math.abs((column[i] ?? 0) - (column[last] ?? 0));
          expect(Math.max(apart(track.x), apart(track.y))).toBeLessThan(step);
        }
      }),
    );
  });

  test('speeds have classes; an unknown one is in the first', () => {
    expect([-1, 0, 4.9, 5, 89, 90, 300].map(speedClass)).toEqual([0, 0, 0, 1, 3, 4, 5]);
  });
});

describe('the slider', () => {
  test('plays at its rate, stops at the end, and begins again where the day begins', () => {
    const player = new Player();
    player.open(1_000, 1_000_000, null);
    expect([player.at, player.isPlaying]).toEqual([1_000_000, false]);
    player.play(5_000);
    player.tick(0);
    player.tick(100);
    expect(player.at).toBe(5_000 + 100 * 120);
    // A hidden tab draws no frames.
    player.tick(60_000);
    expect(player.at).toBe(5_000 + 350 * 120);
    player.rate = 1_000_000;
    player.tick(60_001);
    expect([player.at, player.isPlaying]).toEqual([1_000_000, false]);
  });

  test('keeps to its period', () => {
    const player = new Player();
    player.open(1_000, 2_000, 1_500);
    expect(player.at).toBe(1_500);
    player.seek(99);
    expect(player.at).toBe(1_000);
    player.open(1_000, 2_000, 99_000);
    expect(player.at).toBe(2_000);
  });
});

function vehicle(id: string, more: Partial<MapVehicle> = {}): MapVehicle {
  const unknown = { name: null, plate: null, status: 'stopped', at: null, latitude: null, longitude: null } as const;
  return { id, ...unknown, speed: null, heading: null, driver: null, ...more };
}

describe('the list', () => {
  const fleet = [
    vehicle('1', { name: 'Truck 10', plate: '593 NYM', status: 'moving', speed: 50, at: 5 }),
    vehicle('2', { name: 'Truck 9', driver: 'Anna Tamm', status: 'moving', speed: 80, at: 9 }),
    vehicle('3', { name: 'Van 1', status: 'offline', at: 1, speed: 99 }),
    vehicle('4', { plate: 'AB-12' }),
  ];
  const ids = (wish: Partial<Wish>) =>
    arranged(fleet, { query: '', only: new Set(), sort: 'name', ...wish }).map(({ id }) => id);

  test('sorts numbers in names as numbers, and missing values last', () => {
    expect(ids({})).toEqual(['4', '2', '1', '3']);
    expect(ids({ sort: 'speed' })).toEqual(['2', '1', '4', '3']);
    expect(ids({ sort: 'seen' })).toEqual(['2', '1', '3', '4']);
    expect(ids({ sort: 'status' })).toEqual(['2', '1', '4', '3']);
  });

  test('finds by words of name, driver and plate, however the plate is spelled', () => {
    expect(ids({ query: 'truck' })).toEqual(['2', '1']);
    expect(ids({ query: 'tamm truck' })).toEqual(['2']);
    expect(ids({ query: '593nym' })).toEqual(['1']);
    expect(ids({ query: 'ab12' })).toEqual(['4']);
    expect(ids({ query: '.*' })).toEqual([]);
  });

  test('shows only the chosen statuses, and counts all', () => {
    expect(ids({ only: new Set(['offline', 'stopped']) })).toEqual(['4', '3']);
    expect(Object.fromEntries(countsOf(fleet))).toMatchObject({ moving: 2, offline: 1, stopped: 1, idling: 0 });
  });
});

describe('moving vehicles', () => {
  const at = (longitude: number) => vehicle('1', { latitude: 59, longitude });
  const changes = (...vehicles: MapVehicle[]) => ({ kind: 'changes', at: 1, vehicles, gone: [] }) as const;

  test('a vehicle glides from where it is seen, also when the next position comes early', () => {
    const fleet = new Fleet();
    fleet.take(changes(at(24)), 0, true);
    fleet.take(changes(at(25)), 1_000, true);
    const marker = fleet.markers.get('1');
    expect(marker && progress(marker, 1_000 + GLIDE_MS / 2)).toBe(0.5);
    expect(fleet.isGliding(1_000 + GLIDE_MS - 1)).toBe(true);
    fleet.take(changes(at(26)), 1_000 + GLIDE_MS / 2, true);
    expect(longitudeOf(marker?.fromX ?? 0)).toBeCloseTo(24.5, 9);
    expect(fleet.isGliding(5_000)).toBe(false);
  });

  test('without motion it is there at once; one that is not listed any more is gone', () => {
    const fleet = new Fleet();
    fleet.take(changes(at(24), vehicle('2')), 0, false);
    fleet.take(changes(at(25)), 1_000, false);
    expect(fleet.markers.get('1')?.fromX).toBe(fleet.markers.get('1')?.x);
    fleet.take({ kind: 'fleet', at: 2, vehicles: [vehicle('2')] }, 0, false);
    expect([...fleet.markers.keys()]).toEqual(['2']);
    fleet.take({ kind: 'changes', at: 3, vehicles: [], gone: ['2'] }, 0, false);
    expect(fleet.markers.size).toBe(0);
  });
});

describe('links', () => {
  test('there and back', () => {
    const link = fc.record({
      vehicle: fc.option(fc.string({ minLength: 1 })),
      day: fc.option(fc.constantFrom('2026-03-01', '2024-02-29')),
      at: fc.option(fc.integer({ min: 0, max: 2e9 }).map((seconds) => seconds * 1_000)),
    });
    fc.assert(
      fc.property(link, (one) => {
        expect(readLink(writeLink(one))).toEqual(one);
      }),
    );
  });

  test('are short, and what is no day or time counts as left out', () => {
    expect(writeLink({ vehicle: null, day: null, at: null })).toBe('');
    expect(writeLink({ vehicle: 'v1', day: '2026-03-01', at: start })).toBe(
      '#vehicle=v1&day=2026-03-01&at=2026-03-02T00:00:00Z',
    );
    expect(readLink('#day=yesterday&at=noon&other=1')).toEqual({ vehicle: null, day: null, at: null });
  });
});

describe('texts', () => {
  test('times are in the zone of the map, in any zone of the reader', () => {
    const formats = new Formats('Europe/Tallinn', 'metric', 'en');
    expect([formats.time(start), formats.seconds(start), formats.day(start)]).toEqual([
      '02:00',
      '02:00:00',
      '2026-03-02',
    ]);
    expect(new Formats('America/New_York', 'metric', 'en').day(start)).toBe('2026-03-01');
  });

  test('units', () => {
    const formats = new Formats('UTC', 'imperial', 'en');
    expect([formats.speed(80), formats.distance(16.09344), formats.distance(500)]).toEqual([
      '50 mph',
      '10.0 mi',
      '311 mi',
    ]);
    formats.units = 'metric';
    expect([formats.speed(79.6), formats.distance(16.09), formats.distance(500)]).toEqual([
      '80 km/h',
      '16.1 km',
      '500 km',
    ]);
  });

  test('durations, ages and events', () => {
    expect([40_000, 12 * minute, 125 * minute].map(durationText)).toEqual(['40 s', '12 min', '2 h 05 min']);
    expect([0, 5 * minute, 180 * minute, 50 * 60 * minute].map(ageText)).toEqual([
      'now',
      '5 min ago',
      '3 h ago',
      '2 d ago',
    ]);
    expect(eventText('HARSH_BRAKING')).toBe('Harsh braking');
  });
});
