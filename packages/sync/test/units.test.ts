// The parts of a sync by themselves: comparing records, making rows, and what a target promises, with both kinds of SQLite.
import {
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
import { migrations } from '../src/ddl.js';
import { diffRecords, SyncTargetError, sqliteTarget, syncTables, targetConformance } from '../src/index.js';
import { partRows, rowOf } from '../src/rows.js';
import { type Database, loadSqlite, type OpenDatabase } from '../src/sqlite/database.js';
import { sqliteTargetOf } from '../src/sqlite/sqlite-target.js';
import { tableOf } from '../src/tables.js';
import { query, tempFile } from './copies.js';

/** The version of syncTables that this package does not know yet. */
const next = (migrations.at(-1)?.version ?? 0) + 1;

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
    // A process number that no system gives.
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
      // Another SQLite does not see the locks of this one: it would roll back the journal of the transaction.
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

  test('migrates an older copy forward, and keeps its rows', async () => {
    const file = tempFile();
    const old = await sqliteTargetOf(file, { load }).open();
    await old.apply({
      steps: [{ kind: 'upsert', table: 'labels', rows: [rowOf('labels', { id: 'l', name: 'L' })] }],
      cursors: [],
    });
    await old.close();
    const newer = [...migrations, { version: next, statements: () => ['ALTER TABLE labels ADD COLUMN note TEXT'] }];
    await (await sqliteTargetOf(file, { load, migrations: newer }).open()).close();
    expect(await query(file, 'SELECT id, note FROM labels')).toEqual([['l', null]]);
    expect(await query(file, "SELECT value FROM sync_state WHERE name = 'schema_version'")).toEqual([[String(next)]]);
    const error = await rejection(sqliteTargetOf(file, { load }).open());
    expect(error).toMatchObject({
      reason: 'NEWER',
      message: expect.stringContaining(`version ${next}, this one knows ${next - 1}`),
    });
  });

  test('a copy of version 1 gets the columns of version 2, and keeps its rows', async () => {
    const file = tempFile();
    const first = migrations.slice(0, 1);
    const oldViews = ['vehicle_now', 'trips_daily', 'driver_today'];
    const old = (await load()).open(file, { readOnly: false });
    for (const statement of first.flatMap(({ statements }) => statements('sqlite'))) old.exec(statement);
    for (const view of oldViews) old.exec(`CREATE VIEW ${view} AS SELECT 1 AS old`);
    old.exec(`INSERT INTO sync_state VALUES ('schema_version', '1'); INSERT INTO vehicles (id) VALUES ('v');
      INSERT INTO trips (id, vehicle_id, started_at, distance_km) VALUES ('t', 'v', '2026-03-01T10:00:00.000Z', 3)`);
    old.close();
    await (await sqliteTargetOf(file, { load }).open()).close();
    expect(await query(file, 'SELECT id, distance_km, trips_by, distance_doubt, unseen_s FROM trips')).toEqual([
      ['t', 3, null, null, null],
    ]);
    expect(await query(file, 'SELECT distance_km, unseen_s, doubtful_trips FROM trips_daily')).toEqual([[3, null, 0]]);
    const fresh = tempFile();
    await (await sqliteTargetOf(fresh, { load }).open()).close();
    const columns = "SELECT name, type FROM pragma_table_info('trips') ORDER BY cid";
    expect(await query(file, columns)).toEqual(await query(fresh, columns));
  });

  test('a copy of version 2 keeps what vehicles count, and is looked into before that', async () => {
    const file = tempFile();
    const old = (await load()).open(file, { readOnly: false });
    for (const { statements } of migrations.slice(0, 2))
      for (const statement of statements('sqlite')) old.exec(statement);
    old.exec(`INSERT INTO sync_state VALUES ('schema_version', '2');
      INSERT INTO vehicles (id, odometer, working_hours, record)
        VALUES ('v', 12.5, 7, '{"id":"v","lastOdometer":12.5,"lastWorkingHours":7,"name":"V"}'), ('w', 1, null, 'no JSON');
      INSERT INTO sync_cursors VALUES ('v', 'trips', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z')`);
    old.close();
    const cursor = {
      ...{ vehicleId: 'v', kind: 'trips', checkedUntil: null },
      ...{ beginsAt: '2026-03-01T10:00:00.000Z', readUntil: '2026-03-01T11:00:00.000Z' },
    };
    const looked = await sqliteTargetOf(file, { load }).look();
    expect(await looked?.cursors()).toEqual([cursor]);
    await looked?.close();
    const open = await sqliteTargetOf(file, { load }).open();
    expect(await open.cursors()).toEqual([cursor]);
    expect(await open.read('vehicle_counters', ['vehicle_id', 'odometer', 'working_hours'])).toEqual([
      ['v', 12.5, 7],
      ['w', 1, null],
    ]);
    expect(await open.read('vehicles', ['record'])).toEqual([['{"id":"v","name":"V"}'], ['no JSON']]);
    await open.close();
    const fresh = tempFile();
    await (await sqliteTargetOf(fresh, { load }).open()).close();
    const all = `SELECT m.type, m.name, c.name, c.type FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) c
      ORDER BY m.name, c.cid`;
    expect(await query(file, all)).toEqual(await query(fresh, all));
  });

  test('a view on a column that goes stands in the way of a new version, is named, and nothing is changed', async () => {
    const file = tempFile();
    const old = (await load()).open(file, { readOnly: false });
    for (const { statements } of migrations.slice(0, 2))
      for (const statement of statements('sqlite')) old.exec(statement);
    old.exec(`INSERT INTO sync_state VALUES ('schema_version', '2'); INSERT INTO vehicles (id, odometer) VALUES ('v', 5);
      CREATE VIEW "my cars" AS SELECT id, odometer FROM vehicles`);
    old.close();
    const error = await rejection(sqliteTargetOf(file, { load }).open());
    expect(error).toMatchObject({ reason: 'INVALID', message: expect.stringContaining('the view my cars that') });
    expect(await query(file, 'SELECT * FROM "my cars"')).toEqual([['v', 5]]);
    expect(await query(file, "SELECT value FROM sync_state WHERE name = 'schema_version'")).toEqual([['2']]);
  });

  test('a migration that fails changes nothing', async () => {
    const file = tempFile();
    await (await sqliteTargetOf(file, { load }).open()).close();
    const broken = [...migrations, { version: next, statements: () => ['DROP TABLE labels', 'no SQL'] }];
    await rejection(sqliteTargetOf(file, { load, migrations: broken }).open());
    expect(await query(file, 'SELECT count(*) FROM labels')).toEqual([[0]]);
    await (await sqliteTargetOf(file, { load }).open()).close();
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
    /** A database that behaves as one on a full or read-only disk. */
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

/** The content of a lease that this process holds. */
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
