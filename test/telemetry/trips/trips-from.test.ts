// Trips from snapshots written by hand: their start and end, their values and warnings.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { InvalidInputError, type Trip, type TripOptions, type TripSnapshot, tripsFrom } from '../../../src/index.js';

const day = Date.parse('2026-03-02T00:00:00Z');
const vehicleId = '11111111-0000-5000-8000-000000000001';

interface Values {
  readonly on?: boolean | null;
  readonly speed?: number;
  readonly at?: readonly [latitude: number, longitude: number];
  readonly km?: number;
  readonly driver?: string;
  readonly harsh?: string;
  readonly fuel?: number;
  readonly vehicle?: string;
}

/** Returns a snapshot this many seconds into the day. */
function snap(seconds: number, { on, speed, at, km, driver, harsh, fuel, vehicle = vehicleId }: Values): TripSnapshot {
  const [latitude, longitude] = at ?? [null, null];
  return {
    vehicleId: vehicle,
    timestamp: new Date(day + seconds * 1000).toISOString(),
    gps: speed === undefined && at === undefined ? null : { latitude, longitude, speed: speed ?? null },
    ignition: on === undefined ? null : { engineStatus: on },
    driver: driver === undefined ? null : { driverId: driver },
    driverBehaviour: harsh === undefined ? null : { driverBehaviourType: harsh },
    canBus: km === undefined && fuel === undefined ? null : { canDistance: km ?? null, canTripFuelUsed: fuel ?? null },
  };
}

async function tripsOf(
  rows: Iterable<TripSnapshot> | AsyncIterable<TripSnapshot>,
  options?: Parameters<typeof tripsFrom>[1],
): Promise<Trip[]> {
  const trips: Trip[] = [];
  for await (const trip of tripsFrom(rows, options)) trips.push(trip);
  return trips;
}

const at = (seconds: number) => new Date(day + seconds * 1000).toISOString();

