// The files of a copy: one for each table, or one for each UTC day of a table of rows with a time.
// Hive, DuckDB and pandas understand the folders: `trips/utc_day=2026-03-01/trips.parquet`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../rows.js';
import { columnIndex, type Table } from '../tables.js';

/** The folder of internal files. Readers skip names with a dot, and it has no .parquet file. */
export const OWN_FOLDER = '.fleet-sync';

/** A file of every copy, even of one that was moved without its names with a dot. */
const STATE_FILE = 'sync_state.parquet';

/** Returns true when the path has a copy in Parquet files. */
export function isParquetCopy(path: string): boolean {
  return existsSync(join(path, OWN_FOLDER)) || existsSync(join(path, STATE_FILE));
}

/** The day of all rows of a table without days. */
export const NO_DAY = '';
/** The day of the file of an empty table: it shows the columns, and `utc_day` as a date. */
export const EMPTY_DAY = '1970-01-01';
/** Hive, DuckDB and pandas read it as null. */
const NULL_DAY = '__HIVE_DEFAULT_PARTITION__';
const DAY = 'utc_day=';

export interface TablePlace {
  readonly table: Table;
  readonly day: string;
}

/** Returns the day of a row, always the same for a key: ids of trips are made of their begin. */
export function dayOf(table: Table, row: Row): string {
  const { period } = table;
  if (period === undefined) return NO_DAY;
  const begin = row[columnIndex(table, period.begins)];
  return typeof begin === 'string' ? begin.slice(0, 10) : NULL_DAY;
}

/** Returns the path of a file below the folder of the copy, with slashes. */
export function fileOf({ table: { name, period }, day }: TablePlace): string {
  return period === undefined ? `${name}.parquet` : `${name}/${DAY}${day}/${name}.parquet`;
}

export function daysOf(folder: string, { name, period }: Table): readonly string[] {
  if (period === undefined) return existsSync(join(folder, `${name}.parquet`)) ? [NO_DAY] : [];
  if (!existsSync(join(folder, name))) return [];
  return readdirSync(join(folder, name))
    .filter((each) => each.startsWith(DAY) && existsSync(join(folder, name, each, `${name}.parquet`)))
    .map((each) => each.slice(DAY.length))
    .sort();
}

/** Returns true when a row that begins on this day can be within the days. */
export function isWithinDays(day: string, from: string, until: string): boolean {
  return day === NO_DAY || day === NULL_DAY || (day >= from.slice(0, 10) && day <= until.slice(0, 10));
}

/** Returns true when all rows of this day begin before a time, which is the begin of a day. */
export function isDayBefore(day: string, time: string): boolean {
  return day !== NO_DAY && day !== NULL_DAY && day < time.slice(0, 10);
}

/** The state of a file: its size, and a hash of its end, where Parquet has its metadata. */
export interface FileEnd {
  readonly bytes: number;
  readonly footer: string;
}

export interface FileState extends FileEnd {
  readonly rows: number;
}

/** States that files got since the manifest was written, by file; null for a removed file. */
export type PublishedStates = ReadonlyMap<string, readonly (FileState | null)[]>;
