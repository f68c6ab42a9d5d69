// `fleet mcp --copy`: SQL reads only the copy, within its limits.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FleetClient } from '../../../src/index.js';
import { clock, service } from '../../../test/cli/harness.js';
import { runSql } from '../../sync/src/copy/sql-process.js';
import { sqliteTarget, syncFleet } from '../../sync/src/index.js';
import { connectServer } from './mcp-client.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-mcp-copy-'));
const copy = join(folder, 'fleet.db');
const mock = service();

beforeAll(async () => {
  const credentials = { username: 'demo', password: 'demo' };
  await using fleet = new FleetClient({ baseUrl: 'http://fleet.test', credentials, fetch: mock.fetch, clock });
  await syncFleet(fleet, sqliteTarget(copy), { parts: ['vehicles'] });
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
  const refused: readonly (readonly [what: string, sql: string, message: RegExp])[] = [
    ['a change', 'DELETE FROM vehicles', /near "DELETE": syntax error/],
    ['a change behind a WITH', 'WITH x AS (SELECT 1) DELETE FROM vehicles', /near "DELETE": syntax error/],
    [
      'a change that returns rows',
      'WITH x AS (UPDATE vehicles SET name = 1 RETURNING *) SELECT * FROM x',
      /syntax error/,
    ],
    ['another file', "ATTACH '/etc/passwd' AS p", /near "ATTACH": syntax error/],
    ['a new file', `VACUUM INTO '${join(folder, 'other.db')}'`, /near "VACUUM": syntax error/],
    ['a pragma', 'PRAGMA database_list', /near "PRAGMA": syntax error/],
    ['two statements', 'SELECT 1; DELETE FROM vehicles', /more than one statement/],
    ['two statements, the second behind a comment', "SELECT ';' /* ; */; -- ;\nSELECT 2", /more than one statement/],
    ['two statements, with a NUL between them', 'SELECT 1\0; SELECT 2', /refused/],
    ['brackets that close another one', 'SELECT 1) ; DELETE FROM vehicles; SELECT (1', /near "\)": syntax error/],
    ['a bracket before an open comment', 'SELECT id FROM vehicles) LIMIT 50000 /*', /near "\)": syntax error/],
    ['an open text', "SELECT 'x", /unrecognized token/],
    ['nothing', ' -- SELECT 1', /incomplete input/],
    ['a parameter', 'SELECT ?', /parameters are not allowed/],
    ['where the file is', 'SELECT file FROM pragma_database_list', /Pragmas/],
    ['where the file is, in quotes', 'SELECT file FROM "pragma_database_list"', /Pragmas/],
    ['where the file is, in brackets', 'SELECT file FROM main.[PRAGMA_database_list]', /Pragmas/],
    ['pages of the file', 'SELECT data FROM sqlite_dbpage', /Pragmas/],
    ['a table that is not there', 'SELECT * FROM cars', /no such table: cars/],
    ['its own name', 'SELECT * FROM fleet_answer_1', /circularly defined/],
    ['an extension', "SELECT load_extension('x')", /refused/],
    ['a file of the machine', "SELECT readfile('/etc/passwd')", /no such function: readfile/],
  ];

  test('statements that do more than read rows of the copy', async () => {
    const { ask } = await connectServer(mock.fetch, { words });
    for (const [what, sql, message] of refused) {
      const { isError, text } = await ask('sql', { sql });
      expect(isError, what).toBe(true);
      expect(text, what).toMatch(message);
      expect(text, what).not.toContain(folder);
      // The statement may have been sent to the process.
      expect(text, what).not.toContain('Nothing was sent');
    }
  });

  test('the server does not start with a file that is not a copy', async () => {
    const { end, client } = await connectServer(mock.fetch, { words: ['--copy', join(folder, 'nothing.db')] }).catch(
      (error) => ({ end: async () => ({ code: -1, stderr: String(error) }), client: null }),
    );
    expect(client).toBeNull();
    expect((await end()).code).toBe(-1);
  });
});

