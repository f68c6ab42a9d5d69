// Sums of any trips: groups add up to the total, and the list adds up to the output of --sum-by.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Sum } from '../../src/cli/commands/trips/sum.js';
import type { SummedPart } from '../../src/cli/commands/trips/trip-parts.js';
import { runs } from '../runs.js';
import { moment, service, shellOf } from './harness.js';

/** Devices measure with three decimals. */
const measured = (max: number) => fc.integer({ min: 0, max: max * 1000 }).map((value) => value / 1000);

const minute = (count: number) => new Date(moment + count * 60_000).toISOString();

const trip: fc.Arbitrary<SummedPart> = fc
  .record({
    tripId: fc.uuid(),
    vehicleId: fc.constantFrom('a', 'b', 'c'),
    driverId: fc.constantFrom('p', 'q', null),
    day: fc.constantFrom('2026-03-01', '2026-03-02'),
    begin: fc.nat(1_000),
    minutes: fc.nat(90),
    odometerStartKm: fc.option(measured(9_000), { nil: null }),
    odometerEndKm: fc.option(measured(9_000), { nil: null }),
    visits: fc.nat(9),
    distanceKm: measured(2_000),
    durationSeconds: measured(90_000),
    movingSeconds: measured(90_000),
    idleSeconds: measured(90_000),
    unseenSeconds: measured(90_000),
    topSpeedKmh: fc.option(measured(180), { nil: null }),
    fuelUsed: fc.option(measured(300), { nil: null }),
    fuelBy: fc.constantFrom('canTripFuelUsed', 'canFuelUsed', null),
  })
  .map(({ begin, minutes, ...part }) => ({ ...part, startedAt: minute(begin), endedAt: minute(begin + minutes) }));

const options = { isByDriver: false, withParts: true, withVisits: true, idleCost: null, fuelPrice: null };

function sumOf(trips: readonly SummedPart[]) {
  const sum = new Sum(options);
  for (const one of trips) sum.add(one);
  return sum.values;
}

const added = ['distanceKm', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds', 'fuelUsed'] as const;
const thousandths = (value: number | null) => Math.round((value ?? 0) * 1000);

describe('sums of trips', () => {
  test('over groups are the total, whatever the groups are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(trip, fc.constantFrom('x', 'y', null)), { maxLength: 40 }), (grouped) => {
        const total = sumOf(grouped.map(([one]) => one));
        const groups = ['x', 'y', null].map((key) => sumOf(grouped.flatMap(([one, of]) => (of === key ? [one] : []))));
        for (const field of added) {
          expect(groups.reduce((sum, group) => sum + thousandths(group[field]), 0)).toBe(thousandths(total[field]));
        }
        expect(groups.reduce((sum, group) => sum + group.trips, 0)).toBe(total.trips);
        expect(Math.max(...groups.map(({ topSpeedKmh }) => topSpeedKmh ?? -1))).toBe(total.topSpeedKmh ?? -1);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('are the same in any order', () => {
    const shuffled = fc
      .array(trip, { maxLength: 30 })
      .chain((trips) => fc.tuple(fc.constant(trips), fc.shuffledSubarray(trips, { minLength: trips.length })));
    fc.assert(
      fc.property(shuffled, ([trips, others]) => {
        expect(sumOf(others)).toEqual(sumOf(trips));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('of none are 0, and what nobody measured is unknown', () => {
    expect(sumOf([])).toEqual({
      ...{ distanceKm: 0, trips: 0, vehicles: 0, durationSeconds: 0, movingSeconds: 0, idleSeconds: 0 },
      ...{ unseenSeconds: 0, topSpeedKmh: null, fuelUsed: null, fuelBy: null, firstStartedAt: null, lastEndedAt: null },
      ...{
        workSeconds: 0,
        standingSeconds: 0,
        odometerStartKm: null,
        odometerEndKm: null,
        litresPer100Km: null,
        visits: 0,
      },
    });
  });
});

const row = fc.record({
  gapMinutes: fc.constantFrom(0.2, 1, 5, 20, 90),
  ignition: fc.boolean(),
  speed: fc.constantFrom(0, 30, 90),
  north: fc.constantFrom(0, 0.005, 0.02),
});

test('--sum-by prints what the list adds up to, and 0 for vehicles without a trip', async () => {
  const vehicle = fc.array(row, { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(vehicle, vehicle, async (first, second) => {
      const mock = service({ vehicles: 3 });
      const fleet = shellOf('demo', mock.fetch);
      const json = async (words: readonly string[]) => JSON.parse((await fleet([...words, '-o', 'json'])).stdout);
      const ids: readonly string[] = (await json(['vehicles', 'list', '--fields', 'id'])).map(
        ({ id }: { readonly id: string }) => id,
      );
      for (const [index, rows] of [first, second, []].entries()) {
        let [at, latitude] = [moment - 20 * 3_600_000, 58];
        const scriptRows = rows.map(({ gapMinutes, ignition, speed, north }) => {
          at += gapMinutes * 60_000;
          latitude += north;
          return { at, ignition, gps: { state: true, latitude, longitude: 26, speed } };
        });
        mock.telemetry.script(ids[index] ?? '', scriptRows);
      }
      const period = ['trips', 'list', '--from', '-1d'];
      const trips: readonly ReturnType<typeof sumOf>[] = await json([...period, '--clip']);
      const total = (field: (typeof added)[number]) => trips.reduce((sum, one) => sum + thousandths(one[field]), 0);
      for (const by of ['vehicle', 'driver', 'day']) {
        const sums: readonly ReturnType<typeof sumOf>[] = await json([...period, '--sum-by', by]);
        for (const field of added) {
          expect(sums.reduce((sum, one) => sum + thousandths(one[field]), 0)).toBe(total(field));
        }
        if (by === 'vehicle') {
          expect(sums.reduce((sum, one) => sum + one.trips, 0)).toBe(trips.length);
          expect(sums).toHaveLength(3);
        }
      }
    }),
    { numRuns: runs(20) },
  );
});
