// Tests the output, flags and exit codes of `fleet sync`. sync-rows.heavy.test.ts has the cases
// with trips and snapshots; the folder above tests the content of copies.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tryAcquireLease } from '../../../../src/locks/lease.js';
import { service, shellOf } from '../../../../test/cli/harness.js';
import { leaveLock } from '../../../../test/locks/abandoned-lock.js';
import { loadSqlite } from '../../src/sqlite/database.js';
import { query } from '../copies.js';

function sessionOf(vehicles = 3) {
  const mock = service({ vehicles });
  const fleet = shellOf('demo', mock.fetch);
  return { mock, fleet, file: join(fleet.folder, 'fleet.db') };
}

test('with -o json prints the same as an array', async () => {
  const { fleet, file } = sessionOf();
  const { stdout } = await fleet(['sync', file, '--only', 'vehicles,labels', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual([
    { table: 'vehicles', read: 3, written: 3, added: 3, changed: 0, removed: 0 },
    { table: 'labels', read: 4, written: 4, added: 4, changed: 0, removed: 0 },
  ]);
});

test('with --quiet prints nothing but failures, unless a format is asked for', async () => {
  const { fleet, file } = sessionOf();
  const sync = ['sync', file, '--only', 'labels', '--quiet'];
  expect(await fleet(sync)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await fleet([...sync, '-o', 'json'])).stdout).toContain('"table": "labels"');
  expect((await fleet(['sync', file, '--only', 'xqzw', '--quiet'])).stderr).toContain('error: ');
});

test('another sync of the same copy has exit code 7', async () => {
  const { fleet, file } = sessionOf();
  expect((await fleet(['sync', file, '--only', 'labels'])).code).toBe(0);
  const other = tryAcquireLease(`${file}.sync`);
  const { code, stdout, stderr } = await fleet(['sync', file, '--only', 'labels']);
  other?.release();
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
  expect(stderr).toContain(
    `Another sync (process ${process.pid}) is writing to ${file}. This one has changed nothing.`,
  );
});

test.skipIf(process.platform !== 'linux')(
  'the lock of a killed sync whose process number is in use again is taken over',
  async () => {
    const { fleet, file } = sessionOf();
    leaveLock(`${file}.sync`);
    expect((await fleet(['sync', file, '--only', 'labels'])).code).toBe(0);
    expect(existsSync(`${file}.sync`)).toBe(false);
  },
);

test('--dry-run says what would be read, and makes no file', async () => {
  const { fleet, file } = sessionOf();
  const { code, stdout } = await fleet(['sync', file, '--since', '-1h', '--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toContain('assignments\t3\t\t\n');
  expect(stdout).toContain('trips\t3\t2026-03-02T08:30:00.000Z\t2026-03-02T09:30:00.000Z\n');
  expect(existsSync(file)).toBe(false);
});

test.each([
  ['fleet.db', /^CREATE TABLE sync_cursors \(\n {2}vehicle_id TEXT NOT NULL/],
  ['postgres://localhost/x', /recorded_at timestamptz NOT NULL/],
])('--schema %s prints the tables, and sends nothing', async (target, expected) => {
  const { mock, fleet } = sessionOf();
  const { code, stdout } = await fleet(['sync', '--schema', target]);
  expect(code).toBe(0);
  expect(stdout).toMatch(expected);
  expect(stdout).toContain('CREATE VIEW vehicle_now');
  expect(mock.requests).toEqual([]);
});

test('a list that the service refuses gives exit code 6, and everything else is in the copy', async () => {
  const { mock, fleet, file } = sessionOf();
  const refusing = shellOf('demo', async (url, init) => {
    const response = await mock.fetch(url, init);
    if (!/getRoles/.test(String(init?.body))) return response;
    const name = /(\w+): getRoles/.exec(String(init?.body))?.[1] ?? 'getRoles';
    const { data } = Object(await response.json());
    return Response.json({ data: { ...data, [name]: null }, errors: [{ message: 'forbidden', path: [name] }] });
  });
  const { code, stderr } = await refusing(['sync', file, '--only', 'roles,labels']);
  expect(code).toBe(6);
  expect(stderr).toContain('One part of the fleet could not be read. Everything else is in the copy.');
  expect(stderr).toMatch(/roles: forbidden \(at (\w+)\)\.\n/);
  expect(stderr).not.toContain('serviceErrors');
  expect(await query(file, 'SELECT count(*) FROM labels')).toEqual([[4]]);
  expect((await fleet(['sync', file, '--only', 'roles'])).code).toBe(0);
});

test.each([
  [['--only', 'vehicle'], 2, '--only "vehicle" is not a part of a fleet'],
  [['--late', '5'], 2, 'The minimum is 10m'],
  [['--since', 'nonsense'], 2, 'nonsense'],
  [['--watch', '10ms'], 2, 'The minimum is 1s'],
  [['--keep', '23h'], 2, 'The minimum is 1d'],
  [['--keep', '1d', '--late', '2d'], 2, 'less than lateMs (--late)'],
  [['--columns', 'positions'], 2, 'or --snapshots'],
  [['--snapshots', '--columns', 'position'], 2, 'Did you mean "positions"?'],
] as const)('%j is refused before anything is sent or made', async (flags, exitCode, message) => {
  const { fleet, file } = sessionOf();
  const { code, stderr } = await fleet(['sync', file, ...flags]);
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  expect(existsSync(file)).toBe(false);
});

test('--columns fills some columns, and --keep says how much it has deleted', async () => {
  const { mock, fleet, file } = sessionOf(1);
  const [{ id }] = JSON.parse((await fleet(['vehicles', 'list', '-o', 'json'])).stdout);
  const gps = { state: true, latitude: 59, longitude: 24, speed: 50 };
  mock.telemetry.script(
    id,
    ['2026-02-27', '2026-02-28', '2026-03-01'].map((day) => ({ at: `${day}T12:00:00Z`, gps, ignition: true })),
  );
  await fleet(['sync', file, '--only', 'snapshots', '--since', '-7d', '--columns', 'speed_kmh']);
  expect(await query(file, 'SELECT count(*), count(speed_kmh), count(latitude_deg) FROM snapshots')).toEqual([
    [3, 3, 0],
  ]);
  const keep = ['sync', file, '--only', 'labels', '--keep', '1d'];
  const { code, stderr } = await fleet(keep);
  const expectedNotice =
    'Deleted what ended before 2026-03-01T00:00:00.000Z: 0 rows of trips and their parts, 0 of stops, 2 of snapshots.\n';
  expect([code, stderr]).toEqual([0, expectedNotice]);
  expect(await query(file, 'SELECT count(*) FROM snapshots')).toEqual([[1]]);
  expect(await query(file, 'SELECT begins_at FROM sync_cursors')).toEqual([['2026-03-01T00:00:00.000Z']]);
  expect((await fleet(keep)).stderr).toBe('');
});

test('--changes appends each change of a record to a file, readable for its owner alone', async () => {
  const { mock, fleet, file } = sessionOf();
  const changes = join(fleet.folder, 'changes.ndjson');
  const words = ['sync', file, '--only', 'people', '--changes', changes];
  await fleet(words);
  const added = readFileSync(changes, 'utf8').trimEnd().split('\n');
  expect(added.length).toBeGreaterThan(3);
  if (process.platform !== 'win32') expect(statSync(changes).mode & 0o777).toBe(0o600);
  await fleet(words);
  expect(readFileSync(changes, 'utf8').trimEnd().split('\n')).toEqual(added);
  mock.clock.advance(60_000);
  const [person] = JSON.parse((await fleet(['people', 'list', '-o', 'json'])).stdout);
  expect((await fleet(['people', 'update', person.id, '--first-name', 'Renamed'])).code).toBe(0);
  await fleet(words);
  const [last = ''] = readFileSync(changes, 'utf8').trimEnd().split('\n').slice(added.length);
  expect(JSON.parse(last)).toMatchObject({
    ...{ type: 'changed', table: 'people', id: person.id },
    fields: expect.arrayContaining([{ field: 'firstName', before: person.firstName, after: 'Renamed' }]),
    changedAt: expect.stringMatching(/^2026-/),
  });
});

test('a file of --changes that cannot be written is refused before anything is sent', async () => {
  const { mock, fleet, file } = sessionOf();
  const { code, stderr } = await fleet(['sync', file, '--changes', join(fleet.folder, 'no', 'folder.ndjson')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('file of --changes cannot be written (ENOENT)')]);
  expect(mock.requests).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

test('--format parquet makes a folder of files, which is known as such afterwards', async () => {
  const { fleet } = sessionOf();
  const folder = join(fleet.folder, 'copy/');
  const words = ['--only', 'labels', '-o', 'json'];
  const first = await fleet(['sync', folder, '--format', 'parquet', ...words]);
  expect([first.code, JSON.parse(first.stdout)]).toMatchObject([0, [{ table: 'labels', read: 4, added: 4 }]]);
  expect(existsSync(join(folder, 'labels.parquet'))).toBe(true);
  for (const target of [folder, folder.slice(0, -1)]) {
    const next = await fleet(['sync', target, ...words]);
    expect([next.code, JSON.parse(next.stdout)]).toMatchObject([0, [{ table: 'labels', read: 4, added: 0 }]]);
  }
  const sqlite = await fleet(['sync', folder, '--format', 'sqlite', ...words]);
  expect([sqlite.code, sqlite.stderr]).toEqual([3, expect.stringContaining('is a folder, not a file')]);
});

test.each([
  [['copy/'], 2, 'ends as a folder does', 'add --format parquet'],
  [[':memory:'], 2, 'ends with the command', 'Name a file'],
  [['postgres://localhost/x', '--format', 'parquet'], 2, 'is for files', 'Leave out --format'],
  [['copy', '--format', 'parquet', '--schema'], 2, '--schema prints SQL', 'DESCRIBE'],
  [['copy', '--format', 'csv'], 2, 'sqlite, parquet', ''],
  [['fleet.db', '--grants', 'analyst'], 2, '--grants is for roles of PostgreSQL', 'chgrp'],
  [['copy/', '--format', 'parquet', '--grants', 'analyst'], 2, '--grants is for roles of PostgreSQL', 'chgrp'],
  [['postgres://localhost/x?sslmode=no'], 3, 'sslmode', 'verify-full'],
  [['mysql://user:secret@host/'], 2, 'neither PostgreSQL nor a file', ''],
] as const)('the target %j is refused before anything is sent or made', async (words, exitCode, message, hint) => {
  const { mock, fleet } = sessionOf();
  const { code, stderr } = await fleet(['sync', ...words, '--only', 'labels']);
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain('secret');
  expect(mock.requests).toEqual([]);
  expect(existsSync(words[0])).toBe(false);
});

test('--format parquet does not take a SQLite file, and --dry-run makes no folder', async () => {
  const { fleet, file } = sessionOf();
  await fleet(['sync', file, '--only', 'labels']);
  const refused = await fleet(['sync', file, '--format', 'parquet', '--only', 'labels']);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('is a file')]);
  expect(refused.stderr).toContain('leave out --format');
  const folder = join(fleet.folder, 'copy');
  expect((await fleet(['sync', folder, '--format', 'parquet', '--dry-run'])).code).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

test('a copy of another user is refused, unless --adopt says that this is meant', async () => {
  const { mock, fleet, file } = sessionOf();
  await fleet(['sync', file, '--only', 'labels']);
  const other = shellOf('multi', mock.fetch);
  const words = ['sync', file, '--only', 'labels', '--user', 'South Fleet'];
  const { code, stderr } = await other(words);
  expect([code, stderr]).toEqual([3, expect.stringContaining('a copy of the fleet of another user of this service')]);
  expect(stderr).toMatch(/hint: .*add --adopt/);
  expect((await other([...words, '--dry-run'])).code).toBe(3);
  expect((await other([...words, '--adopt'])).code).toBe(0);
  expect((await fleet(['sync', file, '--only', 'labels'])).code).toBe(3);
});

test.each([
  ['postgres:user:secret@host/db', 3],
  ['postgres//user:secret@host/db', 3],
  ['postgres://user:se%cret@host/db', 3],
  ['postgres://user:12/secret@host/db', 3],
  ['jdbc:postgresql://host/db?user=user&password=secret', 2],
])('an address with a slip is refused without its password: %s', async (address, exitCode) => {
  const { mock, fleet } = sessionOf();
  const { code, stdout, stderr } = await fleet(['sync', address, '--only', 'labels']);
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining('address')]);
  expect(`${stdout}${stderr}`).not.toContain('secret');
  expect(mock.requests).toEqual([]);
});

test('a target that cannot be used is named, with what to do', async () => {
  const { fleet, file } = sessionOf();
  writeFileSync(file, 'no database at all'.repeat(100));
  const broken = await fleet(['sync', file, '--only', 'labels']);
  expect([broken.code, broken.stderr]).toEqual([3, expect.stringContaining('not a SQLite database')]);
  expect(broken.stderr).toContain('hint: Name a file that does not exist yet.');
  mkdirSync(`${file}.d`);
  expect((await fleet(['sync', `${file}.d`, '--only', 'labels'])).code).toBe(3);
  expect((await fleet(['sync', 'mysql://user:secret@host/x'])).stderr).not.toContain('secret');
  const nobody = await fleet(['sync', 'postgres://user:secret@127.0.0.1:1/x', '--only', 'labels']);
  expect([nobody.code, nobody.stderr]).toEqual([8, expect.stringContaining('does not answer')]);
  expect(nobody.stderr).not.toContain('secret');
});

test('a copy that is ahead of the clocks is told on stderr, and brought right', async () => {
  const { fleet, file } = sessionOf();
  const words = ['sync', file, '--only', 'trips', '--since', '-1h'];
  expect((await fleet(words)).stderr).not.toContain('has not come yet');
  const database = (await loadSqlite()).open(file, { readOnly: false });
  database.exec("UPDATE sync_cursors SET read_until = '2026-04-01T00:00:00.000Z'");
  database.close();
  const { code, stderr } = await fleet(words);
  expect(code).toBe(0);
  expect(stderr).toContain('the trips of 3 vehicles until 2026-04-01T00:00:00.000Z, which has not come yet');
  expect(await query(file, "SELECT count(*) FROM sync_cursors WHERE read_until > '2026-03-03'")).toEqual([[0]]);
});

test('--watch goes on while another sync has the copy, and says so', async () => {
  const { mock, fleet, file } = sessionOf();
  const other = tryAcquireLease(`${file}.sync`);
  const stop = new AbortController();
  let pauses = 0;
  let lists = 0;
  const counted = shellOf('demo', async (url, init) => {
    if (/getLabels/.test(String(init?.body))) lists++;
    return mock.fetch(url, init);
  });
  const { code, stdout, stderr } = await counted(['sync', file, '--only', 'labels', '--watch', '60s'], {
    signal: stop.signal,
    sleep: async () => {
      pauses++;
      if (pauses === 2) other?.release();
      if (pauses === 3) stop.abort();
    },
  });
  expect([code, lists]).toEqual([130, 1]);
  const expectedNotice = `! Another sync (process ${process.pid}) is writing to ${file}. This one has changed nothing. Trying again in 1 min.\n`;
  expect(stderr).toBe(expectedNotice.repeat(2));
  expect(stdout).toContain('labels\t4\t4\t4\t0\t0');
  expect((await fleet(['sync', file, '--only', 'labels'])).code).toBe(0);
});

test.skipIf(process.getBuiltinModule?.('node:sqlite') === undefined)(
  'says that it waits for a program that reads, and goes on when that has ended',
  async () => {
    const { mock, fleet, file } = sessionOf();
    await fleet(['sync', file, '--only', 'labels']);
    const reader = (await loadSqlite('node')).open(file, { readOnly: true });
    reader.exec('BEGIN');
    reader.all('SELECT * FROM labels');
    const waiting = shellOf('demo', mock.fetch);
    const outcome = waiting(['sync', file, '--only', 'labels,roles'], { onError: () => reader.close() });
    expect(await outcome).toMatchObject({
      code: 0,
      stderr: `! ${file} is locked by another program: waiting for it, up to 60 s.\n`,
    });
    expect(await query(file, 'SELECT count(*) > 0 FROM roles')).toEqual([[1]]);
  },
);
