// Kills syncs into Parquet files by signal 9. Readers find whole files without duplicate rows, and
// after the next sync the copy has the rows of an undisturbed one.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listening, MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { parquetTarget, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import * as hyparquet from '../src/parquet/hyparquet.js';
import { TableFile } from '../src/parquet/table-file.js';
import { ownTables, syncTables } from '../src/tables.js';
import { contentOf, tempFile } from './copies.js';
import { buildSyncProgram, SyncProcess } from './sync-process.js';

/** At half past one in the night, trips and snapshots are of two days. */
const NIGHT = START - 10.5 * 3_600_000;
const since = new Date(NIGHT - 2.5 * 3_600_000);
const until = new Date(NIGHT);
const options = { since, until, parts: syncParts };

let service: MockService;
let listening: Listening;
let program = '';
let expected: Readonly<Record<string, string>> = {};
const clientOf = () => makeClient(service, { baseUrl: listening.url });
beforeAll(async () => {
  program = await buildSyncProgram();
  service = makeService({ vehicles: 3, clock: { now: () => NIGHT } });
  listening = await service.listen();
  const file = tempFile('suite');
  await syncFleet(clientOf(), sqliteTarget(file), options);
  expected = await contentOf(sqliteTarget(file));
});
afterAll(() => listening.close());

type KillPoint = 'before' | 'transaction' | 'outside';

async function runKilled(folder: string, killPoint: KillPoint, at: number): Promise<'killed' | 'ended'> {
  const child = new SyncProcess(program);
  const job = {
    ...{
      baseUrl: listening.url,
      target: `${folder}/`,
      since: since.toISOString(),
      until: until.toISOString(),
      now: NIGHT,
    },
    ...(killPoint === 'outside' ? {} : { killAt: at, killIn: killPoint }),
  };
  const end = await child.run(job, (batch) => {
    if (killPoint === 'outside' && batch === at) child.kill();
  });
  await child.close();
  return end === null ? 'killed' : 'ended';
}

/** Counts the duplicate rows of each table. Throws for a file that is not whole. */
async function rowsTwice(folder: string): Promise<number> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet'));
  let twice = 0;
  for (const table of [...syncTables, ...ownTables]) {
    const key = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
    const keys = new Set<string>();
    for (const name of found.filter((each) => each === `${table.name}.parquet` || each.startsWith(`${table.name}/`))) {
      const file = new TableFile(hyparquet, join(folder, name), table);
      for await (const rows of file.groups()) {
        for (const row of rows) {
          const text = JSON.stringify(key.map((place) => row[place]));
          if (keys.has(text)) twice++;
          keys.add(text);
        }
      }
      file.close();
    }
  }
  return twice;
}

// There are some fourteen batches, then a file for each table and day.
const moments: readonly (readonly [KillPoint, number])[] = [
  ...[1, 3, 9, 12].map((at) => ['before', at] as const),
  ...[1, 2, 4, 9, 12, 14, 16, 18, 20, 23, 26, 29, 32, 34, 36, 38, 40].map((at) => ['transaction', at] as const),
  ...[2, 8, 13].map((at) => ['outside', at] as const),
];

describe('a sync into Parquet files', () => {
  test('is killed at 24 moments, and has the rows of an undisturbed sync after the next one', {
    timeout: 600_000,
  }, async () => {
    let killed = 0;
    for (const [killPoint, at] of moments) {
      const folder = join(dirname(tempFile()), 'copy');
      if ((await runKilled(folder, killPoint, at)) === 'killed') killed++;
      expect([killPoint, at, await rowsTwice(folder)]).toEqual([killPoint, at, 0]);
      await syncFleet(clientOf(), parquetTarget(folder), options);
      expect({ way: killPoint, at, ...(await contentOf(parquetTarget(folder))) }).toEqual({
        way: killPoint,
        at,
        ...expected,
      });
      expect(await rowsTwice(folder)).toBe(0);
      expect(readdirSync(join(folder, '.fleet-sync'))).toEqual([]);
    }
    expect(killed).toBeGreaterThan(18);
  });

  test('is killed again and again while it replaces files', { timeout: 120_000 }, async () => {
    const folder = join(dirname(tempFile()), 'copy');
    for (const at of [13, 17, 3, 6, 9, 12]) {
      await runKilled(folder, 'transaction', at);
      expect(await rowsTwice(folder)).toBe(0);
    }
    await syncFleet(clientOf(), parquetTarget(folder), options);
    expect(await contentOf(parquetTarget(folder))).toEqual(expected);
  });
});
