// Tests services that write one id in upper and in lower case: references still match records.
import { describe, expect, test } from 'vitest';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { diffRecords, type SyncOptions, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { type Alter, altered } from './altered.js';
import { contentOf, query, tempFile } from './copies.js';

const options: SyncOptions = {
  ...{ parts: syncParts, history: true, lateEveryMs: 0 },
  ...{ since: new Date(START - 3 * 3_600_000), until: new Date(START) },
};
const asIs: Alter = (_name, value) => value;

function service() {
  const mock = makeService({ vehicles: 3 });
  return (file: string, alter: Alter, more: SyncOptions = {}) =>
    syncFleet(makeClient(mock, { merge: false, fetch: altered(mock, alter) }), sqliteTarget(file), {
      ...options,
      ...more,
    });
}

/** Writes ids in upper case: those that a record refers to, or its own. */
const shouted = (of: 'named' | 'own'): Alter => {
  const upper = (value: unknown): unknown =>
    typeof value === 'string' ? value.toUpperCase() : Array.isArray(value) ? value.map(upper) : value;
  const inRecord = (value: unknown, isNamed: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => inRecord(item, isNamed));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => {
      const isId = name === 'id' ? isNamed === (of === 'named') : of === 'named' && /^(?!global).*Ids?$/.test(name);
      return [name, isId ? upper(member) : inRecord(member, true)];
    });
    return Object.fromEntries(members);
  };
  return (_name, value) => inRecord(value, false);
};

describe('the copy is the one of a service that has one spelling', () => {
  test.each(['named', 'own'] as const)('where %s ids are in upper case', async (of) => {
    const run = service();
    const [file, tidy] = [tempFile(), tempFile()];
    await run(tidy, asIs);
    const { failures } = await run(file, shouted(of));
    expect(failures).toEqual([]);
    // The documentation joins these tables by their ids.
    for (const table of ['vehicle_groups_all', 'vehicle_labels', 'trips', 'driver_days', 'vehicle_devices']) {
      const count = `SELECT count(*) FROM ${table}`;
      expect(await query(file, count)).toEqual(await query(tidy, count));
    }
    const lost = [
      'SELECT count(*) FROM vehicle_groups WHERE group_id NOT IN (SELECT id FROM groups)',
      'SELECT count(*) FROM vehicle_labels WHERE label_id NOT IN (SELECT id FROM labels)',
      'SELECT count(*) FROM vehicle_devices WHERE device_id NOT IN (SELECT id FROM devices)',
      'SELECT count(*) FROM person_roles WHERE role_id NOT IN (SELECT id FROM roles)',
      'SELECT count(*) FROM driver_assignments WHERE driver_id NOT IN (SELECT id FROM people)',
      'SELECT count(*) FROM trip_segments WHERE driver_id NOT IN (SELECT id FROM people)',
      'SELECT count(*) FROM snapshots WHERE driver_id NOT IN (SELECT id FROM people)',
      'SELECT count(*) FROM latest_snapshots WHERE driver_id NOT IN (SELECT id FROM people)',
      'SELECT count(*) FROM rule_vehicles WHERE vehicle_id NOT IN (SELECT id FROM vehicles)',
      'SELECT count(*) FROM rule_geofences WHERE geofence_id NOT IN (SELECT id FROM geofences)',
      'SELECT count(*) FROM groups WHERE parent_id NOT IN (SELECT id FROM groups)',
    ];
    for (const sql of lost) expect([sql, await query(file, sql)]).toEqual([sql, [[0]]]);
  });

  test.each(['named', 'own'] as const)('and stays as it is when %s ids change their case', async (of) => {
    const run = service();
    const file = tempFile();
    await run(file, asIs);
    const before = await contentOf(sqliteTarget(file));
    const changes: unknown[] = [];
    const { failures, tables } = await run(file, shouted(of), {
      onChange: ({ type, table, id }) => changes.push([type, table, id]),
    });
    expect([failures, changes]).toEqual([[], []]);
    expect(tables.filter(({ written }) => written > 0).map(({ table }) => table)).toEqual([]);
    const { sync_state: _, ...after } = await contentOf(sqliteTarget(file));
    expect(before).toMatchObject(after);
  });
});

test('diffRecords compares records whose ids differ in their case', () => {
  const id = 'aaaaaaaa-0000-4000-8000-000000000001';
  const found = diffRecords([{ id, name: 'One' }], [{ id: id.toUpperCase(), name: 'Two' }]);
  expect(found.map(({ type }) => type)).toEqual(['changed']);
  expect(diffRecords([{ id: 'a' }], [{ id: 'A' }]).map(({ type }) => type)).toEqual(['added', 'removed']);
});
