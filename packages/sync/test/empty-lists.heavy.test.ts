// Tests that a copy keeps its rows and versions when a list of the service is empty once.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { parquetTarget, type SyncOptions, type SyncTarget, syncFleet, syncParts } from '../src/index.js';
import { type Alter, altered } from './altered.js';
import { contentOf, tempFile } from './copies.js';
import { databases } from './databases.js';

const lists = [
  ...['getVehicles', 'getPeople', 'getGroups', 'getGeofences', 'getLabels', 'getRoles', 'getRules', 'getWorkSchedules'],
  ...['getVehicleTypes', 'getMetaSensors', 'getVehicleMappedSensors', 'getDriverAssignments', 'getLatestSnapshots'],
];

const targets: readonly (readonly [string, () => Promise<SyncTarget>])[] = [
  ...databases.map(([name, make]) => [name, async () => (await make()).target] as const),
  ['Parquet', async () => parquetTarget(join(tempFile(), '..', 'copy'))],
];

describe.each(targets)('%s', (_name, make) => {
  test('has the same rows before, meanwhile and afterwards', async () => {
    const service = makeService({ vehicles: 3 });
    const target = await make();
    const options: SyncOptions = {
      ...{ parts: syncParts, history: true, lateEveryMs: 0 },
      ...{ since: new Date(START - 3 * 3_600_000), until: new Date(START) },
    };
    const run = (alter: Alter) =>
      syncFleet(makeClient(service, { merge: false, fetch: altered(service, alter) }), target, options);
    const rows = async () => {
      const { sync_state: _, ...tables } = await contentOf(target);
      return tables;
    };
    await run((_list, value) => value);
    const before = await rows();
    expect(before.vehicle_groups_history).not.toContain('0 rows');
    for (const list of lists) {
      const { failures } = await run((name, value) => (name === list ? [] : value));
      const isAnswered = list !== 'getLatestSnapshots';
      expect([list, failures.length > 0]).toEqual([list, isAnswered]);
      expect([list, await rows()]).toEqual([list, before]);
    }
    expect((await run((name, value) => (lists.includes(name) ? [] : value))).failures.length).toBeGreaterThan(5);
    expect((await run((_list, value) => value)).failures).toEqual([]);
    expect(await rows()).toEqual(before);
  });
});
