// Tests the file of a SQLite copy: its rights, other objects in its place, files of a killed sync,
// a full disk, and programs that have it open. nodes.nightly.test.ts runs it on other Node versions
// too.
import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rejection } from '../../../test/request/setup.js';
import { rowOf } from '../src/rows.js';
import { type Database, loadSqlite } from '../src/sqlite/database.js';
import { type SqliteParts, sqliteTargetOf } from '../src/sqlite/sqlite-target.js';
import type { Batch } from '../src/target.js';
import { query, tempFile } from './copies.js';

/** Returns a batch with labels of these ids. */
const labels = (...ids: readonly string[]): Batch => ({
  steps: [{ kind: 'upsert', table: 'labels', rows: ids.map((id) => rowOf('labels', { id, name: id })) }],
  cursors: [],
});

/** Writes these labels in one sync. */
async function syncOnce(file: string, parts: SqliteParts, ...ids: readonly string[]): Promise<void> {
  const open = await sqliteTargetOf(file, parts).open();
  try {
    await open.apply(labels(...ids));
  } finally {
    await open.close();
  }
}

const stored = (file: string) => query(file, 'SELECT id FROM labels ORDER BY id');
const filesInFolder = (file: string) => readdirSync(dirname(file)).sort();

const hasNodeSqlite = Boolean(process.getBuiltinModule?.('node:sqlite'));
const kinds = ['wasm', ...(hasNodeSqlite ? (['node'] as const) : [])] as const;

