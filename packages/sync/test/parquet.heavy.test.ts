// Tests copies in Parquet files: the rules of a target, the rows of a sync, and the folder.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { type SyncTarget, sqliteTarget, syncFleet, syncParts, targetConformance } from '../src/index.js';
import * as hyparquet from '../src/parquet/hyparquet.js';
import { type ParquetParts, parquetTargetOf } from '../src/parquet/parquet-target.js';
import { writeTableFile } from '../src/parquet/table-file.js';
import { rowOf } from '../src/rows.js';
import { syncTables, tableOf } from '../src/tables.js';
import type { Step } from '../src/target.js';
import { altered, rowsWith } from './altered.js';
import { contentOf, tempFile } from './copies.js';

const HOUR = 3_600_000;

/** At half past one in the night, the last four hours are of two days. */
const NIGHT = START - 10.5 * HOUR;
const since = new Date(NIGHT - 4 * HOUR);
const earlyService = () => makeService({ vehicles: 2, clock: { now: () => NIGHT } });

const newFolder = () => join(dirname(tempFile()), 'copy');

/** Returns the files that readers look for below a folder, by path. */
function files(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.parquet'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

const label = (id: string, name = id): Step => ({
  kind: 'upsert',
  table: 'labels',
  rows: [rowOf('labels', { id, name })],
});

const snapshot = (timestamp: string, speed: number) =>
  rowOf('snapshots', { vehicleId: 'v', timestamp, gps: { speed } }, { ordinal: 0 });

/** Opens a copy once and writes each step in its own batch. */
async function write(folder: string, steps: readonly Step[], parts: ParquetParts = {}): Promise<void> {
  const open = await parquetTargetOf(folder, parts).open();
  for (const step of steps) await open.apply({ steps: [step], cursors: [] });
  await open.close();
}

async function read(target: SyncTarget, table: string, columns: readonly string[]) {
  const open = await target.look();
  const rows = await open?.read(table, columns);
  await open?.close();
  return rows;
}

describe('conformance', () => {
  test.each(targetConformance.map(({ name, check }) => [name, check] as const))('%s', async (_name, check) => {
    const folder = newFolder();
    await check(() => parquetTargetOf(folder));
  });
});

describe('a sync', () => {
  test.each([
    ['at its end', undefined],
    ['again and again, because the journal is small', 20_000],
  ])('brings the rows of SQLite into the files, %s; so does the next one', async (_when, journalBytes) => {
    const service = earlyService();
    const [folder, file] = [newFolder(), tempFile()];
    const targets = [parquetTargetOf(folder, { journalBytes }), sqliteTarget(file)] as const;
    const options = { parts: syncParts, since };
    for (const target of targets) await syncFleet(makeClient(service), target, options);
    expect(await contentOf(targets[0])).toEqual(await contentOf(targets[1]));
    service.clock.advance(HOUR);
    const fetch = altered(
      service,
      rowsWith('getLabels', ([_gone, ...others]) => others.map((one) => ({ ...one, name: 'Renamed' }))),
    );
    for (const target of targets) await syncFleet(makeClient(service, { fetch }), target, options);
    const content = await contentOf(targets[1]);
    expect(Number.parseInt(content.snapshots ?? '', 10)).toBeGreaterThan(500);
    expect(await contentOf(targets[0])).toEqual(content);
    expect(existsSync(join(folder, '.fleet-sync', 'journal'))).toBe(false);
  });

  test('writes a file for each table, and one for each day of trips and snapshots', async () => {
    const folder = newFolder();
    await syncFleet(makeClient(earlyService()), parquetTargetOf(folder), { parts: syncParts, since });
    const days = ['2026-02-28', '2026-03-01'];
    const tables = syncTables.flatMap(({ name, period }) => (period === undefined ? [] : name)).sort();
    expect(tables).toContain('trips');
    const ofDays = tables.flatMap((name) => days.map((day) => `${name}/utc_day=${day}/${name}.parquet`));
    // A vehicle that stands at the begin of the period has its whole stop, from the day before.
    const early = 'stops/utc_day=2026-02-27/stops.parquet';
    const found = files(folder);
    expect(found.filter((file) => file.includes('/')).sort()).toEqual([...ofDays, early].sort());
    expect(found).toContain('vehicles.parquet');
    // Nothing was read for it, but readers find it.
    expect(found).toContain('sync_cursors.parquet');
  });

  test('leaves the files of days alone that have not changed', async () => {
    const folder = newFolder();
    const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
    const [first = '', second = '', third = ''] = days;
    const rows = days.map((day) => snapshot(`${day}T10:00:00.000Z`, 1));
    await write(folder, [{ kind: 'upsert', table: 'snapshots', rows }]);
    const inodes = () => days.map((day) => statSync(join(folder, `snapshots/utc_day=${day}/snapshots.parquet`)).ino);
    const before = inodes();
    const periods = [{ vehicleId: 'v', from: `${second}T00:00:00.000Z`, until: `${third}T23:00:00.000Z` }];
    const again = [snapshot(`${second}T10:00:00.000Z`, 1), snapshot(`${third}T10:00:00.000Z`, 2)];
    await write(folder, [{ kind: 'replace', table: 'snapshots', rows: again, periods }]);
    expect(inodes().map((inode, at) => inode === before[at])).toEqual([true, true, false]);
    await write(folder, [{ kind: 'replace', table: 'snapshots', rows: [], periods }]);
    expect(files(folder).filter((file) => file.startsWith('snapshots/'))).toEqual([
      `snapshots/utc_day=${first}/snapshots.parquet`,
    ]);
  });

  test('a trip of an earlier day that reaches into a period is replaced with it', async () => {
    const folder = newFolder();
    const trip = (id: string, startedAt: string, endedAt: string | null) =>
      rowOf('trips', { id, vehicleId: 'v', startedAt, endedAt, isOpen: endedAt === null });
    const rows = [
      trip('ended', '2026-02-20T10:00:00.000Z', '2026-02-20T11:00:00.000Z'),
      trip('long', '2026-02-21T10:00:00.000Z', '2026-03-01T11:00:00.000Z'),
      trip('open', '2026-02-22T10:00:00.000Z', null),
    ];
    await write(folder, [{ kind: 'upsert', table: 'trips', rows }]);
    const periods = [{ vehicleId: 'v', from: '2026-03-01T10:00:00.000Z', until: '2026-03-01T12:00:00.000Z' }];
    await write(folder, [{ kind: 'replace', table: 'trips', rows: [], periods }]);
    expect(await read(parquetTargetOf(folder), 'trips', ['id'])).toEqual([['ended']]);
    expect(files(folder).filter((file) => file.startsWith('trips'))).toEqual([
      'trips/utc_day=2026-02-20/trips.parquet',
    ]);
  });
});

describe('while a sync runs, and after one was killed', () => {
  test('readers see the state of the sync before, and whoever looks with this package the newest', async () => {
    const folder = newFolder();
    await write(folder, [label('one')]);
    const before = readFileSync(join(folder, 'labels.parquet'));
    const open = await parquetTargetOf(folder).open();
    await open.apply({ steps: [label('two')], cursors: [] });
    expect(readFileSync(join(folder, 'labels.parquet')).equals(before)).toBe(true);
    expect(await read(parquetTargetOf(folder), 'labels', ['id'])).toEqual([['one'], ['two']]);
    await open.close();
    expect(readFileSync(join(folder, 'labels.parquet')).equals(before)).toBe(false);
  });

  test('what was written down is taken up, a half of a batch is not, and half a file is removed', async () => {
    const [folder, killed] = [newFolder(), newFolder()];
    const open = await parquetTargetOf(folder).open();
    await open.apply({ steps: [label('one')], cursors: [] });
    const journal = readFileSync(join(folder, '.fleet-sync/journal'));
    await open.apply({ steps: [label('two')], cursors: [] });
    const longer = readFileSync(join(folder, '.fleet-sync/journal'));
    await open.close();
    const torn = Buffer.from(longer);
    torn.fill(0, longer.length - 4);
    for (const [written, rows] of [
      [longer, [['one'], ['two']]],
      [longer.subarray(0, -1), [['one']]],
      [longer.subarray(0, journal.length + 5), [['one']]],
      [torn, [['one']]],
    ] as const) {
      rmSync(killed, { recursive: true, force: true });
      mkdirSync(join(killed, '.fleet-sync'), { recursive: true });
      writeFileSync(join(killed, '.fleet-sync/journal'), written);
      writeFileSync(join(killed, '.fleet-sync/next'), 'PAR1 and half of a file');
      await write(killed, []);
      expect(await read(parquetTargetOf(killed), 'labels', ['id'])).toEqual(rows);
      expect(readdirSync(join(killed, '.fleet-sync'))).toEqual([]);
    }
  });

  test('a damaged record before others is told once, kept aside, and read again from the service', async () => {
    const [folder, killed] = [newFolder(), newFolder()];
    const open = await parquetTargetOf(folder).open();
    const journal = () => readFileSync(join(folder, '.fleet-sync/journal'));
    await open.apply({ steps: [label('one')], cursors: [] });
    const { length } = journal();
    await open.apply({ steps: [label('two')], cursors: [] });
    await open.apply({ steps: [label('three')], cursors: [] });
    const damaged = journal();
    await open.close();
    damaged[length + 30] = 0xff;
    mkdirSync(join(killed, '.fleet-sync'), { recursive: true });
    writeFileSync(join(killed, '.fleet-sync/journal'), damaged);
    expect(await read(parquetTargetOf(killed), 'labels', ['id'])).toEqual([['one']]);
    const refused = await rejection(parquetTargetOf(killed).open());
    const [backup = ''] = readdirSync(join(killed, '.fleet-sync')).filter((name) =>
      name.startsWith('journal.corrupt-'),
    );
    expect(readFileSync(join(killed, '.fleet-sync', backup)).equals(damaged)).toBe(true);
    expect(refused).toMatchObject({
      reason: 'FAILED',
      message: expect.stringContaining(`It is kept as ${join(killed, '.fleet-sync', backup)}.`),
    });
    await write(killed, [label('two')]);
    expect(await read(parquetTargetOf(killed), 'labels', ['id'])).toEqual([['one'], ['two']]);
    expect(readdirSync(join(killed, '.fleet-sync'))).toEqual([backup]);
  });

  test('a day whose rows were deleted is taken up as such, or is whole when the batch was not written', async () => {
    const [folder, killed] = [newFolder(), newFolder()];
    const times = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z'];
    const rows = times.map((time) => snapshot(time, 1));
    await write(folder, [{ kind: 'upsert', table: 'snapshots', rows }]);
    const old = { kind: 'deleteBefore', table: 'snapshots', before: '2026-03-02T00:00:00.000Z', limit: 10 } as const;
    let isFull = true;
    const beforeCommit = () => {
      if (isFull) throw new Error('no space');
    };
    const open = await parquetTargetOf(folder, { beforeCommit }).open();
    await rejection(open.apply({ steps: [old], cursors: [] }));
    expect((await open.read('snapshots', ['recorded_at'])).flat()).toEqual(times);
    isFull = false;
    expect(await open.apply({ steps: [old], cursors: [] })).toEqual({ written: 0, deleted: 1 });
    await open.apply({
      steps: [{ kind: 'upsert', table: 'snapshots', rows: [snapshot('2026-03-01T11:00:00.000Z', 2)] }],
      cursors: [],
    });
    cpSync(folder, killed, { recursive: true });
    rmSync(join(killed, '.fleet-sync/lock'), { recursive: true, force: true });
    await open.close();
    await write(killed, []);
    for (const copy of [folder, killed]) {
      expect((await read(parquetTargetOf(copy), 'snapshots', ['recorded_at']))?.flat()).toEqual([
        '2026-03-01T11:00:00.000Z',
        '2026-03-02T10:00:00.000Z',
      ]);
      await write(copy, [old]);
      expect(files(copy).filter((file) => file.startsWith('snapshots/'))).toEqual([
        'snapshots/utc_day=2026-03-02/snapshots.parquet',
      ]);
      expect(existsSync(join(copy, 'snapshots/utc_day=2026-03-01'))).toBe(false);
    }
  });
});

describe('rights', () => {
  test.skipIf(process.platform === 'win32')('are those of the folder, which is private at first', async () => {
    const folder = newFolder();
    const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
    await write(folder, [{ kind: 'upsert', table: 'snapshots', rows: [snapshot('2026-03-01T10:00:00.000Z', 1)] }]);
    expect([mode('.'), mode('labels.parquet'), mode('snapshots/utc_day=2026-03-01')]).toEqual(['700', '600', '700']);
    chmodSync(folder, 0o755);
    await write(folder, [
      label('one'),
      { kind: 'upsert', table: 'snapshots', rows: [snapshot('2026-03-02T10:00:00.000Z', 1)] },
    ]);
    const day = 'snapshots/utc_day=2026-03-02';
    expect([mode('labels.parquet'), mode(day), mode(`${day}/snapshots.parquet`)]).toEqual(['644', '755', '644']);
    expect(mode('.fleet-sync')).toBe('700');
  });
});

test('a file of an older version of the tables is read, with null in the columns that it lacks', async () => {
  const folder = newFolder();
  await write(folder, [{ kind: 'upsert', table: 'snapshots', rows: [snapshot('2026-03-01T10:00:00.000Z', 1)] }]);
  const { columns: all, ...table } = tableOf('snapshots');
  const newer = ['speed_kmh', 'rest'];
  const columns = all.filter(({ name }) => !newer.includes(name));
  const row = snapshot('2026-03-01T11:00:00.000Z', 7).filter((_, at) => !newer.includes(all[at]?.name ?? ''));
  async function* rows() {
    yield row;
  }
  const path = join(folder, 'snapshots/utc_day=2026-03-01/snapshots.parquet');
  await writeTableFile(hyparquet, path, { ...table, columns }, rows());
  expect(await read(parquetTargetOf(folder), 'snapshots', ['recorded_at', ...newer])).toEqual([
    ['2026-03-01T11:00:00.000Z', null, null],
  ]);
});

describe('says what is wrong, and changes nothing', () => {
  test.each([
    ['a file', 'INVALID', (path: string) => writeFileSync(path, 'SQLite format 3\0'), /is a file/],
    [
      'a folder with other things in it',
      'INVALID',
      (path: string) => {
        mkdirSync(path);
        writeFileSync(join(path, 'letter.txt'), 'Dear');
      },
      /other things in it/,
    ],
    [
      'a link to nothing',
      'INVALID',
      (path: string) => symlinkSync(`${path}-gone`, path),
      /link to a folder that does not/,
    ],
  ])('%s', async (_what, reason, make, message) => {
    const folder = newFolder();
    make(folder);
    const before = readdirSync(dirname(folder), { recursive: true });
    const error = { reason, message: expect.stringMatching(message) };
    expect(await rejection(parquetTargetOf(folder).open())).toMatchObject(error);
    expect(await rejection(parquetTargetOf(folder).look())).toMatchObject(error);
    expect(readdirSync(dirname(folder), { recursive: true })).toEqual(before);
  });

  test('a folder in one that does not exist', async () => {
    const folder = join(newFolder(), 'below');
    expect(await rejection(parquetTargetOf(folder).open())).toMatchObject({ reason: 'INVALID' });
    expect(existsSync(dirname(folder))).toBe(false);
  });

  test('a copy of a newer version', async () => {
    const folder = newFolder();
    await write(folder, [{ kind: 'upsert', table: 'sync_state', rows: [['schema_version', '999']] }]);
    expect(await rejection(parquetTargetOf(folder).open())).toMatchObject({ reason: 'NEWER' });
    expect(await rejection(parquetTargetOf(folder).open())).toMatchObject({ reason: 'NEWER' });
  });

  test('a damaged file: it is named', async () => {
    const folder = newFolder();
    await write(folder, [label('one')]);
    truncateSync(join(folder, 'labels.parquet'), 100);
    expect(await rejection(read(parquetTargetOf(folder), 'labels', ['id']))).toMatchObject({
      reason: 'FAILED',
      message: expect.stringContaining('labels.parquet'),
    });
  });
});
