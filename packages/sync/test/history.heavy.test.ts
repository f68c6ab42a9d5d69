// Tests the history of a copy: versions of records and of their parts, and the groups of trips.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MockService } from '../../../src/mock/service.js';
import { shellOf, service as shellService } from '../../../test/cli/harness.js';
import { root } from '../../../test/docs/markdown.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { parquetTarget, type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import { rowOf } from '../src/rows.js';
import { altered, rowsWith } from './altered.js';
import { query, tempFile } from './copies.js';
import { databases, inSqlite, type NewCopy } from './databases.js';
import { expectWhole } from './versions.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const at = (minutes: number, ms = 0) => new Date(START + minutes * MINUTE + ms).toISOString();

const lists: SyncOptions = { parts: ['vehicles', 'people', 'groups', 'labels'], history: true };

function syncOnce(service: MockService, target: SyncTarget, options: SyncOptions = lists) {
  return syncFleet(makeClient(service), target, options);
}

/** Converts cells to those of SQLite. */
const plain = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString() : cell)));
/** SQLite has numbers for booleans. */
const isTrue = (cell: unknown) => cell === true || cell === 1;

const versions = async (run: NewCopy['run'], table: string, columns: string, where: string) =>
  plain(
    await run(`SELECT ${columns}, valid_from, valid_to FROM ${table}_history WHERE ${where} ORDER BY valid_from, 1`),
  );