describe('where a trip begins and ends', () => {
  test('from the first snapshot with the ignition on to the first with it off, when it stays off', async () => {
    const trips = await tripsOf([
      snap(0, { on: false }),
      snap(100, { on: true }),
      snap(400, { on: true }),
      snap(700, { on: false }),
      snap(820, { on: false }),
    ]);
    expect(trips).toMatchObject([
      {
        id: `${vehicleId}@${at(100)}`,
        startedAt: at(100),
        endedAt: at(700),
        isOpen: false,
        endedBy: 'ignition',
        isStartKnown: true,
        durationSeconds: 600,
        snapshots: 3,
      },
    ]);
  });

  test.each([
    [119, 1],
    [120, 2],
  ])('%i s with the ignition off make %i trip(s)', async (off, count) => {
    const rows = [
      snap(0, { on: true }),
      snap(60, { on: false }),
      snap(60 + off, { on: true }),
      snap(900, { on: true }),
    ];
    const trips = await tripsOf(rows);
    expect(trips).toHaveLength(count);
    expect(await tripsOf(rows, { closeAfterMs: 600_000 })).toHaveLength(1);
  });

  test('a break that is too short for an end is neither moving nor idling', async () => {
    const [trip] = await tripsOf([
      snap(0, { on: true, speed: 50 }),
      snap(100, { on: false, speed: 0 }),
      snap(160, { on: true }),
      snap(260, { on: false }),
    ]);
    expect(trip).toMatchObject({ movingSeconds: 100, idleSeconds: 100, durationSeconds: 260 });
  });

  test('is open when nothing says that it has ended, and so when the ignition went off only just', async () => {
    const rows = [snap(0, { on: false }), snap(10, { on: true }), snap(70, { on: true })];
    expect(await tripsOf(rows)).toMatchObject([{ isOpen: true, endedAt: null, endedBy: null, lastSeenAt: at(70) }]);
    expect(await tripsOf([...rows, snap(90, { on: false })])).toMatchObject([{ isOpen: true, lastSeenAt: at(90) }]);
  });

  test('has no known start when the ignition was on from the very first snapshot', async () => {
    expect(await tripsOf([snap(0, { on: true }), snap(60, { on: true })])).toMatchObject([{ isStartKnown: false }]);
    expect(await tripsOf([snap(0, {}), snap(60, { on: true })])).toMatchObject([{ isStartKnown: false }]);
  });

  test('ends at the last snapshot before a silence', async () => {
    const rows = [snap(0, { on: true }), snap(60, { on: true }), snap(60 + 6 * 3600, { on: true })];
    expect(await tripsOf(rows)).toMatchObject([
      { endedAt: at(60), endedBy: 'silence' },
      { startedAt: at(60 + 6 * 3600), isOpen: true, isStartKnown: true },
    ]);
    expect(await tripsOf(rows, { silenceMs: 7 * 3_600_000 })).toHaveLength(1);
  });

  test('snapshots that say nothing of the ignition leave it as it is', async () => {
    const rows = [snap(0, { on: true }), snap(60, { speed: 40 }), snap(600, { on: null }), snap(660, { on: false })];
    expect(await tripsOf([...rows, snap(900, {})])).toMatchObject([{ endedAt: at(660), movingSeconds: 600 }]);
  });

  test('no ignition and no movement, no trip', async () => {
    expect(await tripsOf([])).toEqual([]);
    expect(await tripsOf([snap(0, { speed: 0 }), snap(60, { on: false, speed: 0 })])).toEqual([]);
  });

  test('a parked vehicle whose receiver is somewhere else for a moment has no trip', async () => {
    const onWarning = vi.fn();
    const parked = (minute: number) => snap(minute * 60, { on: false, speed: 0, at: [59, 24] });
    const elsewhere = snap(20 * 60, { on: false, speed: 7, at: [59.004, 24] });
    expect(
      await tripsOf([parked(0), parked(10), elsewhere, parked(30), parked(40), parked(50)], { onWarning }),
    ).toEqual([]);
    expect(onWarning).not.toHaveBeenCalled();
  });

  test('without ignition, from the last snapshot before it moves to the stop', async () => {
    const warnings: string[] = [];
    const rows = [
      snap(0, { on: false, speed: 0 }),
      snap(60, { on: false, speed: 0 }),
      snap(90, { on: false, speed: 60 }),
      snap(150, { on: false, speed: 60 }),
      snap(210, { on: false, speed: 0 }),
      // At a light.
      snap(240, { on: false, speed: 60 }),
      snap(300, { on: false, speed: 0 }),
      snap(600, { on: false, speed: 0 }),
    ];
    const expected = {
      startedAt: at(60),
      endedAt: at(300),
      endedBy: 'stop',
      tripsBy: 'movement',
      isStartKnown: true,
      movingSeconds: 180,
      idleSeconds: 60,
    };
    const trips = await tripsOf(rows, { onWarning: ({ code }) => void warnings.push(code) });
    expect(trips).toMatchObject([expected]);
    expect(warnings).toEqual(['NO_IGNITION']);
    // Once the ignition has been on, it decides.
    expect(await tripsOf([...rows, snap(700, { on: true }), snap(900, { on: false }), snap(1100, {})])).toMatchObject([
      { startedAt: at(700), tripsBy: 'ignition' },
    ]);
  });
});

