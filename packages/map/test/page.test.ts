// The parts of the map page that need no browser: track, slider, list, link, units.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fix } from '../../../src/telemetry/tracks/position-fix.js';
import { trackColumns } from '../src/day.js';
import { DataAge, freshnessOf } from '../src/page/data-age.js';
import { edgePoint } from '../src/page/edge-point.js';
import { fenceOf } from '../src/page/fence.js';
import { GLIDE_MS, MapFleet, progress } from '../src/page/fleet.js';
import { eventText, Formats, formatDuration, spanText } from '../src/page/format.js';
import { readLink, writeLink } from '../src/page/link.js';
import { arranged, countsOf, type ListFilter } from '../src/page/list-order.js';
import { headingBetween, latitudeOf, longitudeOf, metresAt, xOf, yOf } from '../src/page/mercator.js';
import { Player } from '../src/page/player.js';
import { readingsAt, sumsOf, vehicleAt } from '../src/page/recorded.js';
import { speedClass } from '../src/page/speeds.js';
import { decodeTrack, indexAt, placeAt, visiblePositions } from '../src/page/track.js';
import type { MapDay, MapTrip, MapVehicle } from '../src/shapes.js';

const start = Date.parse('2026-03-02T00:00:00Z');
const minute = 60_000;

function fix(minutes: number, latitude: number, longitude: number, speed: number | null = 50): Fix {
  const time = start + minutes * minute;
  return { vehicleId: 'v', time, latitude, longitude, speed, altitude: null, direction: null, ignition: null };
}

const trackOf = (...fixes: readonly Fix[]) => decodeTrack(trackColumns(start, fixes));

