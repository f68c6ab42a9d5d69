// Converts records to rows, with one cell per column of the table. Values in other forms are read
// as in telemetry/readings.ts. Unreadable ones are reported, and stay in the JSON column.
import { isObject, readFlag, readNumber, timestampMs, valueAtPath } from 'fleet-telematics/kit';
import { derivedSpellings } from './driver-token.js';
import { isWithinDepth, jsonText, storableText, withinDepth } from './json.js';
import { type Column, partTables, type Table, tableOf } from './tables.js';

/** A cell of a database. Times are RFC 3339 in UTC with milliseconds; JSON is text. */
export type Cell = string | number | boolean | null;
export type Row = readonly Cell[];

/** A listener for values that a row cannot hold. */
export interface RowRemarks {
  /** The value cannot be read or does not fit: the cell is null. */
  unreadable(table: Table, column: Column): void;
  /** A value is nested too deeply: deeper levels are left out. */
  tooDeep(record: object): void;
  /** Items of lists have no key, or that of another one: no table has them. */
  lostParts(record: object): void;
}

const noRemarks: RowRemarks = { unreadable: () => undefined, tooDeep: () => undefined, lostParts: () => undefined };

/**
 * Maximum length of a text in a key or an index. PostgreSQL limits an index entry to 2704 bytes:
 * two such texts of three bytes per character fit.
 */
export const MAX_KEY_LENGTH = 400;

type Read = (record: object, parent: object | null) => Cell | undefined;

interface TableReader {
  /** In column order. Undefined: the value is unreadable. */
  readonly reads: readonly Read[];
  /** Paths of members with a column. */
  readonly used: readonly string[];
  readonly members: Members;
  readonly restAt: number;
}

const readers = new Map<string, TableReader>();

/** Returns the row of a record. `filled` has the cells of columns that are not read from it. */
export function rowOf(
  name: string,
  record: object,
  filled: Readonly<Record<string, Cell>> = {},
  remarks: RowRemarks = noRemarks,
  parent: object | null = null,
): Row {
  const table = tableOf(name);
  const { reads, used, members, restAt } = readerOf(table);
  const unread: string[] = [];
  const row = table.columns.map((column, index): Cell => {
    const filledCell = filled[column.name];
    if (filledCell !== undefined) return filledCell;
    const cell = reads[index]?.(record, parent);
    if (cell !== undefined) return cell;
    unread.push(column.from ?? '');
    // The caller reports a row without its key, which is not stored.
    if (!table.key.includes(column.name)) remarks.unreadable(table, column);
    return null;
  });
  if (restAt >= 0) {
    const read = unread.length === 0 ? members : membersOf(used.filter((path) => !unread.includes(path)));
    row[restAt] = restText(restOf(record, read), () => remarks.tooDeep(record));
  }
  return row;
}

function restText(rest: object, onTooDeep: () => void): string | null {
  if (Object.keys(rest).length === 0) return null;
  const isStorable = isWithinDepth(rest);
  if (!isStorable) onTooDeep();
  return jsonText(isStorable ? rest : withinDepth(rest));
}

/** Returns the rows of parts. Parts without a key are skipped; of a key the last one counts. */
export function partRows(
  owner: string,
  record: object,
  remarks: RowRemarks = noRemarks,
): readonly { readonly table: string; readonly rows: readonly Row[] }[] {
  let isComplete = true;
  const made = partTables(owner).map((table) => {
    const { list = '', isOfIds = false } = table.partsOf ?? {};
    const items = valueAtPath(record, list.split('.')) ?? [];
    if (!Array.isArray(items)) isComplete = false;
    const found = new Map<string, Row>();
    for (const one of Array.isArray(items) ? items : []) {
      if (one === null) continue;
      const item: unknown = isOfIds ? { id: one } : one;
      const row = isObject(item) ? rowOf(table.name, item, { ordinal: found.size }, remarks, record) : [];
      const key = rowKeyOf(table, row);
      const earlier = key === null ? null : found.get(key);
      if (key !== null) found.set(key, row);
      if (key === null || (earlier && JSON.stringify(earlier) !== JSON.stringify(row))) isComplete = false;
    }
    return { table: table.name, rows: [...found.values()] };
  });
  if (!isComplete) remarks.lostParts(record);
  return made;
}

/** Returns a text that is unique in the table; null when a cell of the key is missing. */
export function rowKeyOf({ columns, key }: Table, row: Row): string | null {
  const cells = columns.flatMap(({ name }, index) => (key.includes(name) ? [row[index] ?? null] : []));
  return cells.includes(null) ? null : JSON.stringify(cells);
}

