// Tests that the queries of docs/sync.md have equal results in SQLite and in PostgreSQL.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../test/docs/markdown.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { postgresTarget, type SyncTarget, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { query, tempFile } from './copies.js';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from './server.js';

const text = readFileSync(join(root, 'docs/sync.md'), 'utf8');
const blocks = [...text.matchAll(/```sql\n([\s\S]*?);?\n```/g)].map(([, sql = '']) => sql);
/** Queries of Parquet files are for DuckDB: test/consumers/duckdb runs them. */
const queries = blocks.filter((sql) => !sql.includes('.parquet'));
const since = '2026-02-28T18:00:00Z';

/** Copies all parts over a midnight of every time zone, with a history from before it. */
async function copyTo(target: SyncTarget): Promise<void> {
  const service = makeService({ vehicles: 12, clock: { now: () => Date.parse(since) } });
  await syncFleet(makeClient(service), target, { parts: ['vehicles', 'groups'], history: true });
  service.clock.advance(START - Date.parse(since));
  await syncFleet(makeClient(service), target, { since, parts: syncParts });
}

const file = tempFile('suite');
beforeAll(() => copyTo(sqliteTarget(file)));

test('there are 26, each finds something in SQLite, and has ten lines or fewer', async () => {
  expect(queries).toHaveLength(26);
  for (const sql of queries) expect(sql.split('\n').length).toBeLessThanOrEqual(10);
  for (const sql of queries) expect({ sql, rows: (await query(file, sql)).length }).not.toEqual({ sql, rows: 0 });
});

const server = await anyPostgres();
describe.skipIf(server === null && skipped('the queries of docs/sync.md in PostgreSQL'))('PostgreSQL', () => {
  let url = '';
  beforeAll(async () => {
    url = await newDatabase(server?.port ?? 0);
    await copyTo(postgresTarget(url));
  });
  afterAll(async () => {
    await dropDatabase(url);
    server?.stop();
  });

  test.each(queries.map((sql, index) => [index + 1, sql] as const))(
    'query %i finds what it finds in SQLite',
    async (_index, sql) => {
      const [inFile, inServer] = [await query(file, sql), await inDatabase(url, sql)];
      expect(inServer.length).toBeGreaterThan(0);
      expect(comparable(inServer)).toEqual(comparable(inFile));
    },
  );
});

/**
 * Returns sorted texts, because queries may have no order. PostgreSQL has types for days, times and
 * counts, and adds numbers in another order.
 */
function comparable(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => row.map(cellText).join(' | ')).sort();
}

function cellText(cell: unknown): string {
  const text = cell instanceof Date ? cell.toISOString() : String(cell);
  if (typeof cell === 'number' || /^\d+$/.test(text)) return Number(cell).toPrecision(9);
  return text.replace('T00:00:00.000Z', '');
}
