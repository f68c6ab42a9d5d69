// `fleet mcp --copy`: SQL over a copy, which reads the copy and nothing else, and ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { singleSelect } from '../../src/cli/mcp/single-select.js';
import { FleetClient } from '../../src/index.js';
import { sqliteTarget, sync } from '../../src/sync/index.js';
import { clock, service } from './harness.js';
import { connectServer } from './mcp-client.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-mcp-copy-'));
const copy = join(folder, 'fleet.db');
const mock = service();

beforeAll(async () => {
  const credentials = { username: 'demo', password: 'demo' };
  await using fleet = new FleetClient({ baseUrl: 'http://fleet.test', credentials, fetch: mock.fetch, clock });
  await sync(fleet, sqliteTarget(copy), { parts: ['vehicles'] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = ['--copy', copy];

test('rows of the copy, with as of when', async () => {
  const { ask } = await connectServer(mock.fetch, { words });
  const { data } = await ask('sql', { sql: 'SELECT name, license_plate FROM vehicles ORDER BY name LIMIT 2;' });
  expect(data).toMatchObject({
    source: 'copy',
    asOf: '2026-03-02 11:30:00+02:00',
    count: 2,
    rows: [{ name: 'Car 01' }, { name: 'Truck 01', license_plate: expect.any(String) }],
  });
});

describe('what is refused', () => {
  test.each([
    ['a change', 'DELETE FROM vehicles', /Only SELECT/],
    ['a change behind a WITH', 'WITH x AS (SELECT 1) DELETE FROM vehicles', /SQLite refuses it/],
    ['another file', "ATTACH '/etc/passwd' AS p", /Only SELECT/],
    ['two statements', 'SELECT 1; DELETE FROM vehicles', /more than one statement/],
    ['two statements that close the bracket', 'SELECT 1) ; DELETE FROM vehicles; SELECT (1', /more than one statement/],
    ['where the file is', 'SELECT file FROM pragma_database_list', /Pragmas/],
    ['where the file is, in quotes', 'SELECT file FROM "pragma_database_list"', /Pragmas/],
    ['where the file is, in brackets', 'SELECT file FROM [pragma_database_list]', /Pragmas/],
    ['a table that is not there', 'SELECT * FROM cars', /no such table: cars/],
    ['an extension', "SELECT load_extension('x')", /SQLite refuses it/],
  ])('%s', async (_what, sql, message) => {
    const { ask } = await connectServer(mock.fetch, { words });
    const { isError, text } = await ask('sql', { sql });
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(text).not.toContain(folder);
  });

  test('a semicolon in a text or a comment is none', () => {
    for (const sql of ["SELECT ';'", 'SELECT 1 -- ; no', 'SELECT 1 /* ; */', 'SELECT 1 AS ";"']) {
      expect(singleSelect(sql, 5)).toContain(sql);
    }
  });

  test('a file that is no copy: the server does not start', async () => {
    const { end, client } = await connectServer(mock.fetch, { words: ['--copy', join(folder, 'nothing.db')] }).catch(
      (error) => ({ end: async () => ({ code: -1, stderr: String(error) }), client: null }),
    );
    expect(client).toBeNull();
    expect((await end()).code).toBe(-1);
  });
});

test('a statement that never ends is stopped when the call is cancelled, and the next one is answered', async () => {
  const { client, ask } = await connectServer(mock.fetch, { words });
  const cancel = new AbortController();
  const sql = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  const call = client.callTool({ name: 'sql', arguments: { sql } }, { signal: cancel.signal });
  cancel.abort();
  await expect(call).rejects.toThrow();
  expect((await ask('sql', { sql: 'SELECT count(*) AS n FROM vehicles' })).data).toMatchObject({ rows: [{ n: 6 }] });
});

test('more rows than anybody reads are left out, and the answer says so', async () => {
  const { ask } = await connectServer(mock.fetch, { words });
  const sql = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n';
  const { data, bytes } = await ask('sql', { sql });
  expect(data.count).toBe(1_000);
  expect(String(data.notes)).toContain('more than 1000 rows');
  expect(bytes).toBeLessThanOrEqual(20_000);
});

test('the next rows of an answer from an old copy are of the same reading', async () => {
  const { ask } = await connectServer(service({ clock: { now: () => clock.now() + 3_600_000 } }).fetch, { words });
  // So that the server knows the service's time.
  expect((await ask('fleet_status')).data.source).toBe('service');
  const sql = 'WITH one AS MATERIALIZED (SELECT random() AS reading) SELECT reading FROM vehicles, one';
  const reading = ({ data }: Awaited<ReturnType<typeof ask>>) => Object(data.rows)[0].reading;
  const first = reading(await ask('sql', { sql, limit: 3 }));
  expect(reading(await ask('sql', { sql, limit: 3, offset: 3 }))).toBe(first);
});
