// Days built from snapshots, and messages to the pages.
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { fixOf } from '../../../src/telemetry/tracks/fix.js';
import type { TripSnapshot } from '../../../src/telemetry/trips/trip.js';
import { tripsFrom } from '../../../src/telemetry/trips/trips-from.js';
import { Audience } from '../src/audience.js';
import { type DaySnapshot, eventsOf, mapDay, type PlaceNaming, trackColumns } from '../src/day.js';
import { FleetState } from '../src/fleet-state.js';
import { Roads } from '../src/roads.js';
import type { LiveMessage, MapProblem, MapVehicle } from '../src/shapes.js';

const start = Date.parse('2026-03-02T08:00:00Z');
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
const span = { from: start, to: start + 86_400_000 };

type Row = DaySnapshot & TripSnapshot;

function row(minutes: number, longitude: number, isOn: boolean, more: Partial<Row> = {}): Row {
  const gps = { state: true, latitude: 59, longitude, speed: isOn ? 60 : 0 };
  return { vehicleId: 'v', timestamp: at(minutes), gps, ignition: { engineStatus: isOn }, ...more };
}

/** Two trips with a stop between them. */
const rows = [
  row(0, 24, false),
  row(1, 24, true, { driver: { driverId: 'd1' } }),
  row(11, 24.15, true, { driverBehaviour: { driverBehaviourType: 'HARSH_BRAKING', driverBehaviourValue: 3.5 } }),
  row(12, 24.15, false),
  row(40, 24.15, false),
  row(60, 24.15, true),
  row(70, 24.3, true),
  row(71, 24.3, false),
  row(90, 24.3, false),
];

const naming: PlaceNaming = {
  driver: (id) => (id === 'd1' ? 'Anna' : id),
  place: (position) =>
    position === null ? null : { name: 'Depot', metres: position.longitude === 24.3 ? 0 : 800, direction: 'E' },
  geofencesNear: () =>
    new Map(
      [24.15, 24.3].map((longitude) => [
        `g${longitude}`,
        {
          name: longitude === 24.3 ? 'Depot' : 'Customer',
          shape: { polygons: [], buffers: [{ path: [[longitude, 59] as const], radiusMetres: 300 }] },
        },
      ]),
    ),
};

/** Returns the day with the trips of its snapshots. */
async function dayOf(snapshots: readonly Row[], more: { readonly notes?: readonly MapProblem[] } = {}) {
  const trips = [];
  for await (const trip of tripsFrom([...snapshots], { withDetails: true })) trips.push(trip);
  const data = { trips, rows: snapshots, notes: [], warnings: [], assigned: null, ...more };
  return mapDay('v', span, data, naming);
}

