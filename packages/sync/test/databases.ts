// Creates a copy in each kind of database, for tests that must pass in both.
import { onTestFinished } from 'vitest';
import { postgresTarget, type SyncTarget, sqliteTarget } from '../src/index.js';
import type { Cell } from '../src/rows.js';
import { query, tempFile } from './copies.js';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from './server.js';

/** A copy that does not exist yet, with access to its database. */
export interface NewCopy {
  readonly target: SyncTarget;
  /** Returns rows of a query, or runs a statement. Both have `true` and `false`. */
  run(sql: string): Promise<readonly (readonly unknown[])[]>;
}

const server = await anyPostgres();
process.once('exit', () => server?.stop());

export async function inSqlite(): Promise<NewCopy> {
  const file = tempFile();
  const { loadSqlite } = await import('../src/sqlite/database.js');
  const run = async (sql: string): Promise<readonly (readonly Cell[])[]> => {
    if (/^select/i.test(sql)) return query(file, sql);
    const database = (await loadSqlite()).open(file, { readOnly: false });
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
    return [];
  };
  return { target: sqliteTarget(file), run };
}

async function inPostgres(port: number): Promise<NewCopy> {
  const url = await newDatabase(port);
  onTestFinished(() => dropDatabase(url));
  return { target: postgresTarget(url), run: (sql) => inDatabase(url, sql) };
}

if (server === null) skipped('copies in PostgreSQL');

export const databases: readonly (readonly [name: string, make: () => Promise<NewCopy>])[] = [
  ['SQLite', inSqlite],
  ...(server === null ? [] : [['PostgreSQL', () => inPostgres(server.port)] as const]),
];
