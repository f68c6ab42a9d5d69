// Opens SQLite: that of Node, if it has one (22.13 and newer), else SQLite as WebAssembly.

import { SyncTargetError } from 'fleet-telematics/kit';
import type { Cell } from '../rows.js';
import { withFileSystem } from './wasm-file-system.js';

export interface Statement {
  /** Returns the number of changed rows. */
  run(cells: readonly Cell[]): number;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** Runs the work, or rolls it back when it throws. */
  transaction(work: () => void): void;
  all(sql: string, cells?: readonly Cell[]): readonly (readonly Cell[])[];
  close(): void;
}

export type OpenDatabase = (path: string, options: { readonly readOnly: boolean }) => Database;

export interface Sqlite {
  readonly open: OpenDatabase;
  /** True for file locks that other programs respect. */
  readonly hasSystemLocks: boolean;
}

/**
 * Page size of new files. In a table without a rowid, the default page of 4 KiB has no room for two
 * rows of a thousand bytes. Most snapshots took a second page, and a copy was twice as large.
 */
const PAGE_BYTES = 8192;
/** SQLite's own wait for a lock, which blocks the process; lock-wait.ts waits longer. */
const BUSY_MS = 1000;

/** The used part of `node:sqlite`, which the types of Node 20 do not have. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => NodeDatabase;
}
interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...cells: InputCell[]): { readonly changes: number | bigint };
    all(...cells: InputCell[]): object[];
  };
  close(): void;
}

/** Loads SQLite, by default that of Node if there is one. `of` is for tests. */
export async function loadSqlite(of: 'node' | 'wasm' | 'either' = 'either'): Promise<Sqlite> {
  const own = of === 'wasm' ? undefined : nodeSqlite();
  if (own !== undefined) return { open: (path, options) => openWithNode(own, path, options), hasSystemLocks: true };
  if (of === 'node') throw new RangeError(`Node ${process.version} has no SQLite.`);
  const { default: wasm } = await import('node-sqlite3-wasm').catch((error: unknown) => {
    throw new SyncTargetError(
      'FAILED',
      'SQLite as WebAssembly, the package node-sqlite3-wasm, could not be loaded.',
      'If this program is a bundle, leave node-sqlite3-wasm out of it (esbuild: --external:node-sqlite3-wasm) and install it beside the bundle, or run it with Node 22.13 or newer.',
      error,
    );
  });
  return { open: (path, options) => openWithWasm(wasm.Database, path, options), hasSystemLocks: false };
}

/** Loads SQLite of Node, without the warning that it is experimental: users cannot change that. */
function nodeSqlite(): NodeSqlite | undefined {
  if (typeof process.getBuiltinModule !== 'function') return undefined;
  const { emitWarning } = process;
  try {
    process.emitWarning = () => undefined;
    // Undefined where Node has no SQLite.
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

type InputCell = string | number | null;

function plain(cell: Cell): InputCell {
  return typeof cell === 'boolean' ? Number(cell) : cell;
}

function openWithNode(
  { DatabaseSync }: NodeSqlite,
  path: string,
  { readOnly }: { readonly readOnly: boolean },
): Database {
  const database = new DatabaseSync(path, { readOnly });
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  if (!readOnly) database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return { run: (cells) => Number(statement.run(...cells.map(plain)).changes) };
    },
    transaction: (work) => transaction((sql) => database.exec(sql), work),
    all: (sql, cells = []) =>
      database
        .prepare(sql)
        .all(...cells.map(plain))
        .map(cellsOf),
    close: () => database.close(),
  };
}

type WasmDatabase = import('node-sqlite3-wasm').Database;

function openWithWasm(
  Wasm: new (path: string, options: { readonly fileMustExist: boolean; readonly readOnly: boolean }) => WasmDatabase,
  path: string,
  { readOnly }: { readonly readOnly: boolean },
): Database {
  const database = withFileSystem(() => new Wasm(path, { fileMustExist: readOnly, readOnly }));
  const exec = (sql: string) => withFileSystem(() => database.exec(sql));
  exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  if (!readOnly) exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  return {
    exec,
    prepare(sql) {
      const statement = database.prepare(sql);
      return { run: (cells) => statement.run(cells.map(plain)).changes };
    },
    transaction: (work) => withFileSystem(() => transaction(exec, work)),
    all: (sql, cells = []) => withFileSystem(() => database.all(sql, cells.map(plain)).map(cellsOf)),
    // Closes its statements too.
    close: () => database.close(),
  };
}

function transaction(exec: (sql: string) => void, work: () => void): void {
  exec('BEGIN IMMEDIATE');
  try {
    work();
    exec('COMMIT');
  } catch (error) {
    try {
      exec('ROLLBACK');
    } catch {
      // SQLite has rolled back already, for example when the disk is full.
    }
    throw error;
  }
}

function cellsOf(row: object): readonly Cell[] {
  // A copy has texts and numbers. Integers that are too large for a number become texts.
  return Object.values(row).map((value: unknown) =>
    typeof value === 'string' || typeof value === 'number' || value === null ? value : String(value),
  );
}