test('a border of many corners has a box, and the colour of the service if it is one', () => {
  const corners = Array.from({ length: 200_000 }, (_, index) => [index / 10_000, 50] as const);
  const bare = { type: null, address: null };
  const { box } = fenceOf({ id: 'f', name: 'Country', color: null, ...bare, polygons: [[corners]], buffers: [] });
  expect(fenceOf({ id: 'f', name: null, color: '#1F77B4', ...bare, polygons: [], buffers: [] }).color).toBe('#1F77B4');
  expect(fenceOf({ id: 'f', name: null, color: 'url(x)', ...bare, polygons: [], buffers: [] }).color).toBe(null);
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
        const visible = [...visiblePositions(track, step)];
        expect(visible[0]).toBe(0);
        expect(visible.at(-1)).toBe(track.times.length - 1);
        let last = 0;
        for (let i = 0; i < track.times.length; i++) {
          if (visible.includes(i)) last = i;
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

  test('grows with the day: at the end it stays there, elsewhere and while it plays it stays where it is', () => {
    const player = new Player();
    player.open(1_000, 2_000, null);
    player.grow(3_000);
    expect([player.to, player.at]).toEqual([3_000, 3_000]);
    player.seek(1_500);
    player.grow(4_000);
    expect([player.to, player.at]).toEqual([4_000, 1_500]);
    player.play();
    player.grow(5_000);
    expect([player.at, player.isPlaying]).toEqual([1_500, true]);
    player.grow(4_500);
    expect(player.to).toBe(5_000);
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
  return { id, ...unknown, speed: null, heading: null, driver: null, place: null, ...more };
}

describe('the list', () => {
  const fleet = [
    vehicle('1', { name: 'Truck 10', plate: '593 NYM', status: 'moving', speed: 50, at: 5 }),
    vehicle('2', { name: 'Truck 9', driver: 'Anna Tamm', status: 'moving', speed: 80, at: 9 }),
    vehicle('3', { name: 'Van 1', status: 'offline', at: 1, speed: 99 }),
    vehicle('4', { plate: 'AB-12' }),
  ];
  const ids = (wish: Partial<ListFilter>) =>
    arranged(fleet, { query: '', only: new Set(), sort: 'name', ...wish }).map(({ id }) => id);

  test('sorts numbers in names as numbers, and missing values last', () => {
    expect(ids({})).toEqual(['4', '2', '1', '3']);
    expect(ids({ sort: 'speed' })).toEqual(['2', '1', '4', '3']);
    expect(ids({ sort: 'seen' })).toEqual(['2', '1', '3', '4']);
    expect(ids({ sort: 'silent' })).toEqual(['4', '3', '1', '2']);
    expect(ids({ sort: 'status' })).toEqual(['2', '1', '4', '3']);
  });

  test('finds by words of name, driver and plate, however the plate is spelled', () => {
    expect(ids({ query: 'truck' })).toEqual(['2', '1']);
    expect(ids({ query: 'tamm truck' })).toEqual(['2']);
    expect(ids({ query: '593nym' })).toEqual(['1']);
    expect(ids({ query: 'ab12' })).toEqual(['4']);
    expect(ids({ query: '.*' })).toEqual([]);
  });

  test('a number is not found inside of another one or of an id, and zeros before it do not matter', () => {
    const trucks = [
      vehicle('0507aaaa-0000-5000-8000-000000000005', { name: 'Van 04', plate: '905 XYZ' }),
      vehicle('b', { name: 'Van 05', plate: '111 AAA' }),
      vehicle('c', { name: 'Van 105', plate: '222 BBB' }),
      vehicle('d', { name: 'Van 50', driver: 'Mart 05' }),
    ];
    const found = (query: string) => arranged(trucks, { query, only: new Set(), sort: 'name' }).map(({ name }) => name);
    expect(found('van 05')).toEqual(['Van 05']);
    expect(found('Van 5')).toEqual(['Van 05', 'Van 50']);
    expect(found('105')).toEqual(['Van 105']);
    expect(found('mart van')).toEqual(['Van 50']);
    expect(found('0507aaa')).toEqual([]);
    expect(found('0507aaaa')).toEqual(['Van 04']);
    expect(found('(5')).toEqual([]);
    expect(found('5(')).toEqual([]);
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
    const fleet = new MapFleet();
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
    const fleet = new MapFleet();
    fleet.take(changes(at(24), vehicle('2')), 0, false);
    fleet.take(changes(at(25)), 1_000, false);
    expect(fleet.markers.get('1')?.fromX).toBe(fleet.markers.get('1')?.x);
    fleet.take({ kind: 'fleet', at: 2, ageMs: 0, vehicles: [vehicle('2')] }, 0, false);
    expect([...fleet.markers.keys()]).toEqual(['2']);
    fleet.take({ kind: 'changes', at: 3, vehicles: [], gone: ['2'] }, 0, false);
    expect(fleet.markers.size).toBe(0);
  });
});

const trip = (from: number, to: number | null, more: Partial<MapTrip> = {}): MapTrip => ({
  ...{ from: start + from * minute, to: to === null ? null : start + to * minute, lastSeenAt: start + 60 * minute },
  ...{
    beganBefore: false,
    wentOn: false,
    km: 10,
    isDoubted: false,
    topSpeed: 50,
    movingMs: minute,
    idleMs: 2 * minute,
  },
  ...{
    fuelUsed: 1.5,
    isFuelInLitres: true,
    odometerKm: null,
    tank: null,
    drivers: [],
    startPlace: null,
    endPlace: null,
  },
  ...more,
});

describe('a vehicle of the past', () => {
  const trips = [
    trip(0, 10, { drivers: ['Anna'], odometerKm: 100, tank: 40, topSpeed: 80 }),
    trip(30, null, { odometerKm: 120, tank: null, fuelUsed: null, topSpeed: null, isDoubted: true }),
  ];
  const depot = { name: 'Depot', metres: 0, direction: null };
  const day: MapDay = {
    ...{
      vehicleId: 'v',
      from: start,
      to: start + 1_440 * minute,
      lastFixAt: start + 60 * minute,
      events: [],
      visits: [],
      assigned: null,
      notes: [],
      warnings: [],
    },
    track: trackColumns(start, [fix(0, 59, 24), fix(10, 59, 25, 0), fix(30, 59, 25, 50), fix(60, 59, 26, 0)]),
    trips,
    stops: [
      {
        from: start + 10 * minute,
        to: start + 30 * minute,
        beganBefore: false,
        idleMs: null,
        latitude: 59,
        longitude: 25,
        place: depot,
      },
    ],
  };
  const lastSeen = vehicle('v', { status: 'moving', at: start - 60 * minute, latitude: 10, longitude: 10, speed: 90 });
  const then = (minutes: number) =>
    vehicleAt({ vehicle: lastSeen, day, track: decodeTrack(day.track) }, start + minutes * minute);

  test('has the place, speed and driver of that time, and nothing of now', () => {
    expect(then(5)).toMatchObject({ status: 'moving', speed: 50, driver: 'Anna', place: null });
    expect(then(5).longitude).toBeCloseTo(24.5, 5);
    // Between two trips, the driver is that of the previous one.
    expect(then(20)).toMatchObject({ status: 'stopped', driver: 'Anna', place: depot });
    expect(then(40).driver).toBe(null);
    expect(then(60)).toMatchObject({ status: 'idling', at: start + 60 * minute });
    expect(then(60 + 91)).toMatchObject({ status: 'stale', at: start + 60 * minute });
  });

  test('that is parked and reports once an hour has the age of its last report, and one that reports each minute has none', () => {
    const parked = (step: number) => {
      const fixes = Array.from({ length: 480 / step + 1 }, (_, index) => fix(index * step, 59, 25, 0));
      const parkedDay = { ...day, trips: [], stops: [], track: trackColumns(start, fixes) };
      const at = start + 425 * minute;
      const { status, at: seen } = vehicleAt(
        { vehicle: lastSeen, day: parkedDay, track: decodeTrack(parkedDay.track) },
        at,
      );
      return { kept: parkedDay.track.times.length, status, age: at - (seen ?? 0) };
    };
    expect(parked(60)).toEqual({ kept: 9, status: 'stopped', age: 5 * minute });
    expect(parked(1)).toEqual({ kept: 2, status: 'stopped', age: 0 });
    expect(parked(240)).toEqual({ kept: 3, status: 'stale', age: 185 * minute });
  });

  test('that has sent nothing since stands where its last position was; of a later one nothing is known', () => {
    const silent = (at: number) =>
      vehicleAt({ vehicle: { ...lastSeen, at: start + at * minute }, day: null, track: null }, start);
    expect(silent(-10)).toMatchObject({ status: 'stopped', latitude: 10, speed: null });
    expect(silent(-600)).toMatchObject({ status: 'offline', latitude: 10 });
    expect(silent(1)).toMatchObject({ status: 'unknown', latitude: null, at: null });
  });

  test('that sets out later stands there already; of one that was under way it is not known where it was', () => {
    const later = (more: Partial<MapTrip>) => {
      const shifted = { ...day, trips: [trip(20, 40, more)], track: trackColumns(start, [fix(20, 59, 24)]) };
      const now = { ...lastSeen, at: start + 60 * minute };
      return vehicleAt({ vehicle: now, day: shifted, track: decodeTrack(shifted.track) }, start + 5 * minute);
    };
    expect(later({})).toMatchObject({ status: 'stopped', at: null, speed: null, driver: null });
    expect(later({ drivers: ['Anna', 'Karl'] }).driver).toBe('Anna');
    expect(later({}).latitude).toBeCloseTo(59, 5);
    expect(later({ beganBefore: true })).toMatchObject({ status: 'unknown', latitude: null });
  });

  test('has the readings of the last trip that was over, and the sums of all', () => {
    expect(readingsAt(trips, start + 5 * minute)).toEqual({ odometerKm: null, tank: null });
    expect(readingsAt(trips, start + 20 * minute)).toEqual({ odometerKm: 100, tank: 40 });
    expect(readingsAt(trips, start + 70 * minute)).toEqual({ odometerKm: 120, tank: null });
    expect(sumsOf(trips)).toEqual({
      ...{ trips: 2, km: 20, isDoubted: true, movingMs: 2 * minute, idleMs: 4 * minute },
      ...{ fuelUsed: null, isFuelInLitres: true, topSpeed: 80 },
    });
    expect(sumsOf(trips.slice(0, 1)).fuelUsed).toBe(1.5);
  });
});

describe('the age of the data', () => {
  const state = { connection: 'live', ageMs: 0, isOutage: false, everyMs: 10_000 } as const;

  test('goes on by the clock of the page, from the age with which the data arrived', () => {
    let now = 500;
    const age = new DataAge({ now: () => now });
    expect([age.ms, age.serviceNow]).toEqual([null, null]);
    age.take(start, 3_000);
    now += 40_000;
    expect([age.ms, age.serviceNow]).toEqual([43_000, start + 43_000]);
    age.take(start + 50_000, 0);
    expect(age.ms).toBe(0);
  });

  test('is fresh, then late, then old; a pause that was asked for is not late', () => {
    const at = (ageMs: number, everyMs: number) => freshnessOf({ ...state, ageMs, everyMs });
    expect([29_999, 30_000, 119_999, 120_000].map((ms) => at(ms, 10_000))).toEqual(['fresh', 'late', 'late', 'old']);
    expect([19_999, 20_000].map((ms) => at(ms, 1_000))).toEqual(['fresh', 'late']);
    expect([899_999, 900_000, 3_600_000].map((ms) => at(ms, 300_000))).toEqual(['fresh', 'late', 'old']);
  });

  test('nothing looks live during an outage, without a connection, and after the end', () => {
    expect(freshnessOf({ ...state, isOutage: true })).toBe('late');
    expect(freshnessOf({ ...state, connection: 'lost' })).toBe('late');
    expect(freshnessOf({ ...state, connection: 'ended' })).toBe('old');
    expect(freshnessOf({ ...state, ageMs: null, connection: 'connecting' })).toBe('late');
  });
});

describe('the arrow at the edge', () => {
  const screen = { width: 800, height: 600 };
  const column = { width: 56, height: 200 };
  const row = { width: 240, height: 56 };

  test('is there only for a place outside, and points to it', () => {
    expect(edgePoint(screen, 800, 0, column)).toBe(null);
    expect(edgePoint(screen, 400, -1_000, column)).toEqual({ x: 400, y: 30, angle: 0 });
    expect(edgePoint(screen, 2_000, 300, column)).toEqual({ x: 770, y: 300, angle: 90 });
    expect(edgePoint(screen, -400, 1_100, column)).toMatchObject({ angle: 225 });
  });

  test('stands inside of the map, and never over the buttons to zoom', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9_000, max: 9_000 }), fc.integer({ min: -9_000, max: 9_000 }), (x, y) => {
        for (const buttons of [column, row]) {
          const point = edgePoint(screen, x, y, buttons);
          if (point === null) return;
          expect(point.x).toBeGreaterThanOrEqual(30 - 1e-6);
          expect(point.x).toBeLessThanOrEqual(770 + 1e-6);
          expect(point.y).toBeGreaterThanOrEqual(30 - 1e-6);
          expect(point.y).toBeLessThanOrEqual(570 + 1e-6);
          // The arrow is round, and 44 pixels wide.
          const [dx, dy] = [800 - buttons.width - point.x, point.y - buttons.height];
          expect(dx >= 22 || dy >= 22).toBe(true);
        }
      }),
    );
  });
});