/** The query of docs/sync.md. */
const [, ofMarch = ''] =
  /```sql\n(SELECT group_name[^`]*trip_groups[^`]*);\n```/.exec(readFileSync(join(root, 'docs/sync.md'), 'utf8')) ?? [];

async function distances(run: NewCopy['run'], sql: string): Promise<Readonly<Record<string, number>>> {
  const rows = await run(sql);
  return Object.fromEntries(rows.map(([name, , km]) => [String(name), Number(km)]));
}

describe.each(databases)('%s', (_name, make) => {
  test('has a version of each state of a record and of its parts, and none of what is the same', async () => {
    const service = makeService({ vehicles: 3 });
    const { target, run } = await make();
    await syncOnce(service, target);
    const fleet = makeClient(service);
    const [vehicle] = await fleet.getVehicles();
    const vehicleId = String(vehicle?.id);
    const [group] = vehicle?.assignedGroups ?? [];
    const other = (await fleet.getGroups()).find(({ id }) => id !== group?.id);
    service.clock.advance(60 * MINUTE);
    await syncOnce(service, target);
    service.clock.advance(10 * MINUTE);
    await fleet.changeVehicleGroups({
      vehicleId,
      changeVehicleGroupsInput: { addGroupIds: [String(other?.id)], removeGroupIds: [String(group?.id)] },
    });
    service.clock.advance(50 * MINUTE);
    await syncOnce(service, target);
    service.clock.advance(60 * MINUTE);
    await syncOnce(service, target);
    // The service has the time of the change, between two syncs.
    expect(await versions(run, 'vehicle_groups', 'group_id', `vehicle_id = '${vehicleId}'`)).toEqual([
      [group?.id, at(0), at(70)],
      [other?.id, at(70), null],
    ]);
    expect(await versions(run, 'vehicles', 'version', `id = '${vehicleId}'`)).toEqual([
      [String(vehicle?.version), at(0), at(70)],
      [String((await fleet.getVehicleById({ id: vehicleId }))?.version), at(70), null],
    ]);
    const counted = async (table: string, where: string) =>
      Number((await run(`SELECT count(*) FROM ${table}_history WHERE ${where}`))[0]?.[0]);
    expect(await counted('vehicles', `id <> '${vehicleId}'`)).toBe(2);
    // A part without a change has one version, and so has a record whose change is in no column.
    // PostgreSQL returns JSON in another form.
    expect(await counted('vehicle_devices', `vehicle_id = '${vehicleId}'`)).toBe(vehicle?.assignedDevices?.length);
    const rules = await fleet.getRules();
    const fetchWithExtra = altered(
      service,
      rowsWith('getRules', (rows) => rows.map((row) => ({ ...row, odd: 1 }))),
    );
    await syncOnce(service, target, { parts: ['rules'] });
    await syncFleet(makeClient(service, { fetch: fetchWithExtra, merge: false }), target, { parts: ['rules'] });
    expect(await counted('rules', 'is_current')).toBe(rules.length);
    expect(await counted('rules', 'valid_from IS NOT NULL')).toBe(rules.length);
    await expectWhole(target);
  });

  test('last month keeps the distance of a vehicle with the group that it was in, and groups with those above them', async () => {
    const service = makeService({ vehicles: 2 });
    const { target, run } = await make();
    const fleet = makeClient(service);
    const newGroup = async (name: string, parentId: string | null) =>
      String((await fleet.createGroup({ createGroupInput: { name, parentId } }))?.id);
    const [north, south] = [await newGroup('North', null), await newGroup('South', null)];
    const city = await newGroup('City', north);
    const [vehicle] = await fleet.getVehicles();
    const vehicleId = String(vehicle?.id);
    const old = (vehicle?.assignedGroups ?? []).map((group) => String(group?.id));
    const move = (addGroupIds: string[], removeGroupIds: string[]) =>
      fleet.changeVehicleGroups({ vehicleId, changeVehicleGroupsInput: { addGroupIds, removeGroupIds } });
    await move([city], old);
    await syncOnce(service, target);
    // On 20 March the group gets another parent; on 5 April the vehicle leaves it.
    service.clock.advance(19 * DAY);
    await fleet.updateGroup({ groupId: city, updateGroupInput: { parentId: south } });
    await syncOnce(service, target);
    service.clock.advance(16 * DAY);
    await move([south], [city]);
    await syncOnce(service, target);
    await expectWhole(target);
    const trips = [
      ['2026-02-20', 1],
      ['2026-03-10', 20],
      ['2026-03-25', 300],
      ['2026-04-10', 4000],
    ] as const;
    const open = await target.open();
    const rows = trips.map(([day, distanceKm]) => {
      const own = { id: day, vehicleId, startedAt: `${day}T08:00:00.000Z`, distanceKm };
      return rowOf('trips', own, { local_day: day });
    });
    await open.apply({ steps: [{ kind: 'upsert', table: 'trips', rows }], cursors: [] });
    await open.close();
    expect(await distances(run, ofMarch)).toEqual({ City: 320, South: 300, North: 20 });
    // By today's groups, everything counts for the new one.
    const today = `SELECT group_name, count(*), sum(distance_km) FROM trips JOIN vehicle_groups_all USING (vehicle_id)
      WHERE local_day >= '2026-03-01' AND local_day < '2026-04-01' GROUP BY group_name`;
    expect(await distances(run, today)).toEqual({ South: 320 });
    const all = 'SELECT group_name, count(*), sum(distance_km) FROM trip_groups';
    expect(await distances(run, `${all} WHERE local_day >= '2026-04-01' GROUP BY group_name`)).toEqual({ South: 4000 });
    expect(await distances(run, `${all} WHERE NOT is_known GROUP BY group_name`)).toEqual({ City: 1, North: 1 });
  });
});

describe('whatever the database', () => {
  test('a record that is gone has no current version, and one that comes back has a new one', async () => {
    const service = makeService({ vehicles: 4 });
    const { target, run } = await inSqlite();
    await syncOnce(service, target);
    const [vehicle] = await makeClient(service).getVehicles();
    const id = String(vehicle?.id);
    const without = altered(
      service,
      rowsWith('getVehicles', (rows) => rows.filter((row) => row.id !== id)),
    );
    service.clock.advance(MINUTE);
    await syncFleet(makeClient(service, { fetch: without, merge: false }), target, lists);
    await expectWhole(target);
    service.clock.advance(MINUTE);
    const deleted = altered(
      service,
      rowsWith('getVehicles', (rows) => rows.map((row) => (row.id === id ? { ...row, isDeleted: true } : row))),
    );
    await syncFleet(makeClient(service, { fetch: deleted, merge: false }), target, lists);
    await expectWhole(target);
    service.clock.advance(MINUTE);
    await syncOnce(service, target);
    await expectWhole(target);
    const expected = [
      [at(0), at(1)],
      [at(3), null],
    ];
    expect(await versions(run, 'vehicles', 'is_start_known', `id = '${id}'`)).toEqual(
      expected.map((times, place) => [expect.toSatisfy((cell) => isTrue(cell) === (place === 1)), ...times]),
    );
    const [group] = vehicle?.assignedGroups ?? [];
    const ofGroup = `vehicle_id = '${id}' AND group_id = '${group?.id}'`;
    expect((await versions(run, 'vehicle_groups', 'group_id', ofGroup)).map(([, ...times]) => times)).toEqual(expected);
  });

  test('records that are missing in a doubtful answer stay current', async () => {
    const service = makeService({ vehicles: 20 });
    const { target } = await inSqlite();
    await syncOnce(service, target);
    service.clock.advance(MINUTE);
    const nobody = altered(
      service,
      rowsWith('getVehicles', () => []),
    );
    await syncFleet(makeClient(service, { fetch: nobody, merge: false }), target, lists);
    await expectWhole(target);
    await syncOnce(service, target, { ...lists, history: false });
    await expectWhole(target);
  });

  test('begins in an existing copy, goes on without the option, and shows what it does not know', async () => {
    const service = makeService({ vehicles: 3 });
    const { target, run } = await inSqlite();
    const { history: _, ...plainly } = lists;
    await syncOnce(service, target, plainly);
    expect(await run('SELECT id FROM vehicles_history')).toEqual([]);
    service.clock.advance(MINUTE);
    await syncOnce(service, target);
    await expectWhole(target);
    service.clock.advance(MINUTE);
    const added = (await makeClient(service).createGroup({ createGroupInput: { name: 'Added' } }))?.id;
    service.clock.advance(MINUTE);
    await syncOnce(service, target, plainly);
    await expectWhole(target);
    const starts = await run(`SELECT DISTINCT is_start_known FROM groups_history WHERE id <> '${added}'`);
    expect(starts.flat().map(isTrue)).toEqual([false]);
    const [[isKnown, from] = []] = plain(
      await run(`SELECT is_start_known, valid_from FROM groups_history WHERE id = '${added}'`),
    );
    expect([isTrue(isKnown), from]).toEqual([true, at(2)]);
    expect((await run('SELECT DISTINCT valid_from FROM vehicles_history')).length).toBe(1);
  });

  test('times go forward when the clock goes back, and a clock that is ahead makes no later versions', async () => {
    let now = START;
    const service = makeService({ vehicles: 3, clock: { now: () => now } });
    const { target, run } = await inSqlite();
    await syncOnce(service, target);
    const [person] = await makeClient(service).getPeople();
    const rename = (lastName: string) =>
      makeClient(service).updatePerson({ personId: String(person?.id), personInput: { lastName } });
    now -= 600 * MINUTE;
    await rename('Earlier');
    await syncOnce(service, target);
    await expectWhole(target);
    // The machine's clock is right, and the service's is a year ahead.
    const right = now;
    now += 365 * 24 * 60 * MINUTE;
    await rename('Ahead');
    await syncFleet(makeClient(service, { clock: { now: () => right } }), target, lists);
    await expectWhole(target);
    const found = await versions(run, 'people', 'last_name', `id = '${person?.id}'`);
    expect(found).toEqual([
      [person?.lastName, at(0), at(0, 1)],
      ['Earlier', at(0, 1), at(0, 2)],
      ['Ahead', at(0, 2), null],
    ]);
  });

  test('the records of a fleet that was replaced have ended', async () => {
    const { target, run } = await inSqlite();
    await syncOnce(makeService({ vehicles: 3 }), target);
    const other = makeService({ vehicles: 3, seed: 2, clock: { now: () => START + MINUTE } });
    await syncOnce(other, target, { ...lists, adopt: true });
    await expectWhole(target);
    const counts = await run(
      'SELECT count(CASE WHEN is_current THEN 1 END), count(*) FROM vehicles_history WHERE valid_from IS NOT NULL',
    );
    expect(counts.flat().map(Number)).toEqual([3, 6]);
  });

  test('versions are no rows of the fleet, and no changes', async () => {
    const service = makeService({ vehicles: 3 });
    const [withHistory, other] = [await inSqlite(), await inSqlite()];
    await syncOnce(service, withHistory.target);
    await syncOnce(service, other.target, { ...lists, history: false });
    const counts = 'SELECT rows_read, rows_written, (SELECT count(*) FROM changes) FROM sync_runs';
    expect(await withHistory.run(counts)).toEqual(await other.run(counts));
  });

  test('a copy that keeps none has no versions', async () => {
    const { target, run } = await inSqlite();
    await syncOnce(makeService({ vehicles: 3 }), target, { parts: ['vehicles'] });
    expect(await run("SELECT value FROM sync_state WHERE name = 'history_at'")).toEqual([]);
    expect(await run('SELECT id FROM vehicles_history')).toEqual([]);
  });
});

test('Parquet files have the versions, and go on with them', async () => {
  const service = makeService({ vehicles: 3 });
  const target = parquetTarget(`${tempFile()}-copy`);
  await syncOnce(service, target);
  const fleet = makeClient(service);
  const [vehicle] = await fleet.getVehicles();
  const [group] = vehicle?.assignedGroups ?? [];
  service.clock.advance(MINUTE);
  await fleet.changeVehicleGroups({
    vehicleId: String(vehicle?.id),
    changeVehicleGroupsInput: { removeGroupIds: [String(group?.id)] },
  });
  service.clock.advance(MINUTE);
  await syncOnce(service, target, { parts: ['vehicles', 'groups'] });
  await expectWhole(target);
  const open = await target.open();
  const columns = ['group_id', 'valid_from', 'valid_to', 'is_current'];
  const rows = await open.read('vehicle_groups_history', columns, { vehicle_id: [String(vehicle?.id)] });
  await open.close();
  expect(rows).toEqual([[group?.id, at(0), at(1), false]]);
});

test('the command line keeps history with --history, and goes on without it', async () => {
  const mock = shellService({ vehicles: 3 });
  const file = tempFile();
  const fleet = shellOf('demo', mock.fetch);
  const words = ['sync', file, '--only', 'vehicles,groups'];
  expect((await fleet([...words, '--history'])).code).toBe(0);
  await makeClient(mock).createGroup({ createGroupInput: { name: 'New' } });
  expect((await fleet(words)).code).toBe(0);
  expect(await query(file, "SELECT is_current, is_start_known FROM groups_history WHERE name = 'New'")).toEqual([
    [1, 1],
  ]);
  expect(await query(file, 'SELECT count(*) FROM vehicles_history')).toEqual([[3]]);
});
