// The parts of trips by driver and day, for any rows around midnight.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Trip, type TripSegment, tripsFrom } from '../../../src/index.js';
import { runs } from '../../runs.js';
import { read } from './periods.js';

const midnight = Date.parse('2026-03-02T00:00:00Z');
const options = { withDetails: 'parts', fastestKmh: 1000, timeZone: 'UTC' } as const;

test('the parts of a trip add up to the trip in all that is counted, whatever the rows are', async () => {
  const row = fc.record({
    gap: fc.constantFrom(10, 60, 400, 1_200),
    speed: fc.constantFrom(0, 30, 90),
    km: fc.integer({ min: 0, max: 3 }),
    litres: fc.integer({ min: 0, max: 2 }),
    driver: fc.constantFrom('anna', 'bert', undefined),
    harsh: fc.boolean(),
  });
  const counted = [
    ...(['distanceKm', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds'] as const),
    ...(['fuelUsed', 'snapshots'] as const),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 40 }), async (rows) => {
      let [time, km, litres] = [-3_000, 0, 0];
      const snaps = rows.map(({ gap, harsh, driver, speed, ...step }) => {
        time += gap;
        km += step.km;
        litres += step.litres;
        return {
          vehicleId: '11111111-0000-5000-8000-000000000001',
          timestamp: new Date(midnight + time * 1000).toISOString(),
          gps: { latitude: 50 + time / 1e5, longitude: 10, speed },
          ignition: { engineStatus: true },
          driver: { driverId: driver ?? null },
          driverBehaviour: { driverBehaviourType: harsh ? 'BRAKE' : null },
          canBus: { canDistance: km, canTripFuelUsed: litres },
        };
      });
      for (const { details, ...trip } of await read(tripsFrom(snaps, options))) {
        const segments = details?.segments ?? [];
        const sumOf = (value: (part: Trip | TripSegment) => number) =>
          segments.reduce((sum, part) => sum + Math.round(value(part) * 1000), 0);
        for (const field of counted) {
          expect([field, sumOf((part) => part[field] ?? 0)]).toEqual([field, Math.round((trip[field] ?? 0) * 1000)]);
        }
        expect(sumOf((part) => part.harshEvents.BRAKE ?? 0)).toBe((trip.harshEvents.BRAKE ?? 0) * 1000);
        // A part that stands has 0 also where the device reports no speeds.
        expect(Math.max(...segments.map((part) => part.topSpeedKmh ?? 0))).toBe(trip.topSpeedKmh ?? 0);
        expect(segments.at(-1)?.endPosition).toEqual(trip.endPosition);
      }
    }),
    { numRuns: runs(150) },
  );
});
