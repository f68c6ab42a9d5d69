// Tests comparing records, making rows, and the rules of a target with both SQLite engines.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../../test/request/setup.js';
import { diffRecords, SyncTargetError, sqliteTarget, syncTables, targetConformance } from '../src/index.js';
import { partRows, rowOf } from '../src/rows.js';
import type { Upgrade } from '../src/schema-version.js';
import { type Database, loadSqlite, type OpenDatabase, type Sqlite } from '../src/sqlite/database.js';
import { sqliteTargetOf } from '../src/sqlite/sqlite-target.js';
import { tableOf } from '../src/tables.js';
import { query, tempFile } from './copies.js';

describe('diffRecords', () => {
  const before = [
    { id: 'a', name: 'One', schedule: { id: 's1', name: 'Day' }, groups: [{ id: 'g' }] },
    { id: 'b', name: 'Two', schedule: null, groups: [] },
  ];

  test('tells what was added, changed in which fields, and removed', () => {
    const after = [
      { id: 'c', name: 'Three', schedule: null, groups: [] },
      { id: 'a', name: 'Uno', schedule: { id: 's2', name: 'Day' }, groups: [{ id: 'g' }] },
    ];
    expect(diffRecords(before, after)).toEqual([
      { type: 'added', id: 'c', record: after[0] },
      {
        type: 'changed',
        id: 'a',
        record: after[1],
        previous: before[0],
        fields: [
          { field: 'name', before: 'One', after: 'Uno' },
          { field: 'schedule.id', before: 's1', after: 's2' },
        ],
      },
      { type: 'removed', id: 'b', previous: before[1] },
    ]);
  });

  test('ignores the order of records and members, and members that are missing or null', () => {
    const same = [
      { groups: [], id: 'b', name: 'Two' },
      { schedule: { name: 'Day', id: 's1' }, groups: [{ id: 'g' }], name: 'One', id: 'a', extra: null },
    ];
    expect(diffRecords<object>(before, same)).toEqual([]);
  });

  test('a record that is marked as deleted is gone, and one without an id is left out', () => {
    const found = diffRecords<object>(before, [{ ...before[0], isDeleted: true }, before[1] ?? {}, { name: 'nobody' }]);
    expect(found.map(({ type }) => type)).toEqual(['removed']);
  });
});

describe('rows', () => {
  const cells = (table: string, record: object) =>
    Object.fromEntries(rowOf(table, record).map((cell, index) => [tableOf(table).columns[index]?.name, cell]));

  test('take the values of nested groups, and keep the rest', () => {
    const row = cells('snapshots', {
      vehicleId: 'v',
      timestamp: '2026-03-01T11:00:00+01:00',
      gps: { speed: 80.5, state: true, extra: 1 },
      canBus: { canDistance: 1000, gear: 'D', canSpeed: null },
    });
    expect(row).toMatchObject({
      recorded_at: '2026-03-01T10:00:00.000Z',
      speed_kmh: 80.5,
      has_fix: true,
      odometer_km: 1000,
    });
    expect(JSON.parse(String(row.rest))).toEqual({ gps: { extra: 1 }, canBus: { gear: 'D' } });
  });

  test('are null where a value does not fit the column', () => {
    const row = cells('vehicles', { id: 'v', year: 'new', deactivated: 'perhaps', createdAt: 'once', name: 7 });
    expect(row).toMatchObject({ year: null, is_deactivated: null, created_at: null, name: '7' });
  });

  test.each([
    [{ gps: { speed: ' 7.5e1 ', satellites: '9', state: 'NoFix' } }, { speed_kmh: 75, satellites: 9, has_fix: false }],
    [{ gps: { speed: '1e999', satellites: 9.5, state: 2 } }, { speed_kmh: null, satellites: null, has_fix: null }],
    [
      { gps: { speed: 'n/a', satellites: '-', state: 'unknown' } },
      { speed_kmh: null, satellites: null, has_fix: null },
    ],
  ])('read %j in all forms, and keep in rest what they cannot read', (snapshot, expected) => {
    const row = cells('snapshots', snapshot);
    expect(row).toMatchObject(expected);
    const isUnreadable = snapshot.gps.speed === '1e999';
    expect(JSON.parse(String(row.rest ?? '{}'))).toEqual(isUnreadable ? snapshot : {});
  });

  test('have no NUL and no half of a character, which PostgreSQL refuses', () => {
    const row = cells('labels', { id: 'l', name: 'a\0b\ud800c' });
    expect(row.name).toBe('a\ufffdb\ufffdc');
    expect(JSON.parse(String(row.record))).toEqual({ id: 'l', name: 'a\ufffdb\ufffdc' });
  });

  test('of parts have the key of their owner, once each', () => {
    const groups = partRows('vehicles', { id: 'v', assignedGroups: [{ id: 'g' }, { id: 'g' }, null, { name: 'x' }] });
    expect(groups.find(({ table }) => table === 'vehicle_groups')?.rows).toEqual([['v', 'g', null, null]]);
  });
});

