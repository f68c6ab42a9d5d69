// Tests answers that prove no deletion: null lists, null rows, and too many missing records.
import { describe, expect, test } from 'vitest';
import type { MockService } from '../../../src/mock/service.js';
import { shellOf, service as shellService } from '../../../test/cli/harness.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { type SyncOptions, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { type Alter, altered, rowsWith } from './altered.js';
import { contentOf, query, tempFile } from './copies.js';

const lists: SyncOptions = { parts: ['vehicles', 'people', 'labels'] };

/** Copies a fleet of 20 vehicles, and returns a sync of altered answers. */
async function copied(parts: SyncOptions = lists) {
  const service = makeService({ vehicles: 20 });
  const file = tempFile();
  const run = (alter: Alter = (_name, value) => value, options: SyncOptions = {}, from: MockService = service) =>
    syncFleet(makeClient(from, { merge: false, fetch: altered(from, alter) }), sqliteTarget(file), {
      ...parts,
      ...options,
    });
  await run();
  const live = async (table = 'vehicles') =>
    Number((await query(file, `SELECT count(*) FROM ${table} WHERE deleted_at IS NULL`))[0]?.[0]);
  return { service, file, run, live };
}

const none = rowsWith('getVehicles', () => []);
const removedOf = ({ tables }: Awaited<ReturnType<typeof syncFleet>>) => tables.map(({ removed }) => removed);

describe('too many records are missing', () => {
  test('marks none of the table, reports that, and writes everything else', async () => {
    const { run, live, file } = await copied();
    const changed: unknown[] = [];
    const report = await run(
      (name, value) => {
        if (name === 'getVehicles' && Array.isArray(value)) return [{ ...value[0], name: 'Renamed' }];
        return name === 'getLabels' && Array.isArray(value) ? value.slice(1) : value;
      },
      { onChange: ({ type, table }) => changed.push([type, table]) },
    );
    expect(await live()).toBe(20);
    expect(report.failures).toMatchObject([{ kind: 'undeleted', part: 'vehicles', vehicleId: null }]);
    expect(report.failures[0]?.error.message).toBe(
      '19 of 20 rows of vehicles are not in the answer of the service: more than 30 % at once. None of them was marked as deleted. If they are really gone, allow it: `allowDeletions: true`, or --allow-deletions.',
    );
    expect(removedOf(report)).toEqual([0, 0, 1]);
    expect(changed).toEqual([
      ['changed', 'vehicles'],
      ['removed', 'labels'],
    ]);
    expect(await query(file, "SELECT count(*) FROM vehicles WHERE name = 'Renamed'")).toEqual([[1]]);
  });

  test('every sync says so, until they are back or the deletions are allowed', async () => {
    const { run, live } = await copied();
    for (const _ of [1, 2]) expect((await run(none)).failures).toMatchObject([{ kind: 'undeleted' }]);
    expect((await run()).failures).toEqual([]);
    const report = await run(none, { allowDeletions: true });
    expect([report.failures, removedOf(report)[0], await live()]).toEqual([[], 20, 0]);
    expect((await run(none)).failures).toEqual([]);
  });

  test.each([
    ['6 of 20', 20, 6, 14],
    ['7 of 20', 20, 7, 20],
    ['1 of 4', 4, 1, 3],
    ['1 of 3', 3, 1, 3],
    ['1 of 1', 1, 1, 1],
  ])('%s', async (_what, all, missing, left) => {
    const { run, live } = await copied();
    const some = (count: number) => rowsWith('getVehicles', (rows) => rows.slice(20 - count));
    await run(some(all), { allowDeletions: true });
    await run(some(all - missing));
    expect(await live()).toBe(left);
  });

  test('every list that is empty once leaves its rows and their versions as they were', async () => {
    const parts = syncParts.filter((part) => !['trips', 'stops', 'snapshots'].includes(part));
    const { run, file } = await copied({ parts, history: true, until: new Date(START) });
    const before = await contentOf(sqliteTarget(file));
    const report = await run((name, value) => (Array.isArray(value) && name !== 'getVehicles' ? [] : value));
    expect(report.failures.map(({ kind, part }) => `${part} ${kind}`)).toEqual(
      [
        ...['people', 'groups', 'geofences', 'labels', 'roles', 'rules', 'schedules', 'vehicle-types'],
        ...['meta-sensors', 'mapped-sensors', 'assignments'],
      ].map((part) => `${part} undeleted`),
    );
    const { sync_state: _, ...after } = await contentOf(sqliteTarget(file));
    expect(before).toMatchObject(after);
    expect((await run()).failures).toEqual([]);
  });

  test('of mapped sensors, those of a few vehicles may go', async () => {
    const { run, file } = await copied({ parts: ['mapped-sensors'] });
    const count = async () => Number((await query(file, 'SELECT count(*) FROM mapped_sensors'))[0]?.[0]);
    const before = await count();
    const [[vehicleId] = []] = await query(file, 'SELECT vehicle_id FROM mapped_sensors');
    const ofOne: Alter = (name, value, variables) =>
      name === 'getVehicleMappedSensors' && variables.vehicleId === vehicleId ? [] : value;
    expect((await run(ofOne)).failures).toEqual([]);
    expect(await count()).toBeLessThan(before);
    const gone = rowsWith('getVehicleMappedSensors', () => []);
    expect((await run(gone, { allowDeletions: true })).failures).toEqual([]);
    expect(await count()).toBe(0);
  });

  test('records that the service itself calls deleted are marked, however many', async () => {
    const { run, live } = await copied();
    const report = await run(rowsWith('getVehicles', (rows) => rows.map((row) => ({ ...row, isDeleted: true }))));
    expect([report.failures, await live()]).toEqual([[], 0]);
  });

  test('a copy that is adopted takes the new fleet', async () => {
    const { run, live } = await copied();
    const report = await run(undefined, { adopt: true }, makeService({ vehicles: 20, seed: 2 }));
    expect(report.failures).toEqual([]);
    expect(await live()).toBe(20);
  });

  test('of the assignments of the vehicles that were asked for', async () => {
    const { run, live, service } = await copied({ parts: ['assignments'] });
    const before = await live('driver_assignments');
    expect(before).toBeGreaterThan(10);
    const gone = rowsWith('getDriverAssignments', () => []);
    const [vehicle] = await makeClient(service).getVehicles();
    for (const options of [{}, { vehicleIds: [String(vehicle?.id)] }]) {
      const { failures } = await run(gone, options);
      expect(failures).toMatchObject([{ kind: 'undeleted', part: 'assignments' }]);
      expect(await live('driver_assignments')).toBe(before);
    }
  });
});

