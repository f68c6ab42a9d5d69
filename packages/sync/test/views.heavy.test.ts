// Tests the views on trips and groups written by hand: days, visits and group trees.
import { describe, expect, test } from 'vitest';
import type { TripWithDetails } from '../../../src/telemetry/trips/trip.js';
import { rowOf } from '../src/rows.js';
import type { Step, SyncTarget } from '../src/target.js';
import { tripSteps } from '../src/trips.js';
import { databases } from './databases.js';

const at = (time: string | null) => (time === null ? null : `2026-03-28T${time}:00.000Z`);
const nothing = { odometerKm: null, engineHours: null, fuel: null };

type Visit = readonly [geofence: string, entered: string | null, left: string | null];
type Part = readonly [driver: string | null, day: string, from: string, to: string, km: number];

/** Returns a trip of one vehicle, on a Saturday. */
function trip(from: string, to: string, visits: readonly Visit[], parts: readonly Part[] = []): TripWithDetails {
  const details = {
    timeZone: 'Europe/Tallinn',
    atStart: nothing,
    atEnd: nothing,
    segments: parts.map(([driverId, day, start, end, distanceKm]) => ({
      ...{ driverId, day, startedAt: String(at(start)), endedAt: at(end) },
      ...{ durationSeconds: 600, distanceKm, movingSeconds: 500, idleSeconds: 100 },
    })),
    events: [],
    speeding: [],
    visits: visits.map(([geofenceId, entered, left]) => ({ geofenceId, enteredAt: at(entered), leftAt: at(left) })),
  };
  // The views use these members only.
  return {
    ...{ id: `v@${from}`, vehicleId: 'v', startedAt: at(from), endedAt: at(to), lastSeenAt: at(to), isOpen: false },
    ...{ driverIds: [], details },
  } as unknown as TripWithDetails;
}

const records = (table: string, all: readonly object[]): Step => ({
  kind: 'upsert',
  table,
  rows: all.map((record) => rowOf(table, record)),
});

async function write(target: SyncTarget, steps: readonly Step[]): Promise<void> {
  const open = await target.open();
  try {
    await open.apply({ steps: [records('vehicles', [{ id: 'v', name: 'Van' }]), ...steps], cursors: [] });
  } finally {
    await open.close();
  }
}

/** Converts times to texts, as in SQLite. */
const plain = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString() : cell)));

describe.each(databases)('%s', (_name, make) => {
  test('a visit goes on while the next trip begins in the same place', async () => {
    const { target, run } = await make();
    const trips = [
      trip('08:00', '09:00', [
        ['depot', null, '08:05'],
        ['shop', '08:50', null],
      ]),
      trip('10:00', '11:00', [
        ['shop', null, '10:10'],
        ['depot', '10:50', null],
      ]),
      trip('12:00', '13:00', [['depot', null, null]]),
      // The vehicle was moved without a trip.
      trip('14:00', '15:00', [
        ['shop', '14:30', '14:40'],
        ['depot', '14:50', null],
      ]),
    ];
    await write(target, [
      records('geofences', [{ id: 'depot', name: 'Depot' }, { id: 'shop' }]),
      ...tripSteps(trips, []),
    ]);
    const visits = await run(
      'SELECT vehicle, geofence_id, geofence, entered_at, left_at, dwell_s FROM geofence_visits ORDER BY geofence_id, coalesce(left_at, entered_at)',
    );
    expect(plain(visits)).toEqual([
      ['Van', 'depot', 'Depot', null, at('08:05'), null],
      ['Van', 'depot', 'Depot', at('10:50'), at('14:00'), 11_400],
      ['Van', 'depot', 'Depot', at('14:50'), null, null],
      ['Van', 'shop', null, at('08:50'), at('10:10'), 4800],
      ['Van', 'shop', null, at('14:30'), at('14:40'), 600],
    ]);
  });

  test('days of vehicles and drivers have their parts of trips', async () => {
    const { target, run } = await make();
    const parts: readonly Part[] = [
      ['anna', '2026-03-28', '21:00', '22:00', 30],
      ['anna', '2026-03-29', '22:00', '22:30', 10],
      ['bert', '2026-03-29', '22:30', '23:00', 5],
    ];
    const own: readonly Part[] = [['anna', '2026-03-29', '23:30', '23:40', 1]];
    await write(target, tripSteps([trip('21:00', '23:00', [], parts), trip('23:30', '23:40', [], own)], []));
    const days = 'CAST(local_day AS text), CAST(trips AS integer), distance_km, duration_s';
    expect(await run(`SELECT name, ${days} FROM vehicle_days ORDER BY local_day`)).toEqual([
      ['Van', '2026-03-28', 1, 30, 600],
      ['Van', '2026-03-29', 2, 16, 1800],
    ]);
    expect(await run(`SELECT driver_id, ${days} FROM driver_days ORDER BY driver_id, local_day`)).toEqual([
      ['anna', '2026-03-28', 1, 30, 600],
      ['anna', '2026-03-29', 2, 11, 1200],
      ['bert', '2026-03-29', 1, 5, 600],
    ]);
    const times = 'SELECT CAST(local_started_at AS text), CAST(local_day AS text), time_zone FROM trips ORDER BY id';
    expect(await run(times)).toEqual([
      ['2026-03-28 23:00:00', '2026-03-28', 'Europe/Tallinn'],
      ['2026-03-29 01:30:00', '2026-03-29', 'Europe/Tallinn'],
    ]);
  });

  test('groups have those below them, also where they go in a circle', async () => {
    const { target, run } = await make();
    const groups = [
      { id: 'a', parentId: null },
      { id: 'b', parentId: 'a' },
      { id: 'c', parentId: 'b' },
      { id: 'x', parentId: 'y' },
      { id: 'y', parentId: 'x' },
    ];
    const member = rowOf('vehicle_groups', { id: 'c' }, { vehicle_id: 'v' });
    await write(target, [records('groups', groups), { kind: 'upsert', table: 'vehicle_groups', rows: [member] }]);
    const tree = await run('SELECT group_id, below_id, CAST(depth AS integer) FROM group_tree ORDER BY 1, 2');
    expect(tree).toEqual([
      ['a', 'a', 0],
      ['a', 'b', 1],
      ['a', 'c', 2],
      ['b', 'b', 0],
      ['b', 'c', 1],
      ['c', 'c', 0],
      ['x', 'x', 0],
      ['x', 'y', 1],
      ['y', 'x', 1],
      ['y', 'y', 0],
    ]);
    expect(await run('SELECT group_id, vehicle_id FROM vehicle_groups_all ORDER BY 1')).toEqual([
      ['a', 'v'],
      ['b', 'v'],
      ['c', 'v'],
    ]);
  });
});
