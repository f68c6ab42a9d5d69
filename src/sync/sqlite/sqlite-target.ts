// A copy in a SQLite file. The file uses a rollback journal, so that both kinds of SQLite can open it. Other programs can read it during a
// sync.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { acquireLease, type Lease, leaseHolder } from '../../locks/lease.js';
import { CURSOR_TABLE, cursorRow, readCursors } from '../cursors.js';
import { dropViewStatements, type Migration, migrations, upsertStatement, viewStatements } from '../ddl.js';
import type { Cell } from '../rows.js';
import { type Table, tableOf } from '../tables.js';
import { type Batch, type Cursor, type OpenTarget, type Step, type SyncTarget, SyncTargetError } from '../target.js';
import { type Database, loadSqlite, type Sqlite, type Statement } from './database.js';
import { sqliteError } from './sqlite-error.js';
import { privateFile, sharedFile, type WorkingFile } from './working-file.js';

/** Settings that only tests use. */
export interface SqliteParts {
  readonly load?: () => Promise<Sqlite>;
  readonly migrations?: readonly Migration[];
  /** Runs before each commit. */
  readonly beforeCommit?: () => void;
}

/**
 * A copy in a SQLite file, which is made when it does not exist. While a sync runs, a file with `.sync` at the end of its name keeps
 * other syncs of the machine away. Other programs can read the copy at the same time; before Node 22.13 they see the state of the sync before,
 * because the sync writes a file with `.new` at the end of its name, which replaces the copy at the end.
 *
 * @param path Path of the file, for example `fleet.db`.
 * @returns A target for `sync`. Nothing is opened yet.
 */
export function sqliteTarget(path: string): SyncTarget {
  return sqliteTargetOf(path);
}

export function sqliteTargetOf(path: string, parts: SqliteParts = {}): SyncTarget {
  const named = resolve(path);
  // A link stays a link, and two links to a file are one copy.
  const fileOf = () => (existsSync(named) ? realpathSync(named) : named);
  const load = parts.load ?? loadSqlite;
  return {
    name: path,
    async open() {
      const file = fileOf();
      const sqlite = await load();
      // Otherwise the lease would make the folder.
      if (!existsSync(dirname(file)) || statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
        throw sqliteError(new Error('unable to open'), path);
      }
      const lease = await lock(file, path);
      let database: Database | null = null;
      let working: WorkingFile | null = null;
      try {
        working = workingFileOf(file, sqlite);
        database = sqlite.open(working.path, { readOnly: false });
        migrate(database, path, parts.migrations ?? migrations);
        return new OpenSqlite(database, { lease, working, name: path, beforeCommit: parts.beforeCommit });
      } catch (error) {
        database?.close();
        working?.discard();
        lease.release();
        throw sqliteError(error, path);
      }
    },
    async look() {
      const file = fileOf();
      // A file without content is what an interrupted first sync may leave.
      if (!existsSync(file) || statSync(file).size === 0) return null;
      const sqlite = await load();
      let database: Database | null = null;
      try {
        database = sqlite.open(file, { readOnly: true });
        if (versionOf(database, path, parts.migrations ?? migrations) > 0)
          return new OpenSqlite(database, { name: path });
        database.close();
        return null;
      } catch (error) {
        database?.close();
        throw sqliteError(error, path);
      }
    },
  };
}

function workingFileOf(file: string, { open, hasSystemLocks }: Sqlite): WorkingFile {
  if (!hasSystemLocks) return privateFile(file);
  return sharedFile(file, (path) => {
    const database = open(path, { readOnly: false });
    // Opening alone reads nothing.
    database.all('SELECT name FROM sqlite_master');
    database.close();
  });
}

/** Takes the lease that keeps other syncs away. */
async function lock(file: string, name: string): Promise<Lease> {
  const path = `${file}.sync`;
  const holder = leaseHolder(path);
  const inUse = () => {
    const who = holder?.isHere === true && holder.pid !== null ? ` (process ${holder.pid})` : '';
    return new SyncTargetError(
      'IN_USE',
      `Another sync${who} is writing to ${name}. This one has changed nothing.`,
      'Wait until it has ended, or write to another file.',
    );
  };
  if (holder !== null && !holder.isGone) throw inUse();
  try {
    return await acquireLease(path, { signal: AbortSignal.timeout(LEASE_MS) });
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw inUse();
    throw sqliteError(error, name);
  }
}

/** The lease is free, or its holder is gone; only another sync that begins at the same moment can take it first. */
const LEASE_MS = 1000;