describe('links', () => {
  test('there and back', () => {
    const chosen = fc.oneof(
      fc.record({ vehicle: fc.string({ minLength: 1 }), place: fc.constant(null) }),
      fc.record({ vehicle: fc.constant(null), place: fc.option(fc.string({ minLength: 1 })) }),
    );
    const rest = fc.record({
      day: fc.option(fc.constantFrom('2026-03-01', '2024-02-29')),
      at: fc.option(fc.integer({ min: 0, max: 2e9 }).map((seconds) => seconds * 1_000)),
      compared: fc.option(fc.constantFrom('v2', 'a&b')),
    });
    fc.assert(
      fc.property(chosen, rest, (one, other) => {
        const link = { ...one, ...other };
        expect(readLink(writeLink(link))).toEqual(link);
      }),
    );
  });

  test('are short, and what is no day or time counts as left out', () => {
    const none = { vehicle: null, day: null, at: null, compared: null, place: null };
    expect(writeLink(none)).toBe('');
    expect(writeLink({ vehicle: 'v1', day: '2026-03-01', at: start, compared: 'v2', place: null })).toBe(
      '#vehicle=v1&day=2026-03-01&at=2026-03-02T00:00:00Z&compared=v2',
    );
    expect(writeLink({ ...none, place: 'g1' })).toBe('#place=g1');
    expect(readLink('#day=yesterday&at=noon&other=1')).toEqual(none);
    expect(readLink('#vehicle=v1&place=g1')).toEqual({ ...none, vehicle: 'v1' });
  });
});

