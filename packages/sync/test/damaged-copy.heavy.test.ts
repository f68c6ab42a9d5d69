// Tests that both databases report damaged rows with a remedy, over the command line.
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { service, shellOf } from '../../../test/cli/harness.js';
import { loadSqlite } from '../src/sqlite/database.js';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from './server.js';

const server = await anyPostgres();
afterAll(() => server?.stop());

/** Damages, the parts to read, the expected messages and the statement that the hint describes. */
const damages = [
  {
    what: 'a time that is none',
    damage: {
      sqlite: "UPDATE sync_cursors SET begins_at = 'tomorrow'",
      postgres: 'UPDATE sync_cursors SET begins_at = NULL',
    },
    parts: 'trips',
    says: ['The table sync_cursors of the copy is damaged', 'Correct the row or delete it'],
    mend: 'DELETE FROM sync_cursors',
  },
  {
    what: 'an end without a calendar',
    damage: {
      sqlite: 'UPDATE sync_cursors SET read_until = 5',
      postgres: "UPDATE sync_cursors SET read_until = 'infinity'",
    },
    parts: 'trips',
    says: ['The table sync_cursors of the copy is damaged', 'Correct the row or delete it'],
    mend: 'DELETE FROM sync_cursors',
  },
  {
    what: 'a kind that nobody knows',
    damage: { sqlite: "UPDATE sync_cursors SET kind = 'tours'", postgres: "UPDATE sync_cursors SET kind = 'tours'" },
    parts: 'trips',
    says: ['The table sync_cursors of the copy is damaged', 'Correct the row or delete it'],
    mend: 'DELETE FROM sync_cursors',
  },
  {
    what: 'a record that is no JSON object',
    damage: { sqlite: "UPDATE labels SET record = '{\"id'", postgres: "UPDATE labels SET record = '[]'" },
    parts: 'labels',
    says: ['The table labels of the copy is damaged: the record of ', "to '{}'"],
    mend: "UPDATE labels SET record = '{}'",
  },
  {
    what: 'a record that is missing',
    damage: { sqlite: 'UPDATE labels SET record = NULL', postgres: 'UPDATE labels SET record = NULL' },
    parts: 'labels',
    says: ['The table labels of the copy is damaged: the record of ', "to '{}'"],
    mend: "UPDATE labels SET record = '{}'",
  },
] as const;

/** A copy and a function that changes it. */
interface Place {
  readonly address: string;
  readonly run: (sql: string) => Promise<unknown>;
}

async function check({ address, run }: Place, dialect: 'sqlite' | 'postgres', at: (typeof damages)[number]) {
  const fleet = shellOf('demo', service({ vehicles: 2 }).fetch);
  const words = ['sync', address, '--only', at.parts, '--since', '-1h'];
  expect(await fleet(words)).toMatchObject({ code: 0 });
  await run(at.damage[dialect]);
  const { code, stderr } = await fleet(words);
  expect([code, stderr]).toEqual([1, expect.stringContaining(at.says[0])]);
  expect(stderr).toContain(at.says[1]);
  await run(at.mend);
  expect(await fleet(words)).toMatchObject({ code: 0, stderr: '' });
  expect(await fleet(words)).toMatchObject({ code: 0, stderr: '' });
}

const versions = [
  [
    'a version that is not a number',
    "UPDATE sync_state SET value = 'one' WHERE name = 'schema_version'",
    'schema_version is no number',
  ],
  ['no version', "DELETE FROM sync_state WHERE name = 'schema_version'", 'schema_version is no number'],
] as const;

async function checkVersion({ address, run }: Place, statement: string, says: string) {
  const fleet = shellOf('demo', service().fetch);
  const words = ['sync', address, '--only', 'labels'];
  await fleet(words);
  await run(statement);
  const { code, stderr } = await fleet(words);
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
}

function inFile(): Place {
  const address = join(shellOf('demo', service().fetch).folder, 'fleet.db');
  const run = async (sql: string) => {
    const database = (await loadSqlite()).open(address, { readOnly: false });
    database.exec(sql);
    database.close();
  };
  return { address, run };
}

describe('SQLite', () => {
  test.each(versions)('%s', (_what, statement, says) => checkVersion(inFile(), statement, says));

  test('a table that is gone', () =>
    checkVersion(inFile(), 'DROP TABLE labels', 'is damaged: SQLite says "no such table'));

  test.each(damages)('$what', async (at) => {
    await check(inFile(), 'sqlite', at);
  });

  test('a version that is not a number', async () => {
    const fleet = shellOf('demo', service().fetch);
    const address = join(fleet.folder, 'fleet.db');
    const words = ['sync', address, '--only', 'labels'];
    await fleet(words);
    const database = (await loadSqlite()).open(address, { readOnly: false });
    database.exec("UPDATE sync_state SET value = 'one' WHERE name = 'schema_version'");
    database.close();
    const { code, stderr } = await fleet(words);
    expect([code, stderr]).toEqual([1, expect.stringContaining('schema_version is no number')]);
  });
});

describe.skipIf(server === null && skipped('damaged copies in PostgreSQL'))('PostgreSQL', () => {
  test.each(damages)('$what', async (at) => {
    const address = await newDatabase(server?.port ?? 0);
    try {
      await check({ address, run: (sql) => inDatabase(address, sql) }, 'postgres', at);
    } finally {
      await dropDatabase(address);
    }
  });

  test.each(versions)('%s', async (_what, statement, says) => {
    const address = await newDatabase(server?.port ?? 0);
    try {
      await checkVersion({ address, run: (sql) => inDatabase(address, sql) }, statement, says);
    } finally {
      await dropDatabase(address);
    }
  });
});
