// Keeps a copy in a SQLite file, which other programs can read during a sync.
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Lease } from 'fleet-telematics/kit';
import { SyncTargetError } from 'fleet-telematics/kit';
import { ChangedRows } from '../changed-rows.js';
import { CURSOR_TABLE, cursorRow, readCursors } from '../cursors.js';
import {
  deleteBeforeQuery,
  deleteOtherPartsQuery,
  deleteQuery,
  dropViewStatements,
  filterQuery,
  type OtherRows,
  otherRows,
  type Query,
  upsertStatement,
  viewStatements,
} from '../ddl.js';
import type { Cell, Row } from '../rows.js';
import { newestVersion, parseVersion, tableChanges, type Upgrade, upgrades } from '../schema-version.js';
import { takeSyncLock } from '../sync-lock.js';
import { STAMP, type Table, tableOf } from '../tables.js';
import {
  type Batch,
  type Cursor,
  noRows,
  type OpenTarget,
  type RowFilter,
  type RowsWritten,
  type Step,
  type SyncTarget,
  sumOf,
} from '../target.js';
import { type Database, loadSqlite, type Sqlite, type Statement } from './database.js';
import { isLocalFolder, settleWriteAheadLog, toRollbackJournal, toWriteAheadLog } from './journal.js';
import { isLocked, LOCK_WAIT_MS, LockWait, type LockWaitOptions } from './lock-wait.js';
import { sqliteError } from './sqlite-error.js';
import { copyPath, isWholeFile, privateFile, sharedFile, type WorkingFile } from './working-file.js';