describe.each(kinds)('SQLite of %s', (kind) => {
  const load = () => loadSqlite(kind);

  describe('who can read it', () => {
    test('nobody else, neither the copy nor a file beside it, at no moment', async () => {
      const file = tempFile();
      const mask = process.umask(0);
      onTestFinished(() => void process.umask(mask));
      const modes: Record<string, string> = {};
      const look = () => {
        for (const name of filesInFolder(file)) {
          modes[name] = (statSync(join(dirname(file), name)).mode & 0o777).toString(8);
        }
      };
      for (const id of ['one', 'two']) {
        await syncOnce(file, { load, beforeCommit: look }, id);
        look();
      }
      const { 'fleet.db.new.lock': _lock, ...others } = modes;
      expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, '600'])));
      expect(Object.keys(others).length).toBeGreaterThan(2);
    });

    test('others whom its owner has allowed it, after a sync too', async () => {
      const file = tempFile();
      await syncOnce(file, { load }, 'one');
      chmodSync(file, 0o640);
      await syncOnce(file, { load }, 'two');
      expect(statSync(file).mode & 0o777).toBe(0o640);
    });
  });

  test.runIf(process.getuid?.() === 0)('a copy stays with its owner and its group when root writes it', async () => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    chownSync(file, 4321, 1234);
    chmodSync(file, 0o640);
    await syncOnce(file, { load }, 'two');
    const { uid, gid, mode } = statSync(file);
    expect([uid, gid, mode & 0o777]).toEqual([4321, 1234, 0o640]);
  });

  describe('refuses an unsuitable path before it creates anything', () => {
    const socket = async (path: string) => {
      const server = createServer();
      await new Promise<void>((done) => void server.listen(path, done));
      onTestFinished(() => void server.close());
    };
    test.each([
      ['a folder', 'a folder', mkdirSync],
      ['a socket', 'a socket', socket],
      ['a named pipe', 'a named pipe', (path: string) => execFileSync('mkfifo', [path])],
      ['a link to nothing', 'a link to a file that does not exist', (path: string) => symlinkSync('missing.db', path)],
      [
        'a link to a socket',
        'a socket',
        async (path: string) => {
          await socket(`${path}.socket`);
          symlinkSync(`${path}.socket`, path);
        },
      ],
    ])('%s', async (_what, said, make) => {
      const file = tempFile();
      await make(file);
      const before = [filesInFolder(file), lstatSync(file).mode];
      const target = sqliteTargetOf(file, { load });
      for (const use of [target.open(), target.look()]) {
        const error = await rejection(use);
        expect(error).toMatchObject({ reason: 'INVALID', message: expect.stringContaining(` is ${said}`) });
      }
      expect([filesInFolder(file), lstatSync(file).mode]).toEqual(before);
    });

    test('a device', async () => {
      const error = await rejection(sqliteTargetOf('/dev/null', { load }).look());
      expect(error).toMatchObject({ reason: 'INVALID', message: expect.stringContaining('is a device') });
    });
  });

  describe('what stands beside it', () => {
    test('a planted link in the place of a working file is not followed', async () => {
      const file = tempFile();
      await syncOnce(file, { load }, 'one');
      const victim = `${file}.victim`;
      for (const end of ['.new.part', '.new', '.new-journal', '.new-wal']) {
        writeFileSync(victim, 'precious');
        symlinkSync(victim, `${file}${end}`);
        const error = await syncOnce(file, { load }, 'two').catch((thrown: unknown) => thrown);
        expect([end, readFileSync(victim, 'utf8')]).toEqual([end, 'precious']);
        if (end === '.new.part') expect(error).toBeUndefined();
        else expect(error).toMatchObject({ reason: 'INVALID', message: expect.stringContaining(`${end} is a link`) });
        expect(lstatSync(file).isFile()).toBe(true);
        fs.rmSync(`${file}${end}`, { force: true });
      }
      await syncOnce(file, { load }, 'three');
      expect(await stored(file)).toEqual([['one'], ['three'], ['two']]);
    });

    test.runIf(kind === 'wasm')('a part that a killed sync was copying is thrown away', async () => {
      const file = tempFile();
      await syncOnce(file, { load }, 'one');
      writeFileSync(`${file}.new.part`, 'half a copy');
      writeFileSync(`${file}.new-wal`, 'half a log');
      await syncOnce(file, { load }, 'two');
      expect(await stored(file)).toEqual([['one'], ['two']]);
      expect(filesInFolder(file)).toEqual(['fleet.db']);
    });

    test.runIf(kind === 'wasm')(
      'what keeps the new copy from its place is told, and the next sync brings it there',
      async () => {
        const file = tempFile();
        await syncOnce(file, { load }, 'one');
        const open = await sqliteTargetOf(file, { load }).open();
        await open.apply(labels('two'));
        mkdirSync(`${file}-journal`);
        expect(await rejection(open.close())).toMatchObject({
          name: 'SyncTargetError',
          message: expect.stringContaining(`${file} could not be brought up to date: `),
        });
        rmdirSync(`${file}-journal`);
        await syncOnce(file, { load }, 'three');
        expect(await stored(file)).toEqual([['one'], ['three'], ['two']]);
      },
    );

    test('after a sync the copy is one whole file, which needs no log', async () => {
      const file = tempFile();
      await syncOnce(file, { load }, 'one');
      expect(filesInFolder(file)).toEqual(['fleet.db']);
      expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1]);
    });

    /** Leaves the files of a copy like a program that is killed during `work`. */
    const killedWhile = (file: string, work: (database: Database) => void) => {
      const from = tempFile();
      copyFileSync(file, from);
      return load().then(({ open }) => {
        const database = open(from, { readOnly: false });
        try {
          // Both SQLite engines can have a log then.
          database.exec('PRAGMA locking_mode = EXCLUSIVE');
          work(database);
          for (const end of ['', '-wal', '-journal']) {
            if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${file}${end}`);
          }
        } finally {
          database.close();
        }
      });
    };

    test.each(kinds)('a log with rows is taken up by SQLite of %s', async (next) => {
      const file = tempFile();
      await syncOnce(file, { load }, 'one');
      await killedWhile(file, (database) => {
        database.all('PRAGMA journal_mode = WAL');
        database.exec("INSERT INTO labels (id, record) VALUES ('two', '{}')");
      });
      expect(filesInFolder(file)).toContain('fleet.db-wal');
      const parts = { load: () => loadSqlite(next) };
      if (next === 'wasm') {
        expect(await rejection(sqliteTargetOf(file, parts).look())).toMatchObject({
          reason: 'IN_USE',
          hint: expect.stringContaining('run the sync itself'),
        });
      }
      await syncOnce(file, parts, 'three');
      expect(await stored(file)).toEqual([['one'], ['three'], ['two']]);
      expect(await query(file, 'PRAGMA integrity_check')).toEqual([['ok']]);
      expect(filesInFolder(file)).toEqual(['fleet.db']);
    });

    describe.each([
      ['beside the copy', ''],
      ['beside the file of a killed sync', '.new'],
    ])('%s', (_where, end) => {
      test.each(kinds)('a journal of half a transaction is rolled back by SQLite of %s', async (next) => {
        const file = tempFile();
        await syncOnce(file, { load }, ...Array.from({ length: 200 }, (_, index) => `label ${index}`));
        await killedWhile(file, (database) => {
          // The first pages are written before the transaction ends.
          database.exec('PRAGMA cache_size = 5');
          database.exec('BEGIN IMMEDIATE');
          database.exec('DELETE FROM labels');
          database.exec("UPDATE sync_state SET value = 'half'");
          for (let row = 0; row < 500; row++) {
            database.exec(`INSERT INTO labels (id, record) VALUES ('half ${row}', '${'x'.repeat(500)}')`);
          }
        });
        expect(filesInFolder(file)).toContain('fleet.db-journal');
        if (end !== '') {
          renameSync(file, `${file}${end}`);
          renameSync(`${file}-journal`, `${file}${end}-journal`);
        }
        await syncOnce(file, { load: () => loadSqlite(next) }, 'more');
        expect(filesInFolder(file)).toEqual(['fleet.db']);
        expect(await query(file, 'PRAGMA integrity_check')).toEqual([['ok']]);
        expect(await query(file, "SELECT count(*), sum(id LIKE 'half%') FROM labels")).toEqual([[201, 0]]);
      });
    });
  });
});

describe('a full disk, with SQLite of wasm', () => {
  const load = () => loadSqlite('wasm');
  const many = labels(...Array.from({ length: 2000 }, (_, index) => `label ${index} ${'x'.repeat(200)}`));

  /** Limits the free space. A write beyond it is done in part, as by systems. */
  const leaveSpace = (bytes: number, code: string) => {
    const { writeSync } = fs;
    let left = bytes;
    const spy = vi.spyOn(fs, 'writeSync').mockImplementation(((
      file: number,
      data: Uint8Array,
      from: number,
      length: number,
      at: number,
    ) => {
      if (left <= 0) throw Object.assign(new Error(`${code}: no, write`), { code, syscall: 'write' });
      const written = writeSync(file, data, from, Math.min(length, left), at);
      left -= written;
      return written;
    }) as typeof writeSync);
    onTestFinished(() => spy.mockRestore());
    return spy;
  };

  test.each(['ENOSPC', 'EDQUOT'])(
    '(%s) is told as no space left, and the next sync completes the copy',
    async (code) => {
      const file = tempFile();
      await syncOnce(file, { load }, 'one');
      const open = await sqliteTargetOf(file, { load }).open();
      const full = leaveSpace(20_000, code);
      const error = await rejection(open.apply(many));
      expect(error).toMatchObject({ reason: 'FULL', message: expect.stringContaining('no space left') });
      full.mockRestore();
      await open.close();
      expect(await stored(file)).toEqual([['one']]);
      await syncOnce(file, { load }, 'two');
      expect(await stored(file)).toEqual([['one'], ['two']]);
    },
  );

  test('reports a folder with no space for another file as no space left', async () => {
    const file = tempFile();
    const open = await sqliteTargetOf(file, { load }).open();
    const full = vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' });
    });
    onTestFinished(() => full.mockRestore());
    expect(await rejection(open.apply(many))).toMatchObject({ reason: 'FULL' });
    full.mockRestore();
    await open.close();
  });

  test('leaves the functions of the system as they were', async () => {
    const before = { ...fs };
    const file = tempFile();
    const open = await sqliteTargetOf(file, {
      load,
      beforeCommit: () => expect(fs.writeSync).not.toBe(before.writeSync),
    }).open();
    await open.apply(labels('one'));
    await open.close();
    expect({ ...fs }).toEqual(before);
  });
});

describe.runIf(hasNodeSqlite)('another program has the copy open, with SQLite of node', () => {
  const load = () => loadSqlite('node');

  /** Starts a read transaction, which the result can end. */
  async function readerOf(file: string) {
    const database = (await load()).open(file, { readOnly: true });
    database.exec('BEGIN');
    const read = () => database.all('SELECT id FROM labels ORDER BY id');
    read();
    return {
      read,
      stop: () => database.exec('COMMIT'),
      close: () => database.close(),
    };
  }

  /** Returns a clock that only runs during sleep. */
  function clockOf(onSleep: () => void = () => undefined, step = 20_000) {
    let now = 0;
    return {
      monotonic: () => now,
      sleep: async () => {
        now += step;
        onSleep();
      },
    };
  }

  test('a sync waits for a reader that was there before, and says so once', async () => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    const reader = await readerOf(file);
    const notices: string[] = [];
    let sleeps = 0;
    const clock = clockOf(() => ++sleeps === 2 && reader.stop());
    await syncOnce(file, { load, ...clock, onNotice: (text) => notices.push(text) }, 'two');
    expect(notices).toEqual([`${file} is locked by another program: waiting for it, up to 60 s.`]);
    expect(reader.read()).toEqual([['one'], ['two']]);
    reader.close();
  });

  test('a reader that comes during a sync reads on, and holds up nothing until the end', async () => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    let sleeps = 0;
    const notices: string[] = [];
    const clock = clockOf(() => ++sleeps);
    const open = await sqliteTargetOf(file, { load, ...clock, onNotice: (text) => notices.push(text) }).open();
    const reader = await readerOf(file);
    for (const id of ['two', 'three', 'four']) await open.apply(labels(id));
    expect(reader.read()).toEqual([['one']]);
    expect([sleeps, notices]).toEqual([0, []]);
    await open.close();
    expect(notices).toEqual([
      `${file} is locked by another program: waiting for it, up to 60 s.`,
      `The newest rows are in ${file}-wal, beside ${file}: another program is still reading ${file}. The next sync moves them.`,
    ]);
    // A sync that finds a log needs no wait before it writes.
    await syncOnce(file, { load, ...clockOf() }, 'five');
    reader.stop();
    expect(reader.read()).toHaveLength(5);
    reader.close();
    await syncOnce(file, { load }, 'six');
    expect(filesInFolder(file)).toEqual(['fleet.db']);
    expect(await stored(file)).toHaveLength(6);
  });

  test('the copy is whole after a sync although a program that reads nothing has it open', async () => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    const open = await sqliteTargetOf(file, { load }).open();
    const reader = await readerOf(file);
    await open.apply(labels('two'));
    reader.stop();
    await open.close();
    const copied = tempFile();
    copyFileSync(file, copied);
    expect(await stored(copied)).toEqual([['one'], ['two']]);
    reader.close();
  });

  test('a lock that stays ends the sync as IN_USE after a minute, and nothing is changed', async () => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    const reader = await readerOf(file);
    const error = await rejection(syncOnce(file, { load, ...clockOf() }, 'two'));
    expect(error).toMatchObject({ reason: 'IN_USE', message: expect.stringContaining(`kept ${file} locked for 60 s`) });
    reader.close();
    expect(filesInFolder(file)).toEqual(['fleet.db']);
    expect(await stored(file)).toEqual([['one']]);
  });

  test('another writer is waited for, and the batch is written once', async () => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    const writer = (await load()).open(file, { readOnly: false });
    const clock = clockOf(() => writer.exec("INSERT INTO labels (id, record) VALUES ('theirs', '{}'); COMMIT"));
    const open = await sqliteTargetOf(file, { load, ...clock }).open();
    writer.exec('BEGIN IMMEDIATE');
    await open.apply(labels('two'));
    writer.close();
    await open.close();
    expect(await stored(file)).toEqual([['one'], ['theirs'], ['two']]);
  });

  test('the signal ends the wait', async () => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    const reader = await readerOf(file);
    const stop = new AbortController();
    const parts = { load, signal: stop.signal, onNotice: () => stop.abort(new Error('enough')) };
    expect(await rejection(syncOnce(file, parts, 'two'))).toEqual(new Error('enough'));
    reader.close();
    await syncOnce(file, { load }, 'two');
  });

  test.each([
    ['on a disk of several machines', { isLocalFolder: () => false }, () => undefined],
    // Shared memory is not possible then.
    ['where no memory can be shared', {}, (file: string) => mkdirSync(`${file}-shm`)],
  ])('%s it writes with a rollback journal, and waits for readers', async (_where, parts, prepare) => {
    const file = tempFile();
    await syncOnce(file, { load }, 'one');
    prepare(file);
    let reader: Awaited<ReturnType<typeof readerOf>> | null = null;
    const clock = clockOf(() => reader?.stop());
    const open = await sqliteTargetOf(file, { load, ...parts, ...clock }).open();
    reader = await readerOf(file);
    await open.apply(labels('two'));
    expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1]);
    reader.close();
    await open.close();
    expect(await stored(file)).toEqual([['one'], ['two']]);
  });
});