/** The version of the tables; 0 for an empty file. @throws {SyncTargetError} NEWER, or INVALID when it holds something else. */
function versionOf(database: Database, name: string, known: readonly Migration[]): number {
  const names = database.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(([table]) => table);
  if (names.length === 0) return 0;
  if (!names.includes('sync_state')) {
    throw new SyncTargetError(
      'INVALID',
      `${name} is a database with other tables, which no sync has made. Nothing was changed.`,
      'Name a file that does not exist yet.',
    );
  }
  const version = Number(database.all("SELECT value FROM sync_state WHERE name = 'schema_version'")[0]?.[0] ?? 0);
  const newest = known.at(-1)?.version ?? 0;
  if (version <= newest) return version;
  throw new SyncTargetError(
    'NEWER',
    `${name} was made by a newer version of fleet-telematics: its tables have version ${version}, this one knows ${newest}. Nothing was changed.`,
    'Update fleet-telematics, or write to another file.',
  );
}

function migrate(database: Database, name: string, known: readonly Migration[]): void {
  const version = versionOf(database, name, known);
  const missing = known.filter((migration) => migration.version > version);
  if (missing.length > 0) {
    transaction(database, () => {
      for (const statement of dropViewStatements()) database.exec(statement);
      for (const { statements } of missing) for (const statement of statements('sqlite')) database.exec(statement);
      for (const statement of viewStatements('sqlite')) database.exec(statement);
      database
        .prepare(upsertStatement(tableOf('sync_state'), 'VALUES (?, ?)'))
        .run(['schema_version', String(missing.at(-1)?.version)]);
    });
  } else {
    // Finds out now, not after an hour of reading, whether the file can be written.
    transaction(database, () => database.exec("UPDATE sync_state SET value = value WHERE name = 'schema_version'"));
  }
  database.exec('PRAGMA foreign_keys = ON');
}

function transaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back already, as it does when there is no space left.
    }
    throw error;
  }
}

class OpenSqlite implements OpenTarget {
  readonly #database: Database;
  readonly #lease: Lease | null;
  readonly #working: WorkingFile | null;
  readonly #name: string;
  readonly #beforeCommit: () => void;
  readonly #statements = new Map<string, Statement>();

  /** Without a lease and a working file it is only read. */
  constructor(
    database: Database,
    {
      name,
      lease = null,
      working = null,
      beforeCommit = () => undefined,
    }: {
      readonly name: string;
      readonly lease?: Lease | null;
      readonly working?: WorkingFile | null;
      readonly beforeCommit?: (() => void) | undefined;
    },
  ) {
    this.#database = database;
    this.#lease = lease;
    this.#working = working;
    this.#name = name;
    this.#beforeCommit = beforeCommit;
  }

  cursors(): Promise<readonly Cursor[]> {
    return readCursors(this);
  }

  async read(name: string, wanted: readonly string[]): Promise<readonly (readonly Cell[])[]> {
    const { columns, key } = tableOf(name);
    const types = wanted.map((column) => columns.find((one) => one.name === column)?.type);
    try {
      const rows = this.#database.all(`SELECT ${wanted.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`);
      return rows.map((row) =>
        row.map((cell, index) => (types[index] === 'boolean' && cell !== null ? cell === 1 : cell)),
      );
    } catch (error) {
      throw sqliteError(error, this.#name);
    }
  }

  async apply({ steps, cursors }: Batch): Promise<void> {
    try {
      transaction(this.#database, () => {
        for (const step of steps) this.#take(step);
        for (const cursor of cursors) this.#upsertOf(tableOf(CURSOR_TABLE)).run(cursorRow(cursor));
        this.#beforeCommit();
      });
    } catch (error) {
      throw sqliteError(error, this.#name);
    }
  }

  async close(): Promise<void> {
    try {
      this.#database.close();
      this.#working?.publish();
    } catch {
      // Everything that was committed is in the working file, which the next sync takes up.
    }
    this.#lease?.release();
  }

  #take(step: Step): void {
    switch (step.kind) {
      case 'upsert': {
        const statement = this.#upsertOf(tableOf(step.table));
        for (const row of step.rows) statement.run(row);
        return;
      }
      case 'delete': {
        const statement = this.#statement(`DELETE FROM ${step.table} WHERE ${step.column} = ?`);
        for (const value of step.values) statement.run([value]);
        return;
      }
      case 'deleteTrips': {
        const sql = 'DELETE FROM trips WHERE vehicle_id = ? AND (ended_at IS NULL OR ended_at >= ?)';
        this.#statement(sql).run([step.vehicleId, step.from]);
        return;
      }
      case 'markDeleted': {
        const statement = this.#statement(`UPDATE ${step.table} SET deleted_at = ? WHERE id = ?`);
        for (const id of step.ids) statement.run([step.at, id]);
      }
    }
  }

  #upsertOf(table: Table): Statement {
    return this.#statement(upsertStatement(table, `VALUES (${table.columns.map(() => '?').join(', ')})`));
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