/** Options for the waits for other programs. */
export interface SqliteTargetOptions {
  /** Called when a sync waits for a locked copy, and when the newest rows stay in its -wal file. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Ends a wait. The sync needs the same signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Settings for tests. */
export interface SqliteParts extends SqliteTargetOptions, Pick<LockWaitOptions, 'monotonic' | 'sleep'> {
  readonly load?: () => Promise<Sqlite>;
  readonly upgrades?: readonly Upgrade[];
  readonly beforeCommit?: () => void;
  readonly isLocalFolder?: (folder: string) => boolean;
}

/**
 * Keeps a copy in a SQLite file, which is created when it does not exist, readable for its owner
 * alone. During a sync, a file with `.sync` at the end of its name keeps other syncs of the machine
 * away. Other programs can read the copy at the same time. Before Node 22.13 they see the state of
 * the previous sync: the sync writes a file with `.new` at the end of its name, which replaces the
 * copy at the end. A sync waits up to 60 s for a program that has locked the copy.
 *
 * @param path Path of the file, for example `fleet.db`.
 * @returns A target for `syncFleet`. Nothing is opened yet.
 */
export function sqliteTarget(path: string, options: SqliteTargetOptions = {}): SyncTarget {
  return sqliteTargetOf(path, { onNotice: options.onNotice, signal: options.signal });
}

export function sqliteTargetOf(path: string, parts: SqliteParts = {}): SyncTarget {
  const resolvedPath = resolve(path);
  const { onNotice = () => undefined, monotonic, sleep, upgrades: upgradeSteps = upgrades } = parts;
  const onWait = () =>
    onNotice(`${path} is locked by another program: waiting for it, up to ${LOCK_WAIT_MS / 1000} s.`);
  const wait = new LockWait({ onWait, signal: parts.signal, monotonic, sleep });
  const opening = { ...parts, name: path, onNotice, wait, load: parts.load ?? loadSqlite, upgradeSteps };
  return {
    name: path,
    open: () => openToWrite(resolvedPath, opening),
    look: () => openToRead(resolvedPath, opening),
  };
}

interface Opening extends Omit<SqliteParts, 'load' | 'upgrades'> {
  readonly name: string;
  readonly wait: LockWait;
  readonly load: () => Promise<Sqlite>;
  readonly upgradeSteps: readonly Upgrade[];
}

async function openToWrite(path: string, opening: Opening): Promise<OpenTarget> {
  const { name, wait, load, upgradeSteps, signal } = opening;
  const file = copyPath(path, name);
  const sqlite = await load();
  const lease = await lock(file, name);
  let database: Database | null = null;
  let working: WorkingFile | null = null;
  try {
    working = workingFileOf(file, sqlite);
    const opened = sqlite.open(working.path, { readOnly: false });
    database = opened;
    if (!sqlite.hasSystemLocks) toRollbackJournal(opened);
    const version = await wait.whenFree(() => versionOf(opened, name, upgradeSteps));
    const mayHaveLog = sqlite.hasSystemLocks && (opening.isLocalFolder ?? isLocalFolder)(dirname(file));
    const hasLog = mayHaveLog && (await toWriteAheadLog(opened, wait));
    if (sqlite.hasSystemLocks && !hasLog) {
      // A connection that has tried to use a log cannot work without it.
      database = null;
      opened.close();
      const again = sqlite.open(working.path, { readOnly: false });
      database = again;
      await wait.whenFree(() => toRollbackJournal(again));
    }
    const written = database;
    await wait.whenFree(() => migrate(written, version, upgradeSteps));
    return new OpenSqlite(written, { name, wait }, { ...opening, lease, working, hasLog });
  } catch (error) {
    database?.close();
    working?.discard();
    lease.release();
    throw sqliteError(error, name, signal);
  }
}

async function openToRead(path: string, { name, wait, load, upgradeSteps, signal }: Opening) {
  const file = copyPath(path, name);
  // An interrupted first sync may leave an empty file.
  if (!existsSync(file) || statSync(file).size === 0) return null;
  const sqlite = await load();
  if (!sqlite.hasSystemLocks && !isWholeFile(file)) throw notWhole(name);
  let database: Database | null = null;
  try {
    const opened = sqlite.open(file, { readOnly: true });
    database = opened;
    const version = await wait.whenFree(() => versionOf(opened, name, upgradeSteps));
    if (version > 0) return new OpenSqlite(opened, { name, wait });
    database.close();
    return null;
  } catch (error) {
    database?.close();
    throw sqliteError(error, name, signal);
  }
}

/** Refuses a read for which SQLite as WebAssembly would have to write. */
function notWhole(name: string): SyncTargetError {
  return new SyncTargetError(
    'IN_USE',
    `A part of ${name} is in another file beside it (-wal or -journal): a sync or another program is writing it, or was ended in between. Nothing was changed.`,
    'When no other program has it open, run the sync itself, which puts it in order; or use Node 22.13 or newer.',
  );
}

async function lock(file: string, name: string): Promise<Lease> {
  try {
    return await takeSyncLock(`${file}.sync`, name, 'another file');
  } catch (error) {
    throw sqliteError(error, name);
  }
}

function workingFileOf(file: string, { open, hasSystemLocks }: Sqlite): WorkingFile {
  if (!hasSystemLocks) return privateFile(file);
  return sharedFile(file, (path) => {
    const database = open(path, { readOnly: false });
    try {
      toRollbackJournal(database);
    } finally {
      database.close();
    }
  });
}

/**
 * Returns the version of the tables; 0 for an empty file.
 * @throws {SyncTargetError} NEWER, or INVALID when it has other tables.
 */
function versionOf(database: Database, name: string, upgradeSteps: readonly Upgrade[]): number {
  const names = database.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(([table]) => table);
  if (names.length === 0) return 0;
  if (!names.includes('sync_state')) {
    throw new SyncTargetError(
      'INVALID',
      `${name} is a database with other tables, which no sync has made. Nothing was changed.`,
      'Name a file that does not exist yet.',
    );
  }
  const [[value] = []] = database.all("SELECT value FROM sync_state WHERE name = 'schema_version'");
  return parseVersion(value, { name, another: 'another file' }, upgradeSteps);
}

/** Creates the tables of a new copy, or upgrades older ones, in one transaction. */
function migrate(database: Database, version: number, upgradeSteps: readonly Upgrade[]): void {
  const newest = newestVersion(upgradeSteps);
  if (version !== newest) {
    database.transaction(() => {
      for (const statement of dropViewStatements()) database.exec(statement);
      for (const statement of tableChanges(version, upgradeSteps, 'sqlite')) database.exec(statement);
      for (const statement of viewStatements('sqlite')) database.exec(statement);
      database.prepare(upsertStatement(tableOf('sync_state'), 'VALUES (?, ?)')).run(['schema_version', String(newest)]);
    });
  } else {
    // Checks now that the file can be written, not after an hour of reading.
    database.transaction(() => database.exec("UPDATE sync_state SET value = value WHERE name = 'schema_version'"));
  }
  database.exec('PRAGMA foreign_keys = ON');
  // In KiB. The pages of a batch fit; SQLite would write others early, and wait for it.
  database.exec('PRAGMA cache_size = -4096');
}

/** Rows of an index to analyze, as SQLite recommends: large tables take no longer. */
const ANALYSIS_LIMIT = 400;

interface WriteResources extends Pick<SqliteParts, 'beforeCommit' | 'onNotice'> {
  readonly lease: Lease;
  readonly working: WorkingFile;
  readonly hasLog: boolean;
}

class OpenSqlite implements OpenTarget {
  readonly #database: Database;
  readonly #name: string;
  readonly #wait: LockWait;
  readonly #writeResources: WriteResources | null;
  readonly #statements = new Map<string, Statement>();
  readonly #changed = new ChangedRows();

  /** Opens the copy for reading only when `written` is null. */
  constructor(
    database: Database,
    { name, wait }: { readonly name: string; readonly wait: LockWait },
    written: WriteResources | null = null,
  ) {
    this.#database = database;
    this.#name = name;
    this.#wait = wait;
    this.#writeResources = written;
  }

  cursors(): Promise<readonly Cursor[]> {
    return readCursors(this);
  }