test('every column says what it is, and names are snake case', () => {
  for (const { name, about, columns } of syncTables) {
    expect(about).not.toBe('');
    for (const column of columns) expect(`${name}.${column.name}: ${column.about}`).toMatch(/^[a-z_]+\.[a-z_]+: ./);
  }
});

const hasNodeSqlite = Boolean(process.getBuiltinModule?.('node:sqlite'));
describe.each(['wasm', ...(hasNodeSqlite ? (['node'] as const) : [])] as const)('SQLite of %s', (kind) => {
  const load = () => loadSqlite(kind);

  test.each(targetConformance.map(({ name, check }) => [name, check] as const))(
    'conformance: %s',
    async (_name, check) => {
      const file = tempFile();
      await check(() => sqliteTargetOf(file, { load }));
    },
  );

  test('goes on when a process that was killed has left its locks', async () => {
    const file = tempFile();
    await (await sqliteTargetOf(file, { load }).open()).close();
    // No system uses this process number.
    writeFileSync(`${file}.sync`, JSON.stringify({ id: 'x', pid: 2 ** 30, host: (await leaseOf(file)).host }));
    // SQLite as WebAssembly leaves this folder.
    if (kind === 'wasm') mkdirSync(`${file}.new.lock`);
    const open = await sqliteTargetOf(file, { load }).open();
    expect(await open.cursors()).toEqual([]);
    await open.close();
    expect(readdirSync(dirname(file))).toEqual(['fleet.db']);
  });

  test.skipIf(kind === 'node')(
    'other programs see the copy whole and without a journal until the sync ends',
    async () => {
      const file = tempFile();
      const label = (id: string) => ({
        steps: [{ kind: 'upsert' as const, table: 'labels', rows: [rowOf('labels', { id, name: id })] }],
        cursors: [],
      });
      const first = await sqliteTargetOf(file, { load }).open();
      await first.apply(label('one'));
      await first.close();
      const before = readFileSync(file);
      const seen: boolean[] = [];
      // Another SQLite ignores the locks of this one: it would roll back the journal.
      const beforeCommit = () => void seen.push(readFileSync(file).equals(before) && !existsSync(`${file}-journal`));
      const second = await sqliteTargetOf(file, { load, beforeCommit }).open();
      await second.apply(label('two'));
      await second.apply(label('three'));
      expect(await query(file, 'SELECT id FROM labels')).toEqual([['one']]);
      await second.close();
      expect(seen).toEqual([true, true]);
      expect(await query(file, 'SELECT id FROM labels')).toEqual([['one'], ['three'], ['two']]);
      expect(readdirSync(dirname(file))).toEqual(['fleet.db']);
    },
  );

  test('what a killed sync of SQLite as WebAssembly has left is taken up', async () => {
    const file = tempFile();
    const wasm = () => loadSqlite('wasm');
    const open = await sqliteTargetOf(file, { load: wasm }).open();
    await open.apply({
      steps: [{ kind: 'upsert', table: 'labels', rows: [rowOf('labels', { id: 'l', name: 'L' })] }],
      cursors: [],
    });
    await open.close();
    renameSync(file, `${file}.new`);
    const next = await sqliteTargetOf(file, { load }).open();
    expect(await next.read('labels', ['id'])).toEqual([['l']]);
    await next.close();
    expect(readdirSync(dirname(file))).toEqual(['fleet.db']);
  });

  test('a link to the copy stays a link', async () => {
    const file = tempFile();
    const link = `${file}.link`;
    await (await sqliteTargetOf(file, { load }).open()).close();
    symlinkSync(file, link);
    await (await sqliteTargetOf(link, { load }).open()).close();
    expect(readlinkSync(link)).toBe(file);
  });

  /** An invented version: no release has a version 2 yet. */
  const toVersion2 = (...statements: readonly string[]): readonly Upgrade[] => [() => statements];
  const versionIn = async (of: string) =>
    (await query(of, "SELECT value FROM sync_state WHERE name = 'schema_version'"))[0]?.[0];
  const newCopy = async () => {
    const file = tempFile();
    const copy = await sqliteTargetOf(file, { load }).open();
    await copy.apply({
      steps: [{ kind: 'upsert', table: 'labels', rows: [rowOf('labels', { id: 'l', name: 'L' })] }],
      cursors: [],
    });
    await copy.close();
    return file;
  };

  test('upgrades an older copy once, keeps its rows, and refuses a newer one', async () => {
    const file = await newCopy();
    expect(await versionIn(file)).toBe('1');
    const upgrades = toVersion2('ALTER TABLE labels ADD COLUMN note TEXT');
    const looked = await sqliteTargetOf(file, { load, upgrades }).look();
    expect(await looked?.read('labels', ['id'])).toEqual([['l']]);
    await looked?.close();
    for (let sync = 0; sync < 2; sync++) await (await sqliteTargetOf(file, { load, upgrades }).open()).close();
    expect(await query(file, 'SELECT id, note FROM labels')).toEqual([['l', null]]);
    expect(await versionIn(file)).toBe('2');
    const error = await rejection(sqliteTargetOf(file, { load }).open());
    expect(error).toMatchObject({
      reason: 'NEWER',
      message: expect.stringContaining('version 2, this one knows 1. Nothing was changed.'),
    });
  });

  test('upgrades over several versions, from the one that the copy has', async () => {
    const upgrades: readonly Upgrade[] = [
      () => ['ALTER TABLE labels ADD COLUMN note TEXT'],
      () => ['ALTER TABLE labels RENAME COLUMN note TO remark'],
    ];
    const [one, two] = [await newCopy(), await newCopy()];
    await (await sqliteTargetOf(two, { load, upgrades: upgrades.slice(0, 1) }).open()).close();
    for (const file of [one, two]) {
      await (await sqliteTargetOf(file, { load, upgrades }).open()).close();
      expect(await query(file, 'SELECT id, remark FROM labels')).toEqual([['l', null]]);
      expect(await versionIn(file)).toBe('3');
    }
  });

  test('a view on a column that goes stands in the way of an upgrade, is named, and nothing is changed', async () => {
    const file = await newCopy();
    const database = (await load()).open(file, { readOnly: false });
    database.exec('CREATE VIEW "my labels" AS SELECT id, name FROM labels');
    database.close();
    const upgrades = toVersion2('ALTER TABLE labels DROP COLUMN name');
    const error = await rejection(sqliteTargetOf(file, { load, upgrades }).open());
    expect(error).toMatchObject({ reason: 'INVALID', message: expect.stringContaining('the view my labels that') });
    expect(await query(file, 'SELECT * FROM "my labels"')).toEqual([['l', 'L']]);
    expect(await versionIn(file)).toBe('1');
  });

  describe('an upgrade that ends in the middle leaves the copy as it was:', () => {
    const schema = 'SELECT type, name, sql FROM sqlite_master ORDER BY name';
    // A small cache writes pages before the transaction ends.
    const half = [
      'PRAGMA cache_size = 5',
      'ALTER TABLE labels ADD COLUMN note TEXT',
      `INSERT INTO labels (id, note) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        SELECT 'half ' || i, hex(randomblob(500)) FROM n`,
      'DROP TABLE roles',
    ];
    const prepared = async () => {
      const file = await newCopy();
      const database = (await load()).open(file, { readOnly: false });
      database.exec('CREATE VIEW mine AS SELECT name FROM labels; CREATE VIEW my_days AS SELECT * FROM trips_daily');
      database.close();
      return { file, before: await query(file, schema) };
    };
    const expectAsBefore = async (file: string, before: unknown) => {
      await (await sqliteTargetOf(file, { load }).open()).close();
      expect(await query(file, schema)).toEqual(before);
      expect(await query(file, 'SELECT * FROM mine')).toEqual([['L']]);
      expect(await versionIn(file)).toBe('1');
      expect(await query(file, 'PRAGMA integrity_check')).toEqual([['ok']]);
      const upgrades = toVersion2('ALTER TABLE labels ADD COLUMN note TEXT');
      await (await sqliteTargetOf(file, { load, upgrades }).open()).close();
      expect(await query(file, 'SELECT id, note FROM labels')).toEqual([['l', null]]);
    };

    test('by an error', async () => {
      const { file, before } = await prepared();
      await rejection(sqliteTargetOf(file, { load, upgrades: toVersion2(...half, 'no SQL') }).open());
      await expectAsBefore(file, before);
    });

    test('killed', async () => {
      const { file, before } = await prepared();
      const killed = tempFile();
      // The files of a process that dies here. The lock of a dead process has no effect.
      const filter = (path: string) => !path.endsWith('.sync');
      const leave = () => cpSync(dirname(file), dirname(killed), { recursive: true, filter });
      const loadDying = async (): Promise<Sqlite> => {
        const sqlite = await load();
        return {
          ...sqlite,
          open(path, options) {
            const database = sqlite.open(path, options);
            return { ...database, exec: (sql) => (sql === 'killed here' ? leave() : database.exec(sql)) };
          },
        };
      };
      const upgrades = toVersion2(...half, 'killed here');
      await (await sqliteTargetOf(file, { load: loadDying, upgrades }).open()).close();
      expect(await versionIn(file)).toBe('2');
      expect(readdirSync(dirname(killed)).join()).toMatch(/-wal|-journal/);
      await expectAsBefore(killed, before);
    });
  });

  test('looks into what is no copy, and leaves nothing open', async () => {
    const file = tempFile();
    const empty = (await load()).open(file, { readOnly: false });
    empty.exec('CREATE TABLE other (id TEXT); DROP TABLE other');
    empty.close();
    let opened = 0;
    const counting = async () => {
      const sqlite = await load();
      const open: OpenDatabase = (path, options) => {
        const database = sqlite.open(path, options);
        opened++;
        return {
          ...database,
          close() {
            opened--;
            database.close();
          },
        };
      };
      return { ...sqlite, open };
    };
    const target = sqliteTargetOf(file, { load: counting });
    expect(await target.look()).toBeNull();
    expect(opened).toBe(0);
    const other = (await load()).open(file, { readOnly: false });
    other.exec('CREATE TABLE other (id TEXT)');
    other.close();
    expect(await rejection(target.look())).toMatchObject({ reason: 'INVALID' });
    expect(opened).toBe(0);
  });

  describe('says what is wrong', () => {
    /** Returns a database that behaves as on a full or read-only disk. */
    const changed = (change: (database: Database) => void) => async () => {
      const sqlite = await load();
      const open: OpenDatabase = (path, options) => {
        const database = sqlite.open(path, options);
        change(database);
        return database;
      };
      return { ...sqlite, open };
    };
    const many = Array.from({ length: 5000 }, (_, index) =>
      rowOf('labels', { id: `l${index}`, name: 'x'.repeat(200) }),
    );

    test('no space left: nothing of the batch is written, and it goes on when there is space', async () => {
      const file = tempFile();
      await (await sqliteTargetOf(file, { load }).open()).close();
      const full = changed((database) => database.exec('PRAGMA max_page_count = 120'));
      const open = await sqliteTargetOf(file, { load: full }).open();
      const batch = { steps: [{ kind: 'upsert' as const, table: 'labels', rows: many }], cursors: [] };
      expect(await rejection(open.apply(batch))).toMatchObject({ reason: 'FULL' });
      expect(await open.read('labels', ['id'])).toEqual([]);
      await open.close();
      const again = await sqliteTargetOf(file, { load }).open();
      await again.apply(batch);
      expect(await again.read('labels', ['id'])).toHaveLength(5000);
      await again.close();
    });

    test('a file that cannot be written', async () => {
      const file = tempFile();
      await (await sqliteTargetOf(file, { load }).open()).close();
      const readOnly = async () => {
        const sqlite = await load();
        const open: OpenDatabase = (path) => sqlite.open(path, { readOnly: true });
        return { ...sqlite, open };
      };
      expect(await rejection(sqliteTargetOf(file, { load: readOnly }).open())).toMatchObject({ reason: 'REFUSED' });
    });

    test.each([
      [
        'a file that is no database',
        'INVALID',
        (file: string) => writeFileSync(file, 'no database at all'.repeat(100)),
      ],
      ['a folder', 'INVALID', (file: string) => mkdirSync(file)],
    ])('%s', async (_what, reason, make) => {
      const file = tempFile();
      make(file);
      expect(await rejection(sqliteTargetOf(file, { load }).open())).toMatchObject({ reason });
    });

    test('a database of another program', async () => {
      const file = tempFile();
      const database = (await load()).open(file, { readOnly: false });
      database.exec('CREATE TABLE vehicles (x)');
      database.close();
      expect(await rejection(sqliteTargetOf(file, { load }).open())).toMatchObject({ reason: 'INVALID' });
      expect(await query(file, 'SELECT count(*) FROM vehicles')).toEqual([[0]]);
    });
  });
});

/** Returns the content of a lease of this process. */
async function leaseOf(file: string): Promise<{ readonly host: unknown }> {
  const { tryAcquireLease } = await import('../../../src/locks/lease.js');
  const { readFileSync } = await import('node:fs');
  const lease = tryAcquireLease(`${file}.sync`);
  const content = JSON.parse(readFileSync(`${file}.sync`, 'utf8'));
  lease?.release();
  return content;
}

test('a folder that does not exist is named, and is not made', async () => {
  const file = join(dirname(tempFile()), 'missing', 'fleet.db');
  const error = await rejection(sqliteTarget(file).open());
  expect(error).toBeInstanceOf(SyncTargetError);
  expect(error).toMatchObject({ reason: 'INVALID' });
  expect(existsSync(dirname(file))).toBe(false);
});