describe('an answer that is not whole', () => {
  test.each([
    ['null in place of the list', () => null, 'answered null instead of a list'],
    ['a null row', (rows) => [null, ...rows.slice(1)], 'null rows'],
    ['a row that is no record', (rows) => ['odd', ...rows.slice(1)], 'no records'],
    ['a record without an id', (rows) => [{ ...rows[0], id: null }, ...rows.slice(1)], 'have no id'],
  ] as readonly (readonly [string, (rows: readonly Record<string, unknown>[]) => unknown, string])[])(
    '%s: nothing is marked, it is told',
    async (_what, change, message) => {
      const { run, live, file } = await copied();
      const people = await live('people');
      for (const allowDeletions of [false, true]) {
        const { failures } = await run(
          (name, value) => {
            if (name === 'getLabels' && Array.isArray(value)) return value.slice(1);
            return name === 'getPeople' && Array.isArray(value) ? change(value) : value;
          },
          { allowDeletions },
        );
        expect(failures.map(({ kind, part }) => [kind, part])).toContainEqual(['undeleted', 'people']);
        expect(failures.map(({ error }) => error.message).join(' ')).toContain(message);
        expect(await live('people')).toBe(people);
      }
      expect(await query(file, 'SELECT count(*) FROM labels WHERE deleted_at IS NOT NULL')).toEqual([[1]]);
    },
  );

  test('of the assignments of one vehicle: those of the others are marked', async () => {
    const { run, live, service, file } = await copied({ parts: ['assignments'] });
    const [first, second] = (await makeClient(service).getVehicles()).map(({ id }) => id);
    const before = await live('driver_assignments');
    const { failures } = await run((name, value, { input }) => {
      const vehicleId: unknown = Reflect.get(Object(input), 'vehicleId');
      if (name !== 'getDriverAssignments') return value;
      return vehicleId === first ? null : vehicleId === second ? [] : value;
    });
    expect(failures).toMatchObject([{ kind: 'unread', part: 'assignments', vehicleId: first }]);
    expect(await live('driver_assignments')).toBeLessThan(before);
    const gone = await query(file, 'SELECT DISTINCT vehicle_id FROM driver_assignments WHERE deleted_at IS NOT NULL');
    expect(gone).toEqual([[second]]);
  });

  test('of newest snapshots is reported', async () => {
    const { run } = await copied();
    const { failures } = await run((name, value) => (name === 'getLatestSnapshots' ? null : value), {
      parts: ['latest'],
    });
    expect(failures).toMatchObject([{ kind: 'unread', part: 'latest', vehicleId: null }]);
  });
});

test('the command line ends with 6, and says what to do', async () => {
  const mock = shellService({ vehicles: 20 });
  const file = tempFile();
  const words = ['sync', file, '--only', 'vehicles'];
  await shellOf('demo', mock.fetch)(words);
  const fleet = shellOf('demo', altered(mock, none));
  const { code, stderr } = await fleet(words);
  expect(code).toBe(6);
  expect(stderr).toContain('vehicles: 20 of 20 rows of vehicles are not in the answer of the service');
  expect(stderr).toContain('If they are really gone, allow it: `allowDeletions: true`, or --allow-deletions.');
  expect((await fleet([...words, '--allow-deletions'])).code).toBe(0);
  expect(await query(file, 'SELECT count(*) FROM vehicles WHERE deleted_at IS NULL')).toEqual([[0]]);
});