  async read(
    name: string,
    columnNames: readonly string[],
    filter: RowFilter = {},
  ): Promise<readonly (readonly Cell[])[]> {
    const { columns, key } = tableOf(name);
    const { sql, parameters } = filterQuery(tableOf(name), filter, 'sqlite');
    const where = sql === '' ? '' : `WHERE ${sql} `;
    const types = columnNames.map((column) => columns.find((one) => one.name === column)?.type);
    try {
      const text = `SELECT ${columnNames.join(', ')} FROM ${name} ${where}ORDER BY ${key.join(', ')}`;
      const rows = await this.#wait.whenFree(() => this.#database.all(text, parameters));
      return rows.map((row) =>
        row.map((cell, index) => (types[index] === 'boolean' && cell !== null ? cell === 1 : cell)),
      );
    } catch (error) {
      throw sqliteError(error, this.#name, this.#wait.signal);
    }
  }

  async apply({ steps, cursors }: Batch): Promise<RowsWritten> {
    let done: RowsWritten = noRows;
    const write = () => {
      // A transaction that met a lock runs again.
      done = noRows;
      for (const step of steps) {
        const stepRows = this.#applyStep(step);
        this.#changed.add(step.table, stepRows.written + stepRows.deleted);
        done = sumOf(done, stepRows);
      }
      for (const cursor of cursors) this.#upsertOf(tableOf(CURSOR_TABLE)).run(cursorRow(cursor));
      this.#writeResources?.beforeCommit?.();
    };
    try {
      await this.#wait.whenFree(() => this.#database.transaction(write));
      return done;
    } catch (error) {
      throw sqliteError(error, this.#name, this.#wait.signal);
    }
  }

  async close(): Promise<void> {
    const { hasLog = false, working, lease, onNotice } = this.#writeResources ?? {};
    this.#analyze();
    try {
      if (hasLog) await this.#wait.whenFree(() => settleWriteAheadLog(this.#database));
    } catch (error) {
      const name = this.#name;
      const why = isLocked(error) ? `another program is still reading ${name}` : `SQLite says: ${messageOf(error)}`;
      onNotice?.(`The newest rows are in ${name}-wal, beside ${name}: ${why}. The next sync moves them.`);
    }
    try {
      this.#database.close();
      working?.publish();
    } catch (error) {
      // The working file has all committed rows. On Windows, an open copy cannot be replaced.
      const hint =
        'Close the programs that have it open, and check the rights of the file. The next sync brings everything.';
      throw new SyncTargetError(
        'IN_USE',
        `${this.#name} could not be brought up to date: ${messageOf(error)}.`,
        hint,
        error,
      );
    } finally {
      lease?.release();
    }
  }

  #analyze(): void {
    try {
      const statTables = this.#database.all("SELECT name FROM sqlite_master WHERE name = 'sqlite_stat1'");
      const stats = statTables.length === 0 ? [] : this.#database.all('SELECT tbl, stat FROM sqlite_stat1');
      const rows = new Map(stats.map(([table, stat]) => [String(table), Number.parseInt(String(stat), 10)]));
      for (const table of this.#changed.large(rows)) {
        this.#database.exec(`PRAGMA analysis_limit = ${ANALYSIS_LIMIT}; ANALYZE ${table}`);
      }
    } catch {
      // Queries may be slower, but the rows are complete: a lock is no reason to wait.
    }
  }

  #applyStep(step: Step): RowsWritten {
    switch (step.kind) {
      case 'upsert':
        return { written: this.#upsert(tableOf(step.table), step.rows), deleted: 0 };
      case 'replace': {
        const table = tableOf(step.table);
        const written = this.#upsert(table, step.rows);
        const others = otherRows(table, step.rows, step.periods, 'sqlite');
        return { written, deleted: others.reduce((sum, own) => sum + this.#deleteOthers(own), 0) };
      }
      case 'replaceParts': {
        const table = tableOf(step.table);
        const written = this.#upsert(table, step.rows);
        return { written, deleted: this.#runEach([deleteOtherPartsQuery(table, step.rows, step.owners, 'sqlite')]) };
      }
      case 'delete': {
        const query = deleteQuery(tableOf(step.table), step.column, step.values, 'sqlite');
        return { written: 0, deleted: this.#runEach([query]) };
      }
      case 'deleteBefore':
        return { written: 0, deleted: this.#runEach([deleteBeforeQuery(tableOf(step.table), step, 'sqlite')]) };
      case 'markDeleted': {
        const sql = `UPDATE ${step.table} SET deleted_at = ?, ${STAMP} = ? WHERE id = ?`;
        const queries = step.ids.map((id) => ({ sql, parameters: [step.at, step.syncedAt, id] }));
        return { written: this.#runEach(queries), deleted: 0 };
      }
    }
  }

  #deleteOthers({ count, writtenCount, deletion }: OtherRows): number {
    const [[found] = []] = this.#database.all(count.sql, count.parameters);
    return found === writtenCount ? 0 : this.#runEach([deletion()]);
  }

  #runEach(queries: readonly Query[]): number {
    return queries.reduce((sum, { sql, parameters }) => sum + this.#statement(sql).run(parameters), 0);
  }

  #upsert(table: Table, rows: readonly Row[]): number {
    const statement = this.#upsertOf(table);
    return rows.reduce((sum, row) => sum + statement.run(row), 0);
  }

  #upsertOf(table: Table): Statement {
    return this.#statement(upsertStatement(table, `VALUES (${table.columns.map(() => '?').join(', ')})`));
  }

  #statement(sql: string): Statement {
    const prepared = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
