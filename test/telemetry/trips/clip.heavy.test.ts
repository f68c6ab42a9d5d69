// The clipped parts in consecutive periods add up to the clipped trips of the whole, with their
// details. Devices and periods are random; each part lies inside its period.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Trip } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';
import { makeClient, START } from '../../request/setup.js';
import { runs } from '../../runs.js';
import { clientOf, read, sums } from './periods.js';

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const vehicleId = '11111111-0000-5000-8000-000000000001';

/** The next snapshot: its delay, and its values. */
const step = fc.record({
  after: fc.constantFrom(5 * SECOND, 30 * SECOND, 119 * SECOND, 120 * SECOND, 20 * 60 * SECOND, 5 * HOUR, 7 * HOUR),
  ignition: fc.constantFrom(true, true, true, false, null),
  speed: fc.constantFrom(0, 30, 90, null),
  // A counter in whole kilometres, and one that is rarely sent.
  hasOdometer: fc.boolean(),
  fuel: fc.constantFrom(0, 0.2, null),
  driverId: fc.constantFrom('D1', 'D2', null),
  event: fc.constantFrom('HARSH_BRAKING', null, null),
});

function snapshotsOf(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  let [time, km, litres] = [START - 3 * DAY, 0, 0];
  return steps.map(({ after, ignition, speed, hasOdometer, fuel, driverId, event }) => {
    time += after;
    km += ((speed ?? 0) * Math.min(after, 60 * SECOND)) / HOUR;
    litres += fuel ?? 0;
    return {
      vehicleId,
      timestamp: new Date(time).toISOString(),
      gps: { latitude: 50 + km / 111.195, longitude: 10, speed },
      ignition: { engineStatus: ignition },
      driver: { driverId },
      driverBehaviour: { driverBehaviourType: event },
      canBus: { canDistance: hasOdometer ? Math.floor(km) : null, canTripFuelUsed: fuel === null ? null : litres },
    };
  });
}

/** Overlapping bands across the path to the north. */
const geofences = [0, 3, 4, 9].map((hundredths) => ({
  id: `${hundredths}`,
  geojson: {
    type: 'Polygon',
    coordinates: [
      [
        [9, 50 + hundredths / 100],
        [11, 50 + hundredths / 100],
        [11, 50.02 + hundredths / 100],
        [9, 50.02 + hundredths / 100],
      ],
    ],
  },
}));
const detailed = { withDetails: true, speedLimitKmh: 60, geofences } as const;

/** Checks that the details cover the whole trip, and nothing else. */
function expectWhole({ details, ...trip }: Trip): void {
  const { segments = [], events = [], speeding = [], visits = [] } = details ?? {};
  for (const [sum, factor] of [
    ['distanceKm', 1000],
    ['durationSeconds', 10],
    ['movingSeconds', 10],
    ['idleSeconds', 10],
  ] as const) {
    const values = segments.map((segment) => Math.round(segment[sum] * factor));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(values.reduce((all, value) => all + value, 0)).toBe(Math.round(trip[sum] * factor));
  }
  expect(segments.map(({ startedAt }) => startedAt)).toEqual([
    trip.startedAt,
    ...segments.slice(0, -1).map(({ endedAt }) => endedAt),
  ]);
  expect(segments.at(-1)?.endedAt).toBe(trip.endedAt);
  for (const { day, startedAt, endedAt } of segments) {
    expect(startedAt.slice(0, 10)).toBe(day);
    const end = Date.parse(endedAt ?? trip.lastSeenAt);
    expect(end - Date.parse(day)).toBeLessThanOrEqual(DAY);
  }
  expect([...new Set(segments.flatMap(({ driverId }) => driverId ?? []))]).toEqual(trip.driverIds);
  const counts: Record<string, number> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  expect(counts).toEqual(trip.harshEvents);
  for (const { enteredAt, leftAt } of visits) {
    const ends = [trip.startedAt, enteredAt, leftAt, trip.endedAt ?? trip.lastSeenAt].filter((end) => end !== null);
    expect(ends).toEqual([...ends].sort());
  }
  const times = speeding.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]);
  expect([trip.startedAt, ...times, trip.endedAt ?? trip.lastSeenAt]).toEqual(
    [trip.startedAt, ...times, trip.endedAt ?? trip.lastSeenAt].sort(),
  );
}