describe('distance', () => {
  const north = (km: number): readonly [number, number] => [59 + km / 111.1949, 24];

  test('by odometer, with what it has not seen added by position', async () => {
    const [trip] = await tripsOf([
      snap(0, { on: true, at: north(0), speed: 60 }),
      snap(60, { at: north(1), km: 5000 }),
      snap(120, { at: north(2) }),
      snap(180, { km: 5002.5, at: north(3) }),
      snap(240, { at: north(4), speed: 0 }),
      snap(300, { on: false }),
    ]);
    expect(trip?.distanceBy).toBe('odometer');
    expect(trip?.distanceKm).toBeCloseTo(1 + 2.5 + 1, 2);
  });

  /** Returns a drive of a kilometre a minute, with odometer rows between the positions. */
  const driveWith = (
    odometer: readonly (readonly [seconds: number, km: number])[],
    valuesAt: (seconds: number) => Values,
  ) =>
    [
      snap(0, { on: true, at: north(0), speed: 60, km: 5000 }),
      ...[60, 120, 180].map((seconds) => snap(seconds, { at: north(seconds / 60), speed: 60 })),
      ...odometer.map(([seconds, km]) => snap(seconds, { ...valuesAt(seconds), km })),
      snap(240, { on: false, at: north(4), speed: 0 }),
      snap(400, { on: false }),
    ].sort((one, other) => String(one.timestamp).localeCompare(String(other.timestamp)));

  test.each([
    ['repeats the last position', (seconds: number) => ({ at: north(Math.floor(seconds / 60)), speed: 60 })],
    ['has no position', () => ({})],
  ])('no second counts twice when the row of the odometer %s', async (_what, valuesAt) => {
    const once = driveWith([[90, 5001.5]], valuesAt);
    expect(await tripsOf(once)).toMatchObject([{ distanceKm: 4, distanceBy: 'odometer' }]);
    const readings = [[90, 5001.5], [150, 10], [210, 11]] as const; // biome-ignore format: a table
    expect(await tripsOf(driveWith(readings, valuesAt))).toMatchObject([{ distanceKm: 4, distanceBy: 'both' }]);
  });

  test.each([
    ['goes back', [5000, 4990, 5010]],
    ['leaps', [5000, 5000, 9000]],
    ['is no number', [5000, Number.NaN, 5001]],
    ['is read once', [5000]],
  ])('by position when the odometer %s', async (_what, readings) => {
    const rows = readings.map((km, place) => snap(place * 60, { on: true, km, at: north(place) }));
    const [trip] = await tripsOf([...rows, snap(180, { on: true, at: north(3) })]);
    expect(trip?.distanceBy).toBe('positions');
    expect(trip?.distanceKm).toBeCloseTo(3, 2);
  });

  test('without 0,0 fixes, and without jumps that no vehicle can make', async () => {
    const [trip] = await tripsOf([
      snap(0, { on: true, at: [0, 0] }),
      snap(10, { at: north(0) }),
      snap(70, { at: north(1) }),
      snap(80, { at: [0, 0] }),
      snap(90, { at: north(500) }),
      snap(130, { at: north(2) }),
      snap(190, { at: north(3) }),
    ]);
    expect(trip?.distanceKm).toBeCloseTo(3, 2);
    expect(trip?.startPosition).toEqual({ latitude: 59, longitude: 24 });
    expect(trip?.endPosition?.latitude).toBeCloseTo(north(3)[0], 6);
  });

  test('goes on from a new place when two positions agree that it is there', async () => {
    const [trip] = await tripsOf([
      snap(0, { on: true, at: north(0) }),
      snap(60, { at: north(300) }),
      snap(120, { at: north(301) }),
      snap(180, { at: north(302) }),
    ]);
    expect(trip?.distanceKm).toBeCloseTo(2, 2);
  });

  test('has no mean speed when it never moved, and counts each value once', async () => {
    const warnings: string[] = [];
    // A service may send any text.
    const unusual = { ...snap(20, { on: true, km: 5000.08 }), gps: { speed: 'fast' as unknown as number } };
    const rows = [
      snap(0, { on: false }),
      snap(5, { on: true, speed: 0, km: 5000 }),
      snap(10, { speed: 0, km: 5000.04 }),
      unusual,
    ];
    const onWarning = ({ message }: { readonly message: string }) => void warnings.push(message);
    const [trip] = await tripsOf([...rows, snap(30, { on: true, speed: 0 })], { onWarning });
    expect(trip).toMatchObject({ distanceKm: 0.08, movingSeconds: 0, topSpeedKmh: 0, meanSpeedKmh: null });
    expect(warnings).toEqual([expect.stringContaining('Cannot read the speed of 1 snapshot:')]);
  });

  test('none without odometer and positions', async () => {
    expect(await tripsOf([snap(0, { on: true }), snap(60, { on: true })])).toMatchObject([
      {
        distanceKm: 0,
        distanceBy: 'none',
        startPosition: null,
        endPosition: null,
        topSpeedKmh: null,
        meanSpeedKmh: null,
      },
    ]);
  });
});

