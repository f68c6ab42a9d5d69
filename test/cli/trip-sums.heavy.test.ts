// Sums by day over a change of the clocks, and compared with a copy of the fleet.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { query } from '../../packages/sync/test/copies.js';
import { service, shellOf } from './harness.js';

type Row = Readonly<Record<string, unknown>>;

const measures = ['distanceKm', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds', 'fuelUsed'];
const sumsOf = (rows: readonly Row[]) =>
  measures.map((field) => rows.reduce((sum, row) => sum + Math.round(Number(row[field] ?? 0) * 1000), 0));

// New York's clocks went forward on 8 March 2026, so this Sunday has 23 hours.
test('by day add up to the period and to each day alone, over a change of the clocks', async () => {
  const zone = ['Truck 01', '--time-zone', 'America/New_York'];
  const spring = service({ vehicles: 2, clock: { now: () => Date.parse('2026-03-10T12:00:00Z') } });
  const list = async (words: readonly string[]): Promise<readonly Row[]> =>
    JSON.parse((await shellOf('demo', spring.fetch)(['trips', 'list', ...words, '-o', 'json'])).stdout);
  const both = ['--from', '2026-03-08', '--to', '2026-03-10'];
  const [days, whole, first, second] = await Promise.all([
    list([...zone, ...both, '--sum-by', 'day']),
    list([...zone, ...both, '--clip']),
    list([...zone, '--on', '2026-03-08', '--clip']),
    list([...zone, '--on', '2026-03-09', '--clip']),
  ]);
  expect(days.map(({ day }) => day)).toEqual(['2026-03-08', '2026-03-09']);
  expect(sumsOf(days)).toEqual(sumsOf(whole));
  expect(days.map((day) => sumsOf([day]))).toEqual([sumsOf(first), sumsOf(second)]);
});

test('kilometres by vehicle and day are those of vehicle_days in a copy of the fleet', async () => {
  const clock = { now: () => Date.parse('2026-02-28T03:00Z') };
  const mock = service({ vehicles: 3, clock });
  const shell = shellOf('demo', mock.fetch);
  const fleet = (words: readonly string[]) => shell(words, { clock });
  const file = join(shell.folder, 'fleet.db');
  // From the evening before the day until after it, so that trips over midnight are complete.
  const since = '2026-02-26T18:00Z';
  expect((await fleet(['sync', file, '--only', 'vehicles,trips', '--since', since])).code).toBe(0);
  const copied = await query(
    file,
    "SELECT vehicle_id, round(distance_km, 3), trips FROM vehicle_days WHERE local_day = '2026-02-27' AND vehicle_id IN (SELECT vehicle_id FROM trips WHERE time_zone = 'Europe/Vilnius')",
  );
  const words = ['trips', 'list', '--from', since, '--sum-by', 'vehicle,day', '--time-zone', 'Europe/Vilnius'];
  const rows: readonly Row[] = JSON.parse((await fleet([...words, '-o', 'json'])).stdout);
  const ids = new Set(copied.map(([id]) => String(id)));
  const days = rows.filter(({ day, vehicleId }) => day === '2026-02-27' && ids.has(String(vehicleId)));
  expect(copied.length).toBeGreaterThan(0);
  expect(copied.map((row) => row.map(String)).sort()).toEqual(
    days.map(({ vehicleId, distanceKm, trips }) => [vehicleId, distanceKm, trips].map(String)).sort(),
  );
});