test('parts add up, and lie inside of their periods', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 4 * DAY }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      async (steps, cuts, onRows) => {
        const snapshots = snapshotsOf(steps);
        const fleet = clientOf(snapshots, START);
        const times = onRows.map((at) => Date.parse(snapshots[at % snapshots.length]?.timestamp ?? ''));
        const all = [...cuts.map((cut) => START - 3 * DAY - HOUR + cut), ...times].sort((a, b) => a - b);
        const bounds = [...new Set([START - 4 * DAY, ...all, START + 30 * DAY])];
        const clipped = (from: number, to: number) =>
          read(fleet.streamTrips({ vehicleId, from: new Date(from), to: new Date(to) }, { clip: true, ...detailed }));
        const parts: Trip[] = [];
        for (const [at, to] of bounds.slice(1).entries()) {
          const from = bounds[at] ?? Number.NaN;
          for (const part of await clipped(from, to)) {
            const end = Date.parse(part.endedAt ?? part.lastSeenAt);
            expect(Date.parse(part.startedAt)).toBeGreaterThanOrEqual(from);
            expect(end).toBeLessThanOrEqual(Math.min(to, START));
            if (!part.isOpen) {
              const lasted = (end - Date.parse(part.startedAt)) / SECOND;
              expect(Math.abs(part.durationSeconds - lasted)).toBeLessThan(0.11);
            }
            expectWhole(part);
            parts.push(part);
          }
        }
        const whole = await clipped(bounds[0] ?? 0, bounds.at(-1) ?? 0);
        // Trips by movement depend on the ignition in the whole period: truth/agreement tests them.
        const byIgnition = ({ tripsBy }: Trip) => tripsBy === 'ignition';
        expect(sums(parts.filter(byIgnition))).toEqual(sums(whole.filter(byIgnition)));
        const ends = (trips: readonly Trip[], end: 'enteredAt' | 'leftAt') =>
          trips.filter(byIgnition).flatMap(({ details }) => details?.visits.flatMap((visit) => visit[end] ?? []) ?? []);
        for (const end of ['enteredAt', 'leftAt'] as const) expect(ends(parts, end)).toEqual(ends(whole, end));
        // Nothing lies beyond the whole period, so its trips equal those without `clip`.
        const period = { vehicleId, from: new Date(bounds[0] ?? 0), to: new Date(bounds.at(-1) ?? 0) };
        expect(whole).toEqual(await read(fleet.streamTrips(period, detailed)));
      },
    ),
    { numRuns: runs(160) },
  );
});

test('a trip that is not clipped is the same in every period', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 4 * DAY }), { minLength: 1, maxLength: 4 }),
      async (steps, begins) => {
        const fleet = clientOf(snapshotsOf(steps), START);
        const from = (begin: number) =>
          read(fleet.streamTrips({ vehicleId, from: new Date(begin), to: new Date(START + DAY) }, detailed));
        const ofWhole = new Map((await from(START - 4 * DAY)).map((trip) => [trip.id, trip]));
        for (const begin of begins) {
          for (const trip of await from(START - 3 * DAY - HOUR + begin))
            if (trip.isStartKnown && trip.tripsBy === 'ignition') expect(trip).toEqual(ofWhole.get(trip.id));
        }
      },
    ),
    { numRuns: runs(160) },
  );
});

test('days of the reference fleet add up, of one vehicle and of several', async () => {
  const service = createMockService({ vehicles: 3, clock: { now: () => START } });
  const fleet = makeClient(service);
  const vehicleIds = (await fleet.getVehicles({}, { select: { id: true } })).map(({ id }) => id ?? '');
  const noons = [4, 3, 2].map((days) => new Date(Date.parse('2026-03-01T10:30:00Z') - days * DAY));
  const [first = new Date(0), ...later] = noons;
  const last = later.at(-1) ?? first;
  const parts: Trip[] = [];
  const alone: Trip[] = [];
  let from = first;
  for (const to of later) {
    parts.push(...(await read(fleet.streamTrips({ vehicleIds, from, to }, { clip: true }))));
    for (const id of vehicleIds) {
      alone.push(...(await read(fleet.streamTrips({ vehicleId: id, from, to }, { clip: true }))));
    }
    from = to;
  }
  expect(parts.some(({ endedBy }) => endedBy === 'period')).toBe(true);
  const sorted = (trips: readonly Trip[]) => trips.map((trip) => JSON.stringify(trip)).sort();
  expect(sorted(parts)).toEqual(sorted(alone));
  const whole = await read(fleet.streamTrips({ vehicleIds, from: first, to: last }, { clip: true }));
  expect(sums(parts)).toEqual(sums(whole));
});

test('clip must be true or false', async () => {
  const fleet = clientOf([], START);
  const period = { vehicleId, from: new Date(START - DAY), to: new Date(START) };
  // @ts-expect-error not a boolean
  await expect(async () => read(fleet.streamTrips(period, { clip: 'day' }))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});