describe('the counters around a trip', () => {
  const north = (km: number): readonly [number, number] => [59 + km / 111.1949, 24];
  /** Returns two kilometres in two minutes, with one reading of the counters in the middle. */
  const driveWithin = (before: readonly TripSnapshot[], after: readonly TripSnapshot[]) => [
    snap(100, { on: false, speed: 0 }),
    ...before,
    snap(300, { on: true, at: north(0), speed: 60 }),
    snap(360, { at: north(0.9), speed: 60, km: 5000.9, fuel: 10.3 }),
    snap(420, { on: false, at: north(2), speed: 0 }),
    ...after,
    snap(600, { on: false, speed: 0 }),
  ];
  const parked = (seconds: number, km: number, fuel: number, more: Values = {}) =>
    snap(seconds, { on: false, km, fuel, ...more });

  test('are what they are at its ends, whichever of them are known', async () => {
    const before = [parked(200, 5000, 10)];
    const after = [parked(430, 5001.95, 10.7), parked(530, 5001.95, 10.7)];
    const around = { distanceBy: 'odometer', fuelBy: 'canTripFuelUsed' };
    expect(await tripsOf(driveWithin(before, after))).toMatchObject([{ ...around, distanceKm: 1.95, fuelUsed: 0.7 }]);
    expect(await tripsOf(driveWithin(before, []))).toMatchObject([{ ...around, distanceKm: 2, fuelUsed: 0.3 }]);
    expect(await tripsOf(driveWithin([], after))).toMatchObject([{ ...around, distanceKm: 1.95, fuelUsed: 0.4 }]);
    expect(await tripsOf(driveWithin([], []))).toMatchObject([
      { distanceBy: 'positions', distanceKm: 2, fuelBy: null },
    ]);
    const none = driveWithin(before, after).filter(({ timestamp }) => timestamp !== at(360));
    expect(await tripsOf(none)).toMatchObject([{ ...around, distanceKm: 1.95, fuelUsed: 0.7 }]);
  });

  test.each([
    ['are zeros, as of a bus that sleeps', 200, 430, { km: 0, fuel: 0 }],
    ['are more than two minutes away', 170, 545, {}],
    ['are of a vehicle that moves', 200, 430, { speed: 30 }],
    ['jump', 200, 430, { km: 9000, fuel: 900 }],
    ['are no numbers', 200, 430, { km: Number.NaN, fuel: Number.NaN }],
  ])('do not count when they %s', async (_what, first, last, more) => {
    const inTrip = { km: 5001.4, fuel: 10.5, at: north(1.4), speed: 60 };
    const trips = (before: readonly TripSnapshot[], after: readonly TripSnapshot[]) =>
      tripsOf(
        driveWithin(before, after).flatMap((row) => (row.timestamp === at(420) ? [snap(390, inTrip), row] : [row])),
        { closeAfterMs: 150_000 },
      );
    const without = await trips([], []);
    expect(without).toMatchObject([{ distanceKm: 2, fuelUsed: 0.2, distanceBy: 'odometer' }]);
    const unusual = await trips([parked(first, 5000, 10, more)], [parked(last, 5002, 10.7, more)]);
    expect(unusual).toEqual(without);
  });

  test('count once when the ignition is off for a moment only', async () => {
    const on = [snap(440, { on: true, speed: 0 }), parked(500, 5001.95, 10.8), snap(700, { on: false })];
    const rows = driveWithin([parked(200, 5000, 10)], [parked(430, 5001.95, 10.7), ...on]);
    const inOrder = rows.sort((one, other) => String(one.timestamp).localeCompare(String(other.timestamp)));
    expect(await tripsOf(inOrder)).toMatchObject([{ endedAt: at(500), distanceKm: 1.95, fuelUsed: 0.8 }]);
  });

  test('a counter of the trip that starts again with it counts from its start', async () => {
    const rows = driveWithin([parked(200, 5000, 31)], [parked(430, 5002, 0.9)]);
    const restarted = rows.map((row) => (row.timestamp === at(360) ? snap(360, { km: 5000.9, fuel: 0.5 }) : row));
    expect(await tripsOf(restarted)).toMatchObject([{ fuelUsed: 0.9 }]);
  });
});

