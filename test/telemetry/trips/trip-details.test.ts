// `withDetails`: parts by driver and day, driving events, speeding, and readings at both ends.
import { describe, expect, test } from 'vitest';
import { type Trip, type TripDetails, type TripSnapshot, tripsFrom } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';
import { TripSegments } from '../../../src/telemetry/trips/trip-segments.js';
import { makeClient, START } from '../../request/setup.js';
import { clientOf, read } from './periods.js';

const day = Date.parse('2026-03-02T00:00:00Z');
const at = (seconds: number) => new Date(day + seconds * 1000).toISOString();

interface Values {
  readonly on?: boolean;
  readonly speed?: number;
  readonly km?: number;
  readonly hours?: number;
  readonly fuel?: number;
  readonly driver?: string;
  readonly harsh?: readonly [type: string, value: number];
  readonly zone?: string;
}

/** Returns a snapshot at a second of the day. By default it drives ten kilometres a minute. */
function snap(seconds: number, { on = true, speed, km = seconds / 6, hours, fuel, driver, harsh, zone }: Values = {}) {
  const [type, value] = harsh ?? [null, null];
  return {
    vehicleId: '11111111-0000-5000-8000-000000000001',
    timestamp: at(seconds),
    gps: { latitude: 50 + seconds / 1e5, longitude: 10, speed: speed ?? null },
    ignition: { engineStatus: on },
    driver: { driverId: driver ?? null },
    driverBehaviour: { driverBehaviourType: type, driverBehaviourValue: value },
    canBus: { canDistance: km, engineWorkTime: hours ?? null },
    fuel: { fuel: fuel ?? null },
    locationTimeZone: zone ?? null,
  } satisfies TripSnapshot;
}

const options = { withDetails: true, fastestKmh: 1000 } as const;

async function detailsOf(rows: readonly TripSnapshot[], more = {}): Promise<TripDetails> {
  const trips = await read(tripsFrom(rows, { ...options, ...more }));
  expect(trips).toHaveLength(1);
  const details = trips[0]?.details;
  if (!details) throw new Error('no details');
  return details;
}

test('without it trips have no details', async () => {
  const [trip] = await read(tripsFrom([snap(0), snap(60)], { fastestKmh: 1000 }));
  expect(trip).not.toHaveProperty('details');
});

