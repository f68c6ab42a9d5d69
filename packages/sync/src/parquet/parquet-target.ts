// Keeps a copy as Parquet files. Other programs can read it at any time: files are replaced whole.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Lease } from 'fleet-telematics/kit';
import { makeFolder, syncFolder } from 'fleet-telematics/kit';
import { CURSOR_TABLE, cursorRow, readCursors } from '../cursors.js';
import type { Cell, Row } from '../rows.js';
import { newestVersion, parseVersion } from '../schema-version.js';
import { takeSyncLock } from '../sync-lock.js';
import { columnIndex, tableOf } from '../tables.js';
import {
  type Batch,
  type Cursor,
  noRows,
  type OpenTarget,
  type RowFilter,
  type RowsWritten,
  type SyncTarget,
  sumOf,
} from '../target.js';
import { type CopyFolder, copyFolder } from './copy-folder.js';
import { CopyFiles } from './files.js';
import { isParquetCopy, OWN_FOLDER } from './layout.js';
import { Manifest } from './manifest.js';
import { mergedRows, orderBy } from './merge.js';
import { parquetError } from './parquet-error.js';
import { Pending } from './pending.js';
import { publish } from './publish.js';
import { stageRows, stageStep } from './stage-steps.js';
import type { RowSelection } from './table-file.js';

/** Settings for tests. */
export interface ParquetParts {
  /** Runs when a batch is half written, and before each file is replaced. */
  readonly beforeCommit?: (() => void) | undefined;
  /** Journal size at which the files are updated during a sync. */
  readonly journalBytes?: number | undefined;
}

/** Some 15 million snapshots, which take as much disk space as in the files. */
const JOURNAL_BYTES = 1024 ** 3;

/**
 * Keeps a copy in Parquet files, for DuckDB, pandas and others. The folder has a file for each
 * table, and for each day of trips and snapshots. It is created when it does not exist, readable by
 * its owner alone. During a sync, readers see the state of the previous sync; at its end, the files
 * are replaced one after the other.
 *
 * @param folder Path of the folder, for example `copy`.
 * @returns A target for `syncFleet`. Nothing is opened yet.
 */
export function parquetTarget(folder: string): SyncTarget {
  return parquetTargetOf(folder);
}

export function parquetTargetOf(folderPath: string, parts: ParquetParts = {}): SyncTarget {
  return {
    name: folderPath,
    async open() {
      const { path, exists } = copyFolder(folderPath, folderPath);
      let lease: Lease | null = null;
      try {
        if (!exists) mkdirSync(path, { mode: 0o700 });
        makeFolder(join(path, OWN_FOLDER));
        lease = await takeSyncLock(join(path, OWN_FOLDER, 'lock'), folderPath, 'another folder');
        const files = await filesOf({ path, exists });
        const manifest = Manifest.of(files);
        const open = new OpenParquet(files, folderPath, { parts, lease, manifest });
        await open.begin(manifest);
        return open;
      } catch (error) {
        lease?.release();
        throw parquetError(error, folderPath);
      }
    },
    async look() {
      const folder = copyFolder(folderPath, folderPath);
      if (!folder.exists || !isParquetCopy(folder.path)) return null;
      try {
        const open = new OpenParquet(await filesOf(folder), folderPath, null);
        if ((await open.version()) !== null) return open;
        await open.close();
        return null;
      } catch (error) {
        throw parquetError(error, folderPath);
      }
    },
  };
}

interface WriteResources {
  readonly parts: ParquetParts;
  readonly lease: Lease;
  readonly manifest: Manifest;
}

async function filesOf({ path }: CopyFolder): Promise<CopyFiles> {
  return new CopyFiles(path, await import('./hyparquet.js'));
}

class OpenParquet implements OpenTarget {
  readonly #files: CopyFiles;
  readonly #name: string;
  readonly #writeResources: WriteResources | null;
  /** Null while there is no journal. */
  #pending: Pending | null;

  /** Opens the copy for reading only when `writing` is null. */
  constructor(files: CopyFiles, name: string, writing: WriteResources | null) {
    this.#files = files;
    this.#name = name;
    this.#writeResources = writing;
    const readOnly = writing === null;
    this.#pending = readOnly && !existsSync(this.#journal) ? null : new Pending(this.#journal, { readOnly });
  }

