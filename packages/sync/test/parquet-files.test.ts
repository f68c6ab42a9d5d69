// Tests the manifest of a copy in Parquet, and the file of an empty table with days.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { service, shellOf } from '../../../test/cli/harness.js';
import { rejection } from '../../../test/request/setup.js';
import { parquetTargetOf } from '../src/parquet/parquet-target.js';
import { rowOf } from '../src/rows.js';
import { syncTables } from '../src/tables.js';
import type { Step } from '../src/target.js';
import { tempFile } from './copies.js';

const day = (at: string) => `snapshots/utc_day=${at}/snapshots.parquet`;

const snapshots = (days: readonly string[], speed = 1): Step => ({
  kind: 'upsert',
  table: 'snapshots',
  rows: days.map((at) =>
    rowOf('snapshots', { vehicleId: 'v', timestamp: `${at}T10:00:00.000Z`, gps: { speed } }, { ordinal: 0 }),
  ),
});

async function write(folder: string, steps: readonly Step[], onReplace?: () => void): Promise<void> {
  const open = await parquetTargetOf(folder, onReplace && { beforeCommit: onReplace }).open();
  for (const step of steps) await open.apply({ steps: [step], cursors: [] });
  await open.close();
}

/** Copies snapshots of two days. */
async function copied(): Promise<string> {
  const folder = join(dirname(tempFile()), 'copy');
  await write(folder, [snapshots(['2026-03-01', '2026-03-02'])]);
  return folder;
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.parquet'))
    .sort();

const manifestOf = (folder: string): { readonly files: Record<string, { readonly rows: number }> } =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

describe('the manifest', () => {
  test('lists every file with its rows', async () => {
    const folder = await copied();
    const { files } = manifestOf(folder);
    expect(Object.keys(files)).toEqual(filesOf(folder));
    expect([files[day('2026-03-01')]?.rows, files['labels.parquet']?.rows]).toEqual([1, 0]);
    await write(folder, [{ kind: 'deleteBefore', table: 'snapshots', before: '2026-03-02T00:00:00.000Z', limit: 9 }]);
    expect(Object.keys(manifestOf(folder).files)).toEqual(filesOf(folder));
    expect(filesOf(folder)).not.toContain(day('2026-03-01'));
  });

  const first = day('2026-03-01');
  test.each<readonly [string, (folder: string) => void, string]>([
    ['a file that is missing', (folder) => rmSync(join(folder, first)), `${first} is missing`],
    ['a folder that is missing', (folder) => rmSync(dirname(join(folder, first)), { recursive: true }), `${first} is`],
    ['a table that is missing', (folder) => rmSync(join(folder, 'labels.parquet')), 'labels.parquet is missing'],
    ['a file that is cut', (folder) => truncateSync(join(folder, first), 100), `${first} was changed`],
    [
      'the file of another day',
      (folder) => cpSync(join(folder, day('2026-03-02')), join(folder, first)),
      `${first} was changed`,
    ],
    [
      'a day that a sync has deleted',
      (folder) => cpSync(join(folder, first), join(folder, day('2026-02-01'))),
      `${day('2026-02-01')} was added`,
    ],
    ['a manifest that is cut', (folder) => truncateSync(join(folder, 'manifest.json'), 9), 'is no list of files'],
  ])('refuses %s, names it and changes nothing', async (_what, damage, message) => {
    const folder = await copied();
    const whole = `${folder}-whole`;
    cpSync(folder, whole, { recursive: true });
    damage(folder);
    const damaged = filesOf(folder);
    const error = { reason: 'FAILED', message: expect.stringContaining(message) };
    for (const _ of [1, 2]) expect(await rejection(parquetTargetOf(folder).open())).toMatchObject(error);
    expect(filesOf(folder)).toEqual(damaged);
    rmSync(folder, { recursive: true });
    renameSync(whole, folder);
    await write(folder, []);
  });

  test('is made of the files that are there where there is none', async () => {
    const folder = await copied();
    rmSync(join(folder, first));
    rmSync(join(folder, 'manifest.json'));
    await write(folder, [snapshots(['2026-03-03'])]);
    const { files } = manifestOf(folder);
    expect(Object.keys(files)).toEqual(filesOf(folder));
    expect(files[day('2026-03-02')]?.rows).toBe(1);
  });

  test('knows the files of a sync that was killed at any moment of their replacement', async () => {
    const folder = await copied();
    const killed: string[] = [];
    const keep = () => {
      const copy = `${folder}-killed-${killed.length}`;
      cpSync(folder, copy, { recursive: true });
      rmSync(join(copy, '.fleet-sync/lock'), { recursive: true, force: true });
      killed.push(copy);
    };
    const old = readFileSync(join(folder, 'manifest.json'));
    await write(
      folder,
      [
        snapshots(['2026-03-02', '2026-03-03'], 2),
        { kind: 'deleteBefore', table: 'snapshots', before: '2026-03-02T00:00:00.000Z', limit: 9 },
      ],
      keep,
    );
    // All files are replaced, but neither the manifest nor the journal has changed.
    const last = `${folder}-killed-last`;
    cpSync(folder, last, { recursive: true });
    writeFileSync(join(last, 'manifest.json'), old);
    cpSync(join(killed.at(-1) ?? '', '.fleet-sync/journal'), join(last, '.fleet-sync/journal'));
    expect(killed.length).toBeGreaterThan(4);
    for (const copy of [...killed, last]) {
      await write(copy, []);
      expect(Object.keys(manifestOf(copy).files)).toEqual(filesOf(copy));
      await write(copy, []);
    }
    expect(manifestOf(last)).toEqual(manifestOf(folder));
  });

  test('over the command line, the sync ends with 1 and says what to do', async () => {
    const fleet = shellOf('demo', service({ vehicles: 2 }).fetch);
    const folder = join(fleet.folder, 'copy');
    const words = ['sync', folder, '--format', 'parquet', '--only', 'labels'];
    expect((await fleet(words)).code).toBe(0);
    rmSync(join(folder, 'labels.parquet'));
    const { code, stderr } = await fleet(words);
    expect([code, stderr]).toEqual([1, expect.stringContaining('labels.parquet is missing. Nothing was changed.')]);
    expect(stderr).toContain('Put the files back from a backup.');
  });
});

test('a table with days that has no rows has an empty file, until it has rows', async () => {
  const empty = (table: string) => `${table}/utc_day=1970-01-01/${table}.parquet`;
  const withDays = syncTables.flatMap(({ name, period }) => (period === undefined ? [] : name));
  const folder = await copied();
  const others = withDays.filter((name) => name !== 'snapshots');
  const found = () => filesOf(folder).filter((file) => file.includes('utc_day=1970'));
  expect(found()).toEqual(others.map(empty).sort());
  await write(folder, [{ kind: 'deleteBefore', table: 'snapshots', before: '2026-03-03T00:00:00.000Z', limit: 9 }]);
  expect(found()).toEqual(withDays.map(empty).sort());
  await write(folder, [snapshots(['2026-03-03'])]);
  expect(found()).toEqual(others.map(empty).sort());
  expect(manifestOf(folder).files[empty('trips')]?.rows).toBe(0);
});
