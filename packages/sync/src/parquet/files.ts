// Reads the files of a copy. Recent row groups are cached: a batch's vehicles are often in one.
import { join } from 'node:path';
import { errorCode } from 'fleet-telematics/kit';
import type { Row } from '../rows.js';
import { ownTables, syncTables, type Table } from '../tables.js';
import { daysOf, fileOf, type TablePlace } from './layout.js';
import { ownerOf } from './pending.js';
import { type Hyparquet, TableFile } from './table-file.js';

/** Cached row groups, some 15 MB each. */
const CACHED_GROUPS = 3;

export class CopyFiles {
  readonly folder: string;
  readonly hyparquet: Hyparquet;
  #groups: { readonly file: string; readonly group: number; readonly rows: readonly Row[] }[] = [];
  readonly #open = new Map<string, TableFile>();
  readonly #days = new Map<string, readonly string[]>();

  constructor(folder: string, hyparquet: Hyparquet) {
    this.folder = folder;
    this.hyparquet = hyparquet;
  }

  days(table: Table): readonly string[] {
    const days = this.#days.get(table.name) ?? daysOf(this.folder, table);
    this.#days.set(table.name, days);
    return days;
  }

  places(): readonly TablePlace[] {
    return [...syncTables, ...ownTables].flatMap((table) => this.days(table).map((day) => ({ table, day })));
  }

  /** Opens the file of a place, which the caller closes; null when it does not exist. */
  open(place: TablePlace): TableFile | null {
    try {
      return new TableFile(this.hyparquet, join(this.folder, fileOf(place)), place.table);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async rowsOf(place: TablePlace, owner: string): Promise<readonly Row[]> {
    const file = this.#cachedFile(place);
    const { table } = place;
    if (file === null) return [];
    const column = table.period === undefined ? undefined : table.references?.column;
    const rows: Row[] = [];
    for (const group of file.groupsWith(column === undefined ? {} : { [column]: [owner] })) {
      for (const row of await this.#group(fileOf(place), file, group))
        if (ownerOf(table, row) === owner) rows.push(row);
    }
    return rows;
  }

  mayReach(place: TablePlace, column: string, least: string): boolean {
    return this.#cachedFile(place)?.mayReach(column, least) ?? false;
  }

  /** Drops the cache, before files are replaced and after the last read. */
  dropCache(): void {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
    this.#days.clear();
    this.#groups = [];
  }

  #cachedFile(place: TablePlace): TableFile | null {
    if (!this.days(place.table).includes(place.day)) return null;
    const name = fileOf(place);
    const file = this.#open.get(name) ?? this.open(place);
    if (file !== null) this.#open.set(name, file);
    return file;
  }

  async #group(name: string, file: TableFile, group: number): Promise<readonly Row[]> {
    const cached = this.#groups.find((one) => one.file === name && one.group === group);
    const found = cached ?? { file: name, group, rows: await file.rowsOf(group) };
    this.#groups = [found, ...this.#groups.filter((one) => one !== found)].slice(0, CACHED_GROUPS);
    return found.rows;
  }
}