const answered: readonly (readonly [what: string, sql: string, row: object])[] = [
  ['a semicolon in a text', "SELECT ';' AS a", { a: ';' }],
  ['a semicolon in a name', 'SELECT 1 AS ";"', { ';': 1 }],
  ['semicolons at the end', 'SELECT 1 AS a; ; ', { a: 1 }],
  ['a comment at the end', 'SELECT 1 AS a -- ; no', { a: 1 }],
  ['an open comment', 'SELECT 1 AS a /* ;', { a: 1 }],
  ['VALUES', 'VALUES (1)', { column1: 1 }],
  ['two columns of one name', 'SELECT 1 AS a, 2 AS a', { a: 1, 'a:1': 2 }],
  ['bytes', "SELECT x'00ff' AS a", { a: '(2 bytes)' }],
  [
    'numbers that JSON does not have',
    'SELECT 9007199254740993 AS a, -9e999 AS b, 9007199254740991 AS c',
    { a: '9007199254740993', b: '-Infinity', c: 9_007_199_254_740_991 },
  ],
];

test('statements that look like several, and cells that JSON cannot carry, are answered', async () => {
  const { ask } = await connectServer(mock.fetch, { words });
  for (const [what, sql, row] of answered) expect((await ask('sql', { sql })).data.rows, what).toEqual([row]);
});

test('the example of the tool runs', async () => {
  const { ask, client } = await connectServer(mock.fetch, { words });
  const { tools } = await client.listTools();
  const { sql } = Object(tools.find(({ name }) => name === 'sql')?.inputSchema.properties);
  expect((await ask('sql', { sql: sql.examples[0] })).data).toMatchObject({ source: 'copy', rows: [] });
});

test.each([
  ['a large text', 'SELECT length(hex(zeroblob(400000000))) AS n'],
  ['many large columns', `WITH t (b) AS (SELECT randomblob(20000000)) SELECT ${Array(500).fill('b').join()} FROM t`],
  [
    'a large sort',
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT hex(randomblob(500)) AS r FROM n ORDER BY r LIMIT 1 OFFSET 999999999`,
  ],
])('%s: the process is killed at its limit of memory', async (_what, sql) => {
  const { ask } = await connectServer(mock.fetch, { words });
  const { isError, text } = await ask('sql', { sql });
  expect(isError).toBe(true);
  expect(text).toMatch(/The statement needs more than 256 MB of memory and was stopped\. Ask for less/);
});

test('rows of more than 32 MB are refused', async () => {
  const { ask } = await connectServer(mock.fetch, { words });
  const n = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
  const { text } = await ask('sql', { sql: `${n} SELECT hex(zeroblob(100000)) FROM n` });
  expect(text).toContain('refused: the rows have more than 32 MB.');
});

test('a statement that never ends is killed at its time limit', async () => {
  const sql = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  const question = { path: copy, statements: [sql], mostRows: 1, memoryMb: 256 };
  const { signal } = new AbortController();
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
  const before = processes();
  await expect(runSql(question, { signal, timeoutMs: 500 })).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: 'The statement did not end within 0.5 s and was stopped.',
  });
  expect(processes()).toBe(before);
  // SQLite as WebAssembly locks a file with a folder.
  expect(existsSync(`${copy}.lock`)).toBe(false);
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
  // The first answer gives the server the service's time.
  expect((await ask('fleet_status')).data.source).toBe('service');
  const sql = 'WITH one AS MATERIALIZED (SELECT random() AS reading) SELECT reading FROM vehicles, one';
  const reading = ({ data }: Awaited<ReturnType<typeof ask>>) => Object(data.rows)[0].reading;
  const first = reading(await ask('sql', { sql, limit: 3 }));
  expect(reading(await ask('sql', { sql, limit: 3, offset: 3 }))).toBe(first);
});
