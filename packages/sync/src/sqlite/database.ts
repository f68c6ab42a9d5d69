// SQLite as the target needs it: that of Node where it has one (22.13 and newer), otherwise SQLite as WebAssembly.

import { SyncTargetError } from 'fleet-telematics/kit';
import type { Cell } from '../rows.js';
import { withFileSystem } from './wasm-file-system.js';

export interface Statement {
  /** How many rows it has changed. */
  run(cells: readonly Cell[]): number;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** All of the work, or nothing of it when it throws. */
  transaction(work: () => void): void;
  all(sql: string, cells?: readonly Cell[]): readonly (readonly Cell[])[];
  close(): void;
}

export type OpenDatabase = (path: string, options: { readonly readOnly: boolean }) => Database;

export interface Sqlite {
  readonly open: OpenDatabase;
  /** Whether it takes locks of the system on the file, which other programs respect. */
  readonly hasSystemLocks: boolean;
}

/**
 * The page size of a new file; others keep theirs. In a table without a rowid, a page of the default size, 4 KiB, has no room for two rows of a thousand
 * bytes: most snapshots took a second page for their rest, and a copy was twice as large.
 */
const PAGE_BYTES = 8192;
/** How long SQLite itself waits for a lock, in which nothing else of the process runs; lock-wait.ts waits longer. */
const BUSY_MS = 1000;

/** The part of `node:sqlite` that is used; the types of Node 20 do not have it. */
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

/** `of` is for tests; the default is that of Node if there is one. */
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

/** Loads it without the warning that it is experimental: users cannot do anything about it, and tests watch what it does here. */
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
      // SQLite has rolled back already, as it does when there is no space left.
    }
    throw error;
  }
}

function cellsOf(row: object): readonly Cell[] {
  // Columns of a copy hold texts and numbers; an integer that is too large for a number is none of them.
  return Object.values(row).map((value: unknown) =>
    typeof value === 'string' || typeof value === 'number' || value === null ? value : String(value),
  );
}