  get #journal(): string {
    return join(this.#files.folder, OWN_FOLDER, 'journal');
  }

  /**
   * Returns the version of the tables; null for a folder without a sync.
   * @throws {SyncTargetError} NEWER
   */
  async version(): Promise<number | null> {
    const state = await this.read('sync_state', ['name', 'value']);
    const value = state.find(([name]) => name === 'schema_version')?.[1];
    if (value === undefined && state.length === 0) return null;
    return parseVersion(value, { name: this.#name, another: 'another folder' });
  }

  /**
   * Checks the files and stores the version. Older files stay: columns that they lack are null.
   * @throws {SyncTargetError} when a file is lost or changed.
   */
  async begin(manifest: Manifest): Promise<void> {
    const newest = newestVersion();
    try {
      manifest.check(this.#name, this.#files, this.#pending?.published ?? new Map());
      if ((await this.version()) === newest) return;
      await this.apply({
        steps: [{ kind: 'upsert', table: 'sync_state', rows: [['schema_version', String(newest)]] }],
        cursors: [],
      });
    } catch (error) {
      this.#files.dropCache();
      this.#pending?.close();
      throw error;
    }
  }

  cursors(): Promise<readonly Cursor[]> {
    return readCursors(this);
  }

  async read(
    name: string,
    selection: readonly string[],
    filter: RowFilter = {},
  ): Promise<readonly (readonly Cell[])[]> {
    const table = tableOf(name);
    const { key, period, references } = table;
    const at = (column: string) => columnIndex(table, column);
    const conditions = Object.entries(filter).map(([column, values]) => [at(column), new Set(values)] as const);
    const places = selection.map(at);
    const needed = [...selection, ...key, ...Object.keys(filter), period?.begins, period?.ends, references?.column];
    const own = { columns: new Set(needed.filter((column) => column !== undefined)), filter };
    const found: Row[] = [];
    try {
      for await (const row of this.#rows(name, own)) {
        if (conditions.every(([place, values]) => values.has(row[place] ?? null))) found.push(row);
      }
    } catch (error) {
      throw parquetError(error, this.#name);
    }
    if (period !== undefined) found.sort(orderBy(table, key));
    return found.map((row) => places.map((place) => row[place] ?? null));
  }

  async apply(batch: Batch): Promise<RowsWritten> {
    if (this.#writeResources === null) throw new TypeError('The copy is open for reading only.');
    const { beforeCommit, journalBytes = JOURNAL_BYTES } = this.#writeResources.parts;
    this.#pending ??= new Pending(this.#journal, { readOnly: false });
    try {
      let done = noRows;
      for (const step of batch.steps) done = sumOf(done, await stageStep(this.#files, this.#pending, step));
      stageRows(this.#pending, CURSOR_TABLE, batch.cursors.map(cursorRow));
      this.#pending.commit({ onHalf: beforeCommit });
      if (this.#pending.size > journalBytes) await this.#publish(this.#writeResources);
      return done;
    } catch (error) {
      this.#pending?.rollBack();
      throw parquetError(error, this.#name);
    }
  }

  async close(): Promise<void> {
    try {
      if (this.#writeResources !== null) await this.#publish(this.#writeResources);
    } catch (error) {
      throw parquetError(error, this.#name);
    } finally {
      this.#files.dropCache();
      this.#pending?.close();
      this.#writeResources?.lease.release();
    }
  }

  /** Writes pending changes to the files, and removes the journal. */
  async #publish({ parts, manifest }: WriteResources): Promise<void> {
    const pending = this.#pending;
    if (pending === null) return;
    await publish({ files: this.#files, pending, manifest }, { beforeReplace: parts.beforeCommit });
    this.#pending = null;
    pending.close();
    rmSync(this.#journal);
    syncFolder(join(this.#files.folder, OWN_FOLDER));
  }

  /** Yields the rows of a table with pending changes; of a file only the selected ones. */
  async *#rows(name: string, selection: RowSelection): AsyncGenerator<Row, void> {
    const table = tableOf(name);
    for (const day of new Set([...this.#files.days(table), ...(this.#pending?.days(table) ?? [])])) {
      const file = this.#files.open({ table, day });
      try {
        yield* mergedRows({ table, day }, file, this.#pending, selection);
      } finally {
        file?.close();
      }
    }
  }
}