describe('the track', () => {
  const rows = [
    snap(0, { on: true, at: [0, 0] }),
    snap(10, { at: [59, 24] }),
    snap(70, { at: [59.01, 24] }),
    snap(80, { at: [59.9, 24] }),
    // At one place: the first and the last are in the track.
    ...[130, 140, 150, 160].map((seconds) => snap(seconds, { at: [59.02, 24], speed: 0 })),
    snap(190, { on: false, at: [59.02, 24.01] }),
    // After the trip.
    snap(250, { on: false, at: [59.03, 24.01] }),
    snap(400, { on: false, at: [59.03, 24.01] }),
  ];
  const point = (seconds: number, latitude: number, longitude: number) => ({ time: at(seconds), latitude, longitude });
  const track = [
    point(10, 59, 24),
    point(70, 59.01, 24),
    point(130, 59.02, 24),
    point(160, 59.02, 24),
    point(190, 59.02, 24.01),
  ];

  test('is where it was from its start to its end, and changes nothing else', async () => {
    const [trip] = await tripsOf(rows, { withTrack: true });
    const [plain] = await tripsOf(rows);
    expect(trip).toEqual({ ...plain, track });
    expect(plain).not.toHaveProperty('track');
  });

  test('has no position that the device calls invalid; the distance has', async () => {
    const disagreements = rows.map((row) =>
      row.timestamp === at(70) ? { ...row, gps: { ...row.gps, state: false } } : row,
    );
    const [trip] = await tripsOf(disagreements, { withTrack: true });
    expect(trip?.track).toEqual(track.filter(({ time }) => time !== at(70)));
    expect(trip?.distanceKm).toBe((await tripsOf(rows))[0]?.distanceKm);
  });

  test('is empty without positions, and that of the trip so far while it is open', async () => {
    expect(await tripsOf([snap(0, { on: true })], { withTrack: true })).toMatchObject([{ track: [] }]);
    const open = await tripsOf(rows.slice(0, 3), { withTrack: true });
    expect(open).toMatchObject([{ isOpen: true, track: track.slice(0, 2) }]);
  });

  test('of each vehicle is its own, and of each trip', async () => {
    const back = snap(500, { on: true, at: [59.03, 24.01] });
    const other = [
      snap(20, { on: true, at: [58, 25], vehicle: 'other' }),
      snap(90, { at: [58.01, 25], vehicle: 'other' }),
    ];
    const trips = await tripsOf([...rows, back, ...other], { withTrack: true });
    expect(trips.map((trip) => [trip.vehicleId, trip.track])).toEqual([
      [vehicleId, track],
      [vehicleId, [point(500, 59.03, 24.01)]],
      ['other', [point(20, 58, 25), point(90, 58.01, 25)]],
    ]);
  });

  test('has both positions that agree on a new place', async () => {
    const far = [snap(0, { on: true, at: [59, 24] }), snap(60, { at: [62, 24] }), snap(120, { at: [62.01, 24] })];
    const [trip] = await tripsOf(far, { withTrack: true });
    expect(trip?.track?.map(({ latitude }) => latitude)).toEqual([59, 62, 62.01]);
  });
});

