// Trips against the drives of the reference service's world, also in overlapping periods.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { FleetClient, type Trip, tripsFrom } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';
import { GeneratedTelemetry } from '../../../src/mock/telemetry/telemetry.js';
import { anyTime, anyVehicle, day, hour } from '../../mock/telemetry/fleet.js';
import { runs } from '../../runs.js';

async function all(trips: AsyncIterable<Trip>): Promise<Trip[]> {
  const found: Trip[] = [];
  for await (const trip of trips) found.push(trip);
  return found;
}

test('are the drives that were made', async () => {
  const telemetry = new GeneratedTelemetry(7);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(anyVehicle, anyTime, async (vehicle, begin) => {
      const [from, to] = [begin, begin + 2 * day];
      // The end of a drive is known when a later row arrives; a parked vehicle sends few.
      const drives = [...telemetry.trips(vehicle, from, to)].filter(
        ({ start, end }) => start > from && end < to - 12 * hour,
      );
      const onWarning = vi.fn();
      const trips = new Map(
        (await all(tripsFrom(telemetry.snapshots(vehicle, from, to), { onWarning }))).map((trip) => [trip.id, trip]),
      );
      expect(onWarning).not.toHaveBeenCalled();
      for (const drive of drives) {
        const startedAt = new Date(drive.start).toISOString();
        const trip = trips.get(`${vehicle.id}@${startedAt}`);
        expect(trip).toMatchObject({
          vehicleId: vehicle.id,
          startedAt,
          endedAt: new Date(drive.end).toISOString(),
          isOpen: false,
          harshEvents: drive.harshEvents,
          tripsBy: 'ignition',
          distanceDoubt: null,
          unseenSeconds: 0,
          durationSeconds: (drive.end - drive.start) / 1000,
        });
        if (!trip) continue;
        compared++;
        expect(Math.abs(trip.distanceKm - drive.distanceKm)).toBeLessThan(0.3 + drive.distanceKm * 0.03);
        expect(trip.topSpeedKmh ?? 0).toBeLessThanOrEqual(drive.topSpeedKmh + 0.1);
        expect(trip.topSpeedKmh ?? 0).toBeGreaterThan(drive.topSpeedKmh * 0.8);
        expect(Math.abs(trip.idleSeconds - drive.idleMs / 1000)).toBeLessThan(60 + trip.durationSeconds * 0.1);
        expect(trip.movingSeconds + trip.idleSeconds).toBeCloseTo(trip.durationSeconds, 0);
      }
    }),
    { numRuns: runs(40) },
  );
  expect(compared).toBeGreaterThan(runs(100));
});

test('are the same whichever of 100 overlapping periods they are read from', async () => {
  const now = Date.parse('2026-03-09T12:00:00Z');
  const service = createMockService({ seed: 3, vehicles: 3, clock: { now: () => now } });
  await using fleet = new FleetClient({
    baseUrl: 'https://fleet.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
    clock: service.clock,
  });
  const vehicleId = (await fleet.getActiveVehicles({}, { select: { id: true } }))[0]?.id ?? '';
  const [from, to] = [Date.parse('2026-03-02T00:00:00Z'), Date.parse('2026-03-06T00:00:00Z')];
  const whole = await all(fleet.streamTrips({ vehicleId, from: new Date(from), to: new Date(to) }));
  expect(whole.length).toBeGreaterThan(8);
  const begin = (trip: Trip) => Date.parse(trip.startedAt);
  const end = (trip: Trip) => Date.parse(trip.endedAt ?? trip.lastSeenAt);

  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: from, max: to }),
      fc.integer({ min: 0, max: 8 * hour }),
      async (start, length) => {
        const [first, last] = [start, Math.min(to, start + length)];
        const trips = await all(fleet.streamTrips({ vehicleId, from: new Date(first), to: new Date(last) }));
        const expected = whole.filter((trip) => begin(trip) <= last && end(trip) >= first);
        expect(trips.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        for (const [place, trip] of trips.entries()) {
          if (trip.isOpen) expect(end(trip)).toBeLessThanOrEqual(last);
          else expect(trip).toEqual(expected[place]);
        }
      },
    ),
    { numRuns: runs(100), examples: [[1772431143001, 0]] },
  );
}, 60_000);
