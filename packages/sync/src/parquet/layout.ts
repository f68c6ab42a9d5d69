// Where the files of a copy are. One file for each table; tables of rows with a time have one for each day, in UTC, in folders that Hive,
// DuckDB and pandas understand: `trips/utc_day=2026-03-01/trips.parquet`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../rows.js';
import { columnIndex, type Table } from '../tables.js';

/** The folder of what is not for readers: it has no names that end in .parquet, and readers skip names that begin with a dot. */
export const OWN_FOLDER = '.fleet-sync';

/** What a copy always has, even when it came here without the names that begin with a dot. */
const STATE_FILE = 'sync_state.parquet';

/** Whether there is a copy in Parquet files. */
export function isParquetCopy(path: string): boolean {
  return existsSync(join(path, OWN_FOLDER)) || existsSync(join(path, STATE_FILE));
}

/** The day of all rows of a table without days. */
export const NO_DAY = '';
/** The day of the file of a table with days that has no rows: readers find its columns there, and `utc_day` as a date. */
export const EMPTY_DAY = '1970-01-01';
/** What Hive, DuckDB and pandas read as null. */
const NULL_DAY = '__HIVE_DEFAULT_PARTITION__';
const DAY = 'utc_day=';

/** A file with rows: a table, and the day of its rows. */
export interface TablePlace {
  readonly table: Table;
  readonly day: string;
}

/** A row with this key must always be in the same file: the id of a trip is made of its begin, and the key of a snapshot has its time. */
export function dayOf(table: Table, row: Row): string {
  const { period } = table;
  if (period === undefined) return NO_DAY;
  const begin = row[columnIndex(table, period.begins)];
  return typeof begin === 'string' ? begin.slice(0, 10) : NULL_DAY;
}

/** The file of a place, below the folder of the copy, with slashes. */
export function fileOf({ table: { name, period }, day }: TablePlace): string {
  return period === undefined ? `${name}.parquet` : `${name}/${DAY}${day}/${name}.parquet`;
}

/** The days of a table that have a file. */
export function daysOf(folder: string, { name, period }: Table): readonly string[] {
  if (period === undefined) return existsSync(join(folder, `${name}.parquet`)) ? [NO_DAY] : [];
  if (!existsSync(join(folder, name))) return [];
  return readdirSync(join(folder, name))
    .filter((each) => each.startsWith(DAY) && existsSync(join(folder, name, each, `${name}.parquet`)))
    .map((each) => each.slice(DAY.length))
    .sort();
}

/** Whether a row that begins on this day can be within days. */
export function isWithinDays(day: string, from: string, until: string): boolean {
  return day === NO_DAY || day === NULL_DAY || (day >= from.slice(0, 10) && day <= until.slice(0, 10));
}

/** Whether all rows that begin on this day do so before a time, which is the begin of a day. */
export function isDayBefore(day: string, time: string): boolean {
  return day !== NO_DAY && day !== NULL_DAY && day < time.slice(0, 10);
}

/** The state of a file: its size, and a hash of its end, where Parquet describes the rest. */
export interface FileEnd {
  readonly bytes: number;
  readonly footer: string;
}

export interface FileState extends FileEnd {
  readonly rows: number;
}

/** States that files were given since the manifest was written, by file; null for a file that was removed. */
export type PublishedStates = ReadonlyMap<string, readonly (FileState | null)[]>;