describe('reports', () => {
  test('drivers, speeds, fuel and harsh moments', async () => {
    const [trip] = await tripsOf([
      snap(0, { on: true, speed: 0, driver: 'anna', fuel: 1 }),
      snap(60, { speed: 90, harsh: 'HARSH_BRAKING' }),
      snap(120, { speed: 30, driver: 'bert', harsh: 'HARSH_BRAKING', fuel: 3.5 }),
      snap(180, { speed: 999, driver: 'anna', harsh: 'SPEED_SIGN_VIOLATION' }),
      snap(240, { on: false, fuel: 0.5 }),
    ]);
    expect(trip).toMatchObject({
      driverIds: ['anna', 'bert'],
      topSpeedKmh: 90,
      movingSeconds: 180,
      idleSeconds: 60,
      fuelUsed: 3,
      fuelBy: 'canTripFuelUsed',
      harshEvents: { HARSH_BRAKING: 2, SPEED_SIGN_VIOLATION: 1 },
    });
  });

  test.each([
    ['', {}],
    [', with the numbers that streams give rows of one moment', { ordinal: 1 }],
  ])('a snapshot that comes twice is one%s', async (_what, number) => {
    const harsh = { ...snap(60, { harsh: 'HARSH_BRAKING' }), ordinal: 0 };
    const again = { ...harsh, ...number };
    const [trip] = await tripsOf([snap(0, { on: true }), harsh, again, snap(61, { harsh: 'HARSH_BRAKING' })]);
    expect(trip).toMatchObject({ harshEvents: { HARSH_BRAKING: 2 }, snapshots: 3 });
  });

  test('timestamps as numbers, in seconds or milliseconds, and with other offsets', async () => {
    const times = [day / 1000, day + 60_000, '2026-03-02T02:02:00+02:00'];
    const [trip] = await tripsOf(
      times.map((timestamp) => ({ vehicleId, timestamp, ignition: { engineStatus: true } })),
    );
    expect(trip).toMatchObject({ startedAt: at(0), lastSeenAt: at(120) });
  });

  test('of several vehicles side by side', async () => {
    const trips = await tripsOf([
      snap(0, { on: true, vehicle: 'a' }),
      snap(10, { on: true, vehicle: 'b' }),
      snap(300, { on: false, vehicle: 'a' }),
      snap(310, { on: true, vehicle: 'b' }),
      snap(900, { on: false, vehicle: 'a' }),
      snap(905, { on: false, vehicle: 'b' }),
    ]);
    expect(trips.map(({ vehicleId, isOpen, durationSeconds }) => [vehicleId, isOpen, durationSeconds])).toEqual([
      ['a', false, 300],
      ['b', true, 895],
    ]);
  });
});

test('refuses options that cannot be used, before a row is read', async () => {
  await expect(tripsOf([], { closeAfterMs: -1 })).rejects.toThrow(InvalidInputError);
  // A caller in JavaScript may pass anything.
  await expect(tripsOf([], { closeafter: 1 } as TripOptions)).rejects.toThrow(/closeAfterMs/);
});

test('the order of rows that come late by up to the tolerance does not matter', async () => {
  const drive = Array.from({ length: 60 }, (_, place) =>
    snap(place * 20, {
      on: place % 30 < 20,
      speed: place % 7 === 0 ? 0 : 50,
      at: [59 + place / 1000, 24],
      ...(place % 11 === 0 ? { harsh: 'HARSH_BRAKING' } : {}),
    }),
  );
  const truth = await tripsOf(drive);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 59 }), { minLength: 60, maxLength: 60 }), async (lateness) => {
      const late = drive
        .map((row, place) => ({ row, arrives: place * 20 + (lateness[place] ?? 0) }))
        .sort((a, b) => a.arrives - b.arrives)
        .map(({ row }) => row);
      expect(await tripsOf(late)).toEqual(truth);
    }),
  );
  const tooLate = [...drive.slice(1, 10), ...drive.slice(0, 1), ...drive.slice(10)];
  expect((await tripsOf(tooLate)).length).toBe(truth.length);
});