describe('a day', () => {
  test('has the geofences that the vehicle visited, and the one where it still is', async () => {
    const { visits } = await dayOf(rows);
    const minutes = (time: number | null) => (time === null ? null : (time - start) / 60_000);
    expect(
      visits.map(({ name, from, to, lastSeenAt }) => [name, minutes(from), minutes(to), minutes(lastSeenAt)]),
    ).toEqual([
      ['Customer', 11, 70, 60],
      ['Depot', 70, null, 90],
    ]);
  });

  test('has its trips, with the names of drivers, and the stops between and after them', async () => {
    const day = await dayOf(rows);
    expect(
      day.trips.map(({ from, to, drivers }) => [(from - start) / 60_000, ((to ?? 0) - start) / 60_000, drivers]),
    ).toEqual([
      [1, 12, ['Anna']],
      [60, 71, []],
    ]);
    expect(
      day.stops.map(({ from, to, longitude }) => [(from - start) / 60_000, to && (to - start) / 60_000, longitude]),
    ).toEqual([
      [12, 60, 24.15],
      [71, null, 24.3],
    ]);
    expect(day.events).toEqual([
      {
        ...{ at: start + 11 * 60_000, latitude: 59, longitude: 24.15, type: 'HARSH_BRAKING', value: 3.5, speed: 60 },
        place: { name: 'Depot', metres: 800, direction: 'E' },
      },
    ]);
    expect(day.notes).toEqual([]);
  });

  test('marks a distance that another source doubts', async () => {
    // A kilometre per minute by positions, and no speed to decide between the two.
    const driven = (kmByOdometer: number) =>
      Array.from({ length: 22 }, (_, minutes) =>
        row(minutes, 24 + minutes * 0.01746, minutes > 0 && minutes < 21, {
          gps: { state: true, latitude: 59, longitude: 24 + minutes * 0.01746, speed: null },
          canBus: { canDistance: 1000 + minutes * kmByOdometer },
        }),
      );
    const doubtOf = async (kmByOdometer: number) =>
      (await dayOf(driven(kmByOdometer))).trips.map(({ isDoubted }) => isDoubted);
    expect(await doubtOf(1)).toEqual([false]);
    expect(await doubtOf(0.7)).toEqual([true]);
  });

  test('is the same in any order of the snapshots', async () => {
    expect(await dayOf([...rows].reverse())).toEqual(await dayOf(rows));
  });

  test('trips and stops have their places, and trips what they add up to', async () => {
    const day = await dayOf(rows);
    expect(day.trips.map(({ startPlace, endPlace }) => [startPlace?.metres, endPlace?.metres])).toEqual([
      [800, 800],
      [800, 0],
    ]);
    expect(day.stops.map(({ place }) => place?.metres)).toEqual([800, 0]);
    expect(day.trips.map(({ movingMs, idleMs }) => movingMs + idleMs)).toEqual([11 * 60_000, 11 * 60_000]);
  });

  test('stops are those of five minutes and more, with the engine on too, and from the beginning of the day', async () => {
    const stand = (minutes: number, longitude: number, isOn: boolean) =>
      row(minutes, longitude, isOn, { gps: { state: true, latitude: 59, longitude, speed: 0 } });
    const day = await dayOf([
      ...[stand(40, 24, false), stand(45, 24, true), row(46, 24.01, true)],
      ...[stand(60, 24.2, true), stand(70, 24.2, true), stand(80, 24.2, true), row(81, 24.21, true)],
      ...[stand(90, 24.4, false), stand(93, 24.4, false), row(94, 24.41, true)],
      stand(100, 24.6, false),
    ]);
    expect(
      day.stops.map(({ from, beganBefore, to, idleMs }) => [
        ...[(from - start) / 60_000, beganBefore, to && (to - start) / 60_000, (idleMs ?? Number.NaN) / 60_000],
      ]),
    ).toEqual([
      [0, true, 45, 0],
      [60, false, 80, 20],
      [100, false, null, 0],
    ]);
    const moving = await dayOf([row(40, 24, true), row(41, 24.01, true), stand(42, 24.02, false)]);
    expect(moving.stops.map(({ from, beganBefore }) => [(from - start) / 60_000, beganBefore])).toEqual([[42, false]]);
  });

  test('a trip that began before the period or went on after it says so', () => {
    const trip = (more: object) => ({
      ...{
        startedAt: at(0),
        endedAt: at(30),
        lastSeenAt: at(30),
        endedBy: 'ignition',
        isStartKnown: true,
        driverIds: [],
      },
      ...{
        distanceKm: 1,
        distanceDoubt: null,
        movingSeconds: 60,
        idleSeconds: 0,
        startPosition: null,
        endPosition: null,
        ...more,
      },
      details: { atEnd: { odometerKm: 12.5, fuel: 40 } },
    });
    const trips = [
      trip({}),
      trip({ startedAt: at(60), endedAt: at(90), endPosition: { latitude: 59, longitude: 24 }, endedBy: 'period' }),
    ] as never;
    const note: MapProblem = { kind: null, values: {}, details: [], message: 'A note.', hint: null };
    const day = mapDay('v', span, { trips, rows: [], notes: [note], warnings: [], assigned: 'Anna' }, naming);
    expect(day.trips.map(({ beganBefore, wentOn }) => [beganBefore, wentOn])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(day.trips[0]).toMatchObject({ odometerKm: 12.5, tank: 40 });
    expect([day.notes, day.assigned]).toEqual([[note], 'Anna']);
  });

  test('an event without a position is where the vehicle was last', () => {
    const blind = row(5, 0, true, { gps: null, driverBehaviour: { driverBehaviourType: 'HARSH_BRAKING' } });
    expect(eventsOf([blind], naming)).toEqual([]);
    expect(eventsOf([blind, row(1, 24.5, true)], naming)).toMatchObject([
      { longitude: 24.5, value: null, speed: null },
    ]);
  });

  test('a track leaves out impossible jumps and the middle of a rest', () => {
    const fixes = [
      row(0, 24, true),
      row(1, 80, true),
      row(2, 24.01, true),
      ...[3, 4, 5, 6].map((m) => row(m, 24.01, false)),
    ];
    const columns = trackColumns(
      start,
      fixes.flatMap((one) => fixOf(one) ?? []),
    );
    expect(columns.longitudes).toEqual([2_400_000, 1_000, 0, 0]);
    expect(columns.times).toEqual([0, 120, 60, 180]);
  });
});

test('roads are lines of one vehicle each, without short steps and long jumps', () => {
  const roads = new Roads();
  const add = (vehicle: string, minutes: number, longitude: number) => {
    const fix = fixOf(row(minutes, longitude, true));
    if (fix !== null) roads.add(vehicle, fix);
  };
  add('a', 0, 24);
  add('b', 0, 10);
  add('a', 1, 24.0001);
  add('a', 2, 24.01);
  add('a', 3, 25);
  add('a', 4, 25.01);
  expect(roads.toShape()).toEqual([
    [2_400_000, 5_900_000, 1_000, 0],
    [2_500_000, 5_900_000, 1_000, 0],
  ]);
});

function vehicle(id: string, speed = 0): MapVehicle {
  const rest = { name: id, plate: null, status: 'stopped', at: 1, latitude: 59, longitude: 24 } as const;
  return { id, ...rest, heading: null, driver: null, place: null, speed };
}

describe('messages to pages', () => {
  test('all vehicles at first, with the age of the answer, then those that have changed or are gone', () => {
    let now = 0;
    const state = new FleetState(() => now);
    expect(state.greeting()).toEqual([]);
    state.take([vehicle('a'), vehicle('b')], 1);
    expect(state.take([vehicle('a', 5)], 2)).toEqual({
      kind: 'changes',
      at: 2,
      vehicles: [vehicle('a', 5)],
      gone: ['b'],
    });
    now = 40_002;
    expect(state.greeting()).toEqual([{ kind: 'fleet', at: 2, ageMs: 40_000, vehicles: [vehicle('a', 5)] }]);
  });

  test('a problem until the next answer', () => {
    const state = new FleetState(() => 1);
    const problem: MapProblem = { kind: 'serviceSilent', values: {}, details: [], message: 'No answer.', hint: null };
    state.fail(problem, 2_000);
    expect(state.greeting()).toEqual([{ kind: 'problem', problem, isOutage: true, waitMs: 2_000, isEnd: false }]);
    state.fail(problem, null);
    expect(state.greeting()).toEqual([{ kind: 'problem', problem, isOutage: false, waitMs: null, isEnd: false }]);
    state.take([], 1);
    expect(state.greeting()).toEqual([{ kind: 'fleet', at: 1, ageMs: 0, vehicles: [] }]);
  });

  test('the audience: greeted on arrival, told while it is there, waited for while nobody is', async () => {
    const greeting: LiveMessage = { kind: 'fleet', at: 1, ageMs: 0, vehicles: [] };
    const audience = new Audience(() => [greeting]);
    let isPresent = false;
    const waiting = audience.waitForPage(new AbortController().signal).then(() => {
      isPresent = true;
    });
    await Promise.resolve();
    expect(isPresent).toBe(false);
    const received: LiveMessage[] = [];
    const leave = audience.join((message) => void received.push(message));
    await waiting;
    const news: LiveMessage = { kind: 'changes', at: 2, vehicles: [], gone: [] };
    audience.send(news);
    leave();
    audience.send(news);
    expect(received).toEqual([greeting, news]);
    const interrupt = new AbortController();
    const visited = audience.waitForPage(interrupt.signal);
    audience.join(() => undefined)();
    await visited;
    expect(getEventListeners(interrupt.signal, 'abort')).toEqual([]);
    const ended = audience.waitForPage(interrupt.signal);
    interrupt.abort();
    await ended;
  });
});