describe('segments', () => {
  /** Returns driver, day, times and distance of each part. */
  const shown = ({ segments }: TripDetails) =>
    segments.map(({ driverId, day: own, startedAt, endedAt, distanceKm }) => [
      driverId,
      own,
      (Date.parse(startedAt) - day) / 1000,
      endedAt === null ? null : (Date.parse(endedAt) - day) / 1000,
      distanceKm,
    ]);

  test('one for each driver, with what was driven; the first one from the start of the trip', async () => {
    const details = await detailsOf([
      snap(0),
      snap(60, { driver: 'anna' }),
      snap(120, { driver: 'bert' }),
      snap(180, { driver: 'bert' }),
      snap(240, { driver: '0' }),
      snap(300, { driver: 'anna' }),
      snap(360, { on: false }),
      snap(600, { on: false, km: 60 }),
    ]);
    expect(shown(details)).toEqual([
      ['anna', '2026-03-02', 0, 120, 20],
      ['bert', '2026-03-02', 120, 300, 30],
      ['anna', '2026-03-02', 300, 360, 10],
    ]);
  });

  test('nobody is one part, which has no end while the trip is open', async () => {
    expect(shown(await detailsOf([snap(0), snap(60)]))).toEqual([[null, '2026-03-02', 0, null, 10]]);
  });

  test('one for each day of its time zone', async () => {
    const minutes = Array.from({ length: 151 }, (_, index) => index);
    const rows = minutes.map((km) => snap(km * 60, { km, speed: 60, driver: 'anna' }));
    // From 23:00 UTC on. In winter that is 23:00 in Lisbon, and 22:00 on the Azores.
    const evening = (zone: string) =>
      rows.map((row, index) => ({ ...row, timestamp: at((index - 60) * 60), locationTimeZone: zone }));
    const segmentsIn = async (zone: string) =>
      (await detailsOf(evening(zone))).segments.map(({ day: own, distanceKm, movingSeconds, idleSeconds }) => [
        ...[own, distanceKm, movingSeconds, idleSeconds],
      ]);
    // A snapshot at midnight belongs to the new day with its kilometre, as in clipped trips.
    expect(await segmentsIn('Europe/Lisbon')).toEqual([
      ['2026-03-01', 59, 3600, 0],
      ['2026-03-02', 91, 5400, 0],
    ]);
    expect(await segmentsIn('Atlantic/Azores')).toEqual([
      ['2026-03-01', 119, 7200, 0],
      ['2026-03-02', 31, 1800, 0],
    ]);
    const inLisbon = await detailsOf(evening('Atlantic/Azores'), { timeZone: 'europe/lisbon' });
    expect(inLisbon.segments.map(({ distanceKm }) => distanceKm)).toEqual([59, 91]);
    expect(inLisbon.timeZone).toBe('Atlantic/Azores');
    expect(await segmentsIn('Nowhere/Else')).toEqual(await segmentsIn('Europe/Lisbon'));
    expect((await detailsOf(evening('Nowhere/Else'))).timeZone).toBe('Nowhere/Else');
  });

  test('the day after has none when the ignition went off before midnight', async () => {
    const off = { on: false, km: 90 };
    const rows = [snap(-600, { km: 0 }), snap(-60, off), snap(30, off), snap(200, off)];
    expect(shown(await detailsOf(rows))).toEqual([[null, '2026-03-01', -600, -60, 90]]);
    const atMidnight = [snap(-600, { km: 0 }), snap(0, off), snap(30, off), snap(200, off)];
    expect(shown(await detailsOf(atMidnight))).toEqual([
      [null, '2026-03-01', -600, 0, 0],
      [null, '2026-03-02', 0, 0, 90],
    ]);
    const standing = [snap(-600, { km: 0 }), snap(-60, { km: 90 }), ...[0, 30, 200].map((time) => snap(time, off))];
    expect(shown(await detailsOf(standing))).toEqual([[null, '2026-03-01', -600, 0, 90]]);
  });

  test('midnight while the ignition is off for a moment is counted once', async () => {
    const fast = { speed: 60 };
    const rows = [
      ...[-120, -60].map((seconds) => snap(seconds, fast)),
      ...[-30, 20].map((seconds) => snap(seconds, { ...fast, on: false })),
      ...[40, 100].map((seconds) => snap(seconds, fast)),
      ...[160, 400].map((seconds) => snap(seconds, { ...fast, on: false })),
    ].map((row) => ({ ...row, canBus: null }));
    const times = async (later: number) => {
      const moved = rows.map((row) => ({
        ...row,
        timestamp: new Date(Date.parse(row.timestamp) + later).toISOString(),
      }));
      const { segments } = await detailsOf(moved);
      return segments.map(({ movingSeconds, idleSeconds }) => [movingSeconds, idleSeconds]);
    };
    expect(await times(3_600_000)).toEqual([[280, 0]]);
    expect(await times(0)).toEqual([
      [120, 0],
      [160, 0],
    ]);
  });

  test('midnight after the last snapshot of a part of a clipped trip', async () => {
    const rows = [snap(-600, { on: false }), ...[-120, -60, 600, 660].map((seconds) => snap(seconds, { speed: 60 }))];
    const fleet = clientOf([...rows, snap(700, { on: false })], day + 86_400_000);
    const period = { vehicleId: snap(0).vehicleId, from: new Date(day - 900_000), to: new Date(day + 300_000) };
    const [part] = await read(fleet.streamTrips(period, { withDetails: true, clip: true }));
    expect(part?.details && shown(part.details).map(([, own, from, to]) => [own, from, to])).toEqual([
      ['2026-03-01', -120, 0],
      ['2026-03-02', 0, 300],
    ]);
  });

  test('never less than nothing, when a distance turns out to be shorter', () => {
    const sums = (ms: number, km: number) => ({
      ...{ time: day + ms, km, unseenKm: 0, position: null, odometerKm: null, snapshots: 0, harshEvents: new Map() },
      times: { movingMs: 0, idleMs: 0, unseenMs: 0 },
      fuel: { canTripFuelUsed: 0, canhrFuelUsed: 0, canFuelUsed: 0 },
    });
    const segments = new TripSegments(sums(0, 0), 'UTC');
    segments.takeDriver('anna', sums(0, 0));
    segments.takeDriver('bert', sums(1, 9));
    segments.takeDriver('carl', sums(2, 7));
    const context = { start: day, fuelBy: null, first: null, odometerStartKm: null, movingKmh: 2, fastestKmh: 250 };
    const found = segments.toSegments(day + 3, sums(3, 8), context);
    expect(found.map(({ driverId, distanceKm }) => [driverId, distanceKm])).toEqual([
      ['anna', 7],
      ['bert', 0],
      ['carl', 1],
    ]);
  });

  test('a day of 23 hours ends with its midnight', async () => {
    const before = (Date.parse('2026-03-28T21:30:00Z') - day) / 1000;
    const rows = [0, 30, 25 * 60].map((minutes) =>
      snap(before + minutes * 60, { zone: 'Europe/Tallinn', km: minutes }),
    );
    const { segments } = await detailsOf(rows, { silenceMs: 1e9 });
    expect(segments.map(({ day: own, startedAt }) => [own, startedAt])).toEqual([
      ['2026-03-28', '2026-03-28T21:30:00.000Z'],
      ['2026-03-29', '2026-03-28T22:00:00.000Z'],
      ['2026-03-30', '2026-03-29T21:00:00.000Z'],
    ]);
  });
});