function readerOf(table: Table): TableReader {
  const cachedReader = readers.get(table.name);
  if (cachedReader) return cachedReader;
  const { columns, key, indexes = [] } = table;
  const indexed = new Set([...key, ...indexes.flat()]);
  const used = columns.flatMap(({ from }) => from ?? []);
  const made = {
    reads: columns.map((column) => readOf(column, indexed.has(column.name))),
    used,
    members: membersOf(used),
    restAt: columns.findIndex(({ name }) => name === 'rest'),
  };
  readers.set(table.name, made);
  return made;
}

function readOf(column: Column, isIndexed: boolean): Read {
  const { from } = column;
  if (from === undefined) return () => null;
  if (from === '') return (record) => jsonText(record);
  const path = from.split('.');
  const cellOf = column.type === 'text' && isIndexed ? keyText : cells[column.type];
  const ofParent = path[0] === 'parent';
  const valueIn = valueReader(ofParent ? path.slice(1) : path);
  return (record, parent) => {
    const value = valueIn(ofParent ? parent : record);
    return value === null ? null : cellOf(value);
  };
}

/**
 * Returns the result of valueAtPath in a third of the time for nearly all columns. No column has
 * the name of a member of Object.prototype.
 */
function valueReader(path: readonly string[]): (record: object | null) => unknown {
  const [name = '', member] = path;
  if (path.length > 2) return (record) => valueAtPath(record, path);
  if (member === undefined) return (record) => (record as Values | null)?.[name] ?? null;
  return (record) => {
    const group = (record as Values | null)?.[name];
    return isObject(group) ? (group[member] ?? null) : valueAtPath(record, path);
  };
}

/** Conversions by type. They return null for no value, undefined for an unreadable one. */
const cells: Readonly<Record<Column['type'], (value: unknown) => Cell | undefined>> = {
  text: textCell,
  real: readNumber,
  integer: (value) => {
    const number = readNumber(value);
    return typeof number === 'number' && !Number.isSafeInteger(number) ? undefined : number;
  },
  boolean: readFlag,
  time: (value) =>
    typeof value === 'string' || typeof value === 'number' ? (timeText(value) ?? undefined) : undefined,
  day: textCell,
  local: textCell,
  json: jsonCell,
};

function textCell(value: unknown): Cell | undefined {
  if (typeof value === 'string') return storableText(value);
  return value === null ? null : typeof value === 'object' ? jsonCell(value) : String(value);
}

function jsonCell(value: unknown): Cell | undefined {
  return isWithinDepth(value) ? jsonText(value) : undefined;
}

function keyText(value: unknown): Cell | undefined {
  const text = textCell(value);
  return String(text).length > MAX_KEY_LENGTH ? undefined : text;
}

/** Cached, because a snapshot nearly always has one time twice. */
let lastTime: { readonly value: string | number; readonly text: string | null } | null = null;

/** Returns the time as RFC 3339; null when it is invalid or no database can store it. */
export function timeText(value: string | number): string | null {
  if (lastTime?.value === value) return lastTime.text;
  const ms = timestampMs(value);
  // Databases store the years 1 to 9999.
  const isStorable = ms !== null && ms >= -62_135_596_800_000 && ms <= 253_402_300_799_999;
  lastTime = { value, text: isStorable ? new Date(ms).toISOString() : null };
  return lastTime.text;
}

/** Names of members by group; the group '' is the record itself. */
type Members = ReadonlyMap<string, ReadonlySet<string>>;

const NO_NAMES: ReadonlySet<string> = new Set();

function membersOf(paths: Iterable<string>): Members {
  const members = new Map<string, Set<string>>();
  for (const path of paths) {
    const at = path.indexOf('.');
    const group = at < 0 ? '' : path.slice(0, at);
    members.set(group, (members.get(group) ?? new Set()).add(path.slice(at + 1)));
  }
  return members;
}

type Values = Record<string, unknown>;

/** Returns the values without a column, by group. Most members of a snapshot are null. */
function restOf(record: object, used: Members): Values {
  const rest: Values = {};
  const own = used.get('') ?? NO_NAMES;
  const derived = derivedSpellings(record);
  // Parsed JSON has own members only, and no other loop is as fast.
  for (const name in record) {
    const value = (record as Values)[name];
    if (value === null || value === undefined || own.has(name)) continue;
    if (typeof value !== 'object' || Array.isArray(value)) setMember(rest, name, value);
    else {
      const group = groupRest(value, used.get(name) ?? NO_NAMES, name === 'driver' ? derived : NO_NAMES);
      if (group !== null) setMember(rest, name, group);
    }
  }
  return rest;
}

/** Returns null when nothing is left of the group. */
function groupRest(group: object, used: ReadonlySet<string>, derived: ReadonlySet<string>): Values | null {
  let rest: Values | null = null;
  for (const name in group) {
    const value = (group as Values)[name];
    if (value === null || value === undefined || used.has(name) || derived.has(name)) continue;
    rest ??= {};
    setMember(rest, name, value);
  }
  return rest;
}

function setMember(values: Values, name: string, value: unknown): void {
  if (name !== '__proto__') values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}
