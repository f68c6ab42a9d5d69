// The live day of a vehicle: its trips match `fleet trips list`, and it grows.
import { expect, test } from 'vitest';
import { service, shellOf } from '../../../test/cli/harness.js';
import { mapOf } from './live-day.js';

const day = '2026-03-02';

interface ListedTrip {
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly distanceKm: number;
  readonly movingSeconds: number;
}

test('the trips of today are those of fleet trips list --clip', async () => {
  const name = 'Truck 01';
  const mock = service({ vehicles: 3 });
  const map = await mapOf(mock);
  const shown = await map.day(name, day);
  const words = ['trips', 'list', name, '--on', 'today', '--clip', '--time-zone', 'UTC', '-o', 'json'];
  const { stdout } = await shellOf('demo', mock.fetch)(words);
  const listed: readonly ListedTrip[] = JSON.parse(stdout);
  expect(listed.length).toBeGreaterThan(0);
  expect(shown.trips.map(({ from, to, km, movingMs }) => [from, to, km, movingMs])).toEqual(
    listed.map(({ startedAt, endedAt, distanceKm, movingSeconds }) => [
      Date.parse(startedAt),
      endedAt === null ? null : Date.parse(endedAt),
      Math.round(distanceKm * 1_000) / 1_000,
      Math.round(movingSeconds * 1_000),
    ]),
  );
  expect(shown.notes).toEqual([]);
});

test('no trip of a day of the past is under way', async () => {
  const map = await mapOf(service({ vehicles: 3 }));
  const { trips, to } = await map.day('Truck 01', '2026-02-27');
  expect(trips.length).toBeGreaterThan(0);
  expect(trips.filter((trip) => trip.to === null)).toEqual([]);
  expect(to).toBe(Date.parse('2026-02-27T23:59:59.999Z'));
});

test('today grows, reads only what has come since, and is then what a first reading is', async () => {
  const mock = service({ vehicles: 3 });
  const map = await mapOf(mock);
  const before = await map.day('Truck 01', day);
  const whole = mock.requests.length;
  mock.clock.advance(240_000);
  const grown = await map.day('Truck 01', day);
  // The service's time has a resolution of seconds.
  expect(Math.abs(grown.to - before.to - 240_000)).toBeLessThan(1_000);
  expect(grown.track.times.length).toBeGreaterThan(before.track.times.length);
  const operationsSent = mock.requests.slice(whole).map(({ operations }) => operations);
  expect(operationsSent.flat()).not.toContain('getDriverAssignments');
  const other = await mapOf(mock);
  const again = await other.day('Truck 01', day);
  expect({ ...grown, to: again.to }).toEqual(again);
});