test('readings are the first and the last ones of the trip, whatever snapshot has them; none of before it', async () => {
  const { atStart, atEnd } = await detailsOf([
    snap(0, { on: false, km: 1, hours: 1, fuel: 1 }),
    snap(60, { hours: 7 }),
    snap(120, { fuel: 50 }),
    snap(180, { hours: 8, fuel: 40 }),
    snap(240, { on: false }),
    snap(600, { on: false, km: 99, hours: 9, fuel: 9 }),
  ]);
  expect(atStart).toEqual({ odometerKm: 10, engineHours: 7, fuel: 50 });
  expect(atEnd).toEqual({ odometerKm: 40, engineHours: 8, fuel: 40 });
});

test('the time zone is the first one', async () => {
  const rows = [snap(0), snap(60, { zone: 'Europe/Tallinn' }), snap(120, { zone: 'Europe/Riga' })];
  expect((await detailsOf(rows)).timeZone).toBe('Europe/Tallinn');
  expect((await detailsOf([snap(0), snap(60)])).timeZone).toBeNull();
});

test('events have their time, value, place, speed and driver', async () => {
  const { events } = await detailsOf([
    snap(0, { driver: 'anna', harsh: ['HARSH_BRAKING', 3.5], speed: 40 }),
    snap(60, { harsh: ['HARSH_BRAKING', 2] }),
  ]);
  const [latitude, longitude] = [50, 10];
  const driverId = 'anna';
  expect(events).toEqual([
    { type: 'HARSH_BRAKING', time: at(0), value: 3.5, speedKmh: 40, position: { latitude, longitude }, driverId },
    {
      ...{ type: 'HARSH_BRAKING', time: at(60), value: 2, speedKmh: null, driverId },
      position: { latitude: 50.0006, longitude },
    },
  ]);
});

