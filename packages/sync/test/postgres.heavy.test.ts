// Tests that a sync into PostgreSQL has the rows of one into SQLite, and explains server errors.
import { describe, expect, test } from 'vitest';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import {
  postgresTarget,
  SyncTargetError,
  sqliteTarget,
  syncFleet,
  syncParts,
  targetConformance,
  targetSchema,
} from '../src/index.js';
import { postgresTargetOf } from '../src/postgres/postgres-target.js';
import { contentOf, tempFile } from './copies.js';
import { anyPostgres, databaseOfFile, inDatabase, skipped } from './server.js';

const server = await anyPostgres();
const since = new Date(START - 3_600_000);
const options = { since, parts: syncParts };
const port = server?.port ?? 0;

describe.skipIf(server === null && skipped('the tests of PostgreSQL'))('PostgreSQL', () => {
  const service = makeService({ vehicles: 3 });
  let url = '';
  databaseOfFile(server, (own) => {
    url = own;
  });
  let schemas = 0;
  const newCopy = async () => {
    const schema = `copy_${++schemas}`;
    await inDatabase(url, `CREATE SCHEMA ${schema}`);
    return `${url}?search_path=${schema}`;
  };

  test('has the rows that SQLite has, after one sync and after another', async () => {
    const [copy, file] = [await newCopy(), tempFile()];
    for (const _ of [1, 2]) {
      const reports = [];
      for (const target of [postgresTarget(copy), sqliteTarget(file)]) {
        reports.push(await syncFleet(makeClient(service), target, options));
      }
      expect(reports[0]).toEqual(reports[1]);
      expect(await contentOf(postgresTarget(copy))).toEqual(await contentOf(sqliteTarget(file)));
    }
    expect(await inDatabase(copy, 'SELECT count(*)::int FROM vehicle_now')).toEqual([[3]]);
    expect(await inDatabase(copy, 'SELECT * FROM trips_daily; ')).not.toEqual([]);
    expect(await inDatabase(copy, 'SELECT * FROM driver_today')).toEqual([]);
  });

  test.each(targetConformance.map(({ name, check }) => [name, check] as const))(
    'conformance: %s',
    async (_name, check) => {
      const copy = await newCopy();
      await check(() => postgresTarget(copy));
    },
  );

  test('a sync that is interrupted at a commit ends after the next one as an undisturbed one', async () => {
    const whole = await newCopy();
    let commits = 0;
    const counted = postgresTargetOf(whole, { beforeCommit: () => void commits++ });
    await syncFleet(makeClient(service), counted, options);
    const expected = await contentOf(postgresTarget(whole));
    for (const at of [1, Math.ceil(commits / 2), commits]) {
      const copy = await newCopy();
      let left = at;
      const failing = postgresTargetOf(copy, {
        beforeCommit: () => {
          if (--left === 0) throw new Error('stopped');
        },
      });
      await rejection(syncFleet(makeClient(service), failing, options));
      await syncFleet(makeClient(service), postgresTarget(copy), options);
      expect(await contentOf(postgresTarget(copy))).toEqual(expected);
    }
  });

  test('stores text as it is: quotes, tabs, lines, backslashes, and no NUL', async () => {
    const copy = await newCopy();
    const open = await postgresTarget(copy).open();
    const name = 'a\tb\nc\\N \'"\r \u{1f69a}';
    await open.apply({
      steps: [{ kind: 'upsert', table: 'labels', rows: [['1', name, null, null, null, null, null, '{}']] }],
      cursors: [],
    });
    expect(await open.read('labels', ['name'])).toEqual([[name]]);
    await open.close();
  });

  test('a schema may have any name', async () => {
    await inDatabase(url, 'CREATE SCHEMA "Fleet ä"');
    const copy = `${url}?search_path=${encodeURIComponent('"Fleet ä"')}`;
    for (const _ of [1, 2]) await (await postgresTarget(copy).open()).close();
    expect(await inDatabase(copy, "SELECT value FROM sync_state WHERE name = 'schema_version'")).toEqual([['1']]);
  });

  test('--schema prints what makes the copy', async () => {
    const [copy, byHand] = [await newCopy(), await newCopy()];
    await (await postgresTarget(copy).open()).close();
    await inDatabase(byHand, targetSchema('postgres'));
    const columns = `SELECT table_name, column_name, data_type FROM information_schema.columns
      WHERE table_schema = current_schema() ORDER BY 1, 2`;
    expect(await inDatabase(byHand, columns)).toEqual(await inDatabase(copy, columns));
  });

  describe('says what is wrong, and changes nothing', () => {
    const open = async (target: string) => {
      const error = await rejection(postgresTarget(target).open());
      expect(error).toBeInstanceOf(SyncTargetError);
      return error as SyncTargetError;
    };

    test('nobody answers', async () => {
      expect(await open('postgres://postgres:secret@127.0.0.1:1/x')).toMatchObject({
        reason: 'UNREACHABLE',
        message: 'postgres://127.0.0.1:1/x does not answer (ECONNREFUSED). Nothing was changed.',
      });
    });
    test('no such database', async () => {
      expect(await open(`postgres://postgres@127.0.0.1:${port}/nosuch`)).toMatchObject({ reason: 'INVALID' });
    });
    test('no such user; the message has no password', async () => {
      const error = await open(`postgres://nosuch:secret@127.0.0.1:${port}/postgres`);
      expect(error.reason).toBe('REFUSED');
      expect(`${error.message} ${error.hint}`).not.toContain('secret');
    });
    test('no such schema', async () => {
      expect(await open(`${url}?search_path=nosuch`)).toMatchObject({
        reason: 'INVALID',
        hint: expect.stringContaining('?search_path=%22Fleet%22'),
      });
      expect(await open(`${url}?search_path=${encodeURIComponent('"half')}`)).toMatchObject({
        reason: 'INVALID',
        message: expect.stringContaining('refuses a setting of the address, such as search_path (22023). Nothing was'),
      });
    });
    test('a user who may not create tables', async () => {
      const copy = await newCopy();
      const role = `reader_${schemas}_${new URL(url).pathname.slice(-8)}`;
      await inDatabase(copy, `CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA copy_${schemas} TO ${role}`);
      try {
        expect(await open(copy.replace('postgres@', `${role}@`))).toMatchObject({ reason: 'REFUSED' });
      } finally {
        await inDatabase(copy, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
      }
    });
    test('tables of another program', async () => {
      const copy = await newCopy();
      await inDatabase(copy, 'CREATE TABLE vehicles (name text)');
      expect(await open(copy)).toMatchObject({ reason: 'INVALID', message: expect.stringContaining('table vehicles') });
    });
    test('a copy of a newer version', async () => {
      const copy = await newCopy();
      await (await postgresTarget(copy).open()).close();
      await inDatabase(copy, "UPDATE sync_state SET value = '99'");
      expect(await open(copy)).toMatchObject({ reason: 'NEWER' });
    });
    test('another sync is writing', async () => {
      const copy = await newCopy();
      const first = await postgresTarget(copy).open();
      expect(await open(copy)).toMatchObject({ reason: 'IN_USE' });
      await first.close();
      await (await postgresTarget(copy).open()).close();
    });
    test.each([
      'mysql://user:secret@host/db',
      'postgres:user:secret@host/db',
      'postgres:/user:secret@host/db',
      'postgresql//user:secret@host/db',
      'postgres://user:se%cret@host/db',
      'postgres://user:1%secret@host/db',
      'postgres://user:12/secret@host/db',
      'postgres://user:12?secret@host/db',
      'postgres://user:12#secret@host/db',
      'postgres://user:x@12/secret@host/db',
      'postgres://user:secret@host/d%b',
    ])('no address of PostgreSQL, and the message has nothing of it: %s', (address) => {
      const error = caught(() => postgresTarget(address)) as SyncTargetError;
      expect(error).toMatchObject({ name: 'SyncTargetError', reason: 'INVALID' });
      expect(`${error.message} ${error.hint}`).not.toMatch(/secret|12|user:[^p]/);
    });
  });
});

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}