describe('texts', () => {
  test('times are in the zone of the map, in any zone of the reader', () => {
    const formats = new Formats('Europe/Tallinn', 'metric');
    expect([formats.time(start), formats.seconds(start), formats.day(start)]).toEqual([
      '02:00',
      '02:00:00',
      '2026-03-02',
    ]);
    expect(new Formats('America/New_York', 'metric').day(start)).toBe('2026-03-01');
    // Times follow a change of zone; the fleet's days stay.
    formats.zone = 'America/New_York';
    expect([formats.time(start), formats.minuteOfDay(start), formats.day(start), formats.fleetDay(start)]).toEqual([
      '19:00',
      1_140,
      '2026-03-01',
      '2026-03-02',
    ]);
    formats.zone = 'Pacific/Auckland';
    expect(formats.calendarDate('2026-03-01')).toBe('Sun, Mar 1, 2026');
    expect(() => {
      formats.zone = 'Nowhere/City';
    }).toThrow(RangeError);
    expect(formats.zone).toBe('Pacific/Auckland');
  });

  test('units', () => {
    const formats = new Formats('UTC', 'imperial');
    expect([formats.speed(80), formats.distance(16.09344), formats.distance(500)]).toEqual([
      '50 mph',
      '10.0 mi',
      '311 mi',
    ]);
    expect(formats.place({ name: 'Depot', metres: 1_609.344, direction: 'NE' })).toBe('1.0 mi NE of Depot');
    formats.units = 'metric';
    expect(formats.place({ name: 'Depot', metres: 340, direction: 'S' })).toBe('340 m S of Depot');
    expect(formats.place({ name: 'Depot', metres: 0, direction: null })).toBe('in Depot');
    expect(formats.endTime(start)).toBe('24:00');
    expect([formats.speed(79.6), formats.distance(16.09), formats.distance(500)]).toEqual([
      '80 km/h',
      '16.1 km',
      '500 km',
    ]);
  });

  test('durations, ages and events', () => {
    const formats = new Formats('UTC', 'metric');
    expect([40_000, 12 * minute, 125 * minute].map(formatDuration)).toEqual(['40 s', '12 min', '2 h 05 min']);
    expect([0, 5 * minute, 180 * minute, 50 * 60 * minute].map((ms) => formats.age(ms, 'live'))).toEqual([
      'now',
      '5 min ago',
      '3 h ago',
      '2 d ago',
    ]);
    // The duration matches the displayed start and end.
    const span = (from: string, to: string) =>
      spanText(Date.parse(`2026-03-02T${from}Z`), Date.parse(`2026-03-02T${to}Z`));
    expect([span('12:04:05', '12:28:58'), span('12:04:58', '13:09:02'), span('12:04:10', '12:04:50')]).toEqual([
      '24 min',
      '1 h 05 min',
      '40 s',
    ]);
    // Only live data is shown as "now".
    expect([formats.age(40_000, 'late'), formats.age(40_000, 'past'), formats.ago(40_900)]).toEqual([
      '40 s ago',
      '',
      '40 s ago',
    ]);
    const { language } = formats;
    expect(eventText('HARSH_BRAKING', language)).toBe('Harsh braking');
    // An unknown type.
    expect(eventText('SEAT_BELT_OPEN', language)).toBe('Seat belt open');
    expect([language.counted(1, 'trip'), language.counted(1_204, 'trip')]).toEqual(['1 trip', '1,204 trips']);
  });
});