describe('speeding', () => {
  const rows = [
    snap(0, { speed: 90, driver: 'anna' }),
    snap(10, { speed: 91 }),
    snap(20, { speed: 120 }),
    snap(30),
    snap(40, { speed: 95 }),
    snap(50, { speed: 90 }),
    snap(60, { speed: 100 }),
    snap(60 + 901, { speed: 100 }),
    snap(60 + 961, { on: false }),
  ];

  test('is a time in which each speed is above the limit; it ends where none is known for a quarter of an hour', async () => {
    const { speeding } = await detailsOf(rows);
    const part = (from: number, to: number, topSpeedKmh: number) => ({
      ...{ startedAt: at(from), endedAt: at(to), durationSeconds: to - from, topSpeedKmh, driverId: 'anna' },
      position: { latitude: 50 + from / 1e5, longitude: 10 },
    });
    expect(speeding).toEqual([part(10, 40, 120), part(60, 60, 100), part(961, 961, 100)]);
  });

  test('with the limit that is given', async () => {
    const { speeding } = await detailsOf(rows, { speedLimitKmh: 100 });
    expect(speeding.map(({ startedAt }) => startedAt)).toEqual([at(20)]);
  });

  test.each([-1, Number.NaN, '90'])('refuses %j as a limit', async (speedLimitKmh) => {
    await expect(read(tripsFrom([], { speedLimitKmh: speedLimitKmh as number }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('visits', () => {
  const square = (south: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [9.9, south],
        [10.1, south],
        [10.1, south + 0.0011],
        [9.9, south + 0.0011],
        [9.9, south],
      ],
    ],
  });
  /** It begins at 50 degrees north, and moves 0.001 degrees (111 m) north in each 100 s. */
  const geofences = [
    { id: 'home', geojson: square(49.9995) },
    { id: 'yard', geojson: square(50.0015) },
    { id: 'goal', geojson: square(50.0055) },
    { id: 'far', geojson: square(51) },
    { id: 'nothing', geojson: null },
  ];
  const rows = [0, 100, 200, 300, 400, 500, 600].map((seconds) => snap(seconds));

  test('of each geofence, with when it came and went; it was at home before, and stays at its goal', async () => {
    const { visits } = await detailsOf([...rows, snap(601, { on: false })], { geofences });
    expect(visits).toEqual([
      { geofenceId: 'home', enteredAt: null, leftAt: at(200) },
      { geofenceId: 'yard', enteredAt: at(200), leftAt: at(400) },
      { geofenceId: 'goal', enteredAt: at(600), leftAt: null },
    ]);
  });

  test('of the parts of a clipped trip: each has what happens in it', async () => {
    const fleet = clientOf([snap(-600, { on: false }), ...rows, snap(601, { on: false })], day + 86_400_000);
    const partOf = async (from: number, to: number) => {
      const period = { vehicleId: snap(0).vehicleId, from: new Date(day + from * 1000), to: new Date(day + to * 1000) };
      const [part] = await read(fleet.streamTrips(period, { withDetails: true, clip: true, geofences }));
      return part?.details?.visits;
    };
    expect(await partOf(-700, 250)).toEqual([
      { geofenceId: 'home', enteredAt: null, leftAt: at(200) },
      { geofenceId: 'yard', enteredAt: at(200), leftAt: null },
    ]);
    expect(await partOf(250, 900)).toEqual([
      { geofenceId: 'yard', enteredAt: null, leftAt: at(400) },
      { geofenceId: 'goal', enteredAt: at(600), leftAt: null },
    ]);
  });

  test('none without geofences', async () => {
    expect((await detailsOf(rows)).visits).toEqual([]);
  });

  test.each([[{}], [[{ geojson: {} }]], [[null]], ['home']])('%j are no geofences', async (wrong) => {
    await expect(read(tripsFrom([], { geofences: wrong as never }))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

/** Returns the names in a document, such as those of its fields. */
const namesIn = (body: string) => new Set(String(JSON.parse(body).query).match(/[a-z]\w{3,}/gi));

test('streamTrips reads what it needs for them, and asks for nothing more without', async () => {
  const service = createMockService({ vehicles: 4, clock: { now: () => START } });
  let document = '';
  const fetch: typeof service.fetch = (url, init) => {
    if (String(init?.body).includes('getSnapshots')) document = String(init?.body);
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch });
  const vehicleIds = (await fleet.getVehicles({}, { select: { id: true } })).map(({ id }) => id ?? '');
  // Friday morning: at the weekend only trucks drive.
  const period = { vehicleIds, from: new Date('2026-02-27T08:00:00Z'), to: new Date('2026-02-27T11:00:00Z') };
  const trips: readonly Trip[] = await read(fleet.streamTrips(period, { withDetails: true }));
  expect(trips.some(({ details }) => details?.timeZone === 'Europe/Tallinn')).toBe(true);
  expect(trips.some(({ details }) => details?.atEnd.engineHours)).toBe(true);
  expect(trips.some(({ details }) => details?.atStart.fuel)).toBe(true);
  expect(document).toContain('engineWorkTime');
  const plain = await read(fleet.streamTrips(period));
  expect(document).not.toContain('engineWorkTime');
  const plainDocument = document;
  expect(plain).toEqual(trips.map(({ details: _, ...trip }) => trip));
  const ofParts = await read(fleet.streamTrips(period, { withDetails: 'parts', timeZone: 'Asia/Kathmandu' }));
  expect(ofParts.map(({ details: _, ...trip }) => trip)).toEqual(plain);
  expect(ofParts.every(({ details }) => details?.timeZone === null && details.atEnd.engineHours === null)).toBe(true);
  expect(ofParts.map(({ details }) => details?.atEnd.odometerKm)).toEqual(
    trips.map(({ details }) => details?.atEnd.odometerKm),
  );
  expect(namesIn(document)).toEqual(namesIn(plainDocument));
  expect(namesIn(document)).toContain('canDistance');
});
