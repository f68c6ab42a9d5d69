// Makes rows of records: one cell per column of the table, in the order of its columns. A value in another form than its column's is read as
// telemetry/readings.ts reads it; what nobody can read is told, and stays in the JSON column.
import { isObject, readFlag, readNumber, timestampMs, valueAtPath } from 'fleet-telematics/kit';
import { otherSpellingsIn } from './driver-token.js';
import { isWithinDepth, jsonText, storableText, withinDepth } from './json.js';
import { type Column, partTables, type Table, tableOf } from './tables.js';

/** A value as a database gets it. Times are RFC 3339 in UTC with milliseconds; JSON is text. */
export type Cell = string | number | boolean | null;
export type Row = readonly Cell[];

/** What could not be taken into a row. */
export interface RowRemarks {
  /** The value of this column cannot be read, or does not fit: the cell is null. */
  unreadable(table: Table, column: Column): void;
  /** A value of the record is nested too deeply: what is deeper is left out. */
  tooDeep(record: object): void;
  /** Items of the record's lists are in no table of parts: they have no key, or the key of another one. */
  lostParts(record: object): void;
}

const noRemarks: RowRemarks = { unreadable: () => undefined, tooDeep: () => undefined, lostParts: () => undefined };

/**
 * The most characters of a text in a key or an index. PostgreSQL refuses an index entry of more than 2704 bytes: this is room for two such
 * texts of three bytes per character.
 */
export const MAX_KEY_LENGTH = 400;

type Read = (record: object, parent: object | null) => Cell | undefined;

interface TableReader {
  /** In the order of the columns. Undefined: there is a value, and it cannot be read. */
  readonly reads: readonly Read[];
  /** The members that have a column, as paths. */
  readonly used: readonly string[];
  /** The same by group. */
  readonly members: Members;
  /** The place of the column `rest`; -1 without it. */
  readonly restAt: number;
}

const readers = new Map<string, TableReader>();

/** A row of the record. `filled` gives the cells of columns that are not read from it. */
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
    const given = filled[column.name];
    if (given !== undefined) return given;
    const cell = reads[index]?.(record, parent);
    if (cell !== undefined) return cell;
    unread.push(column.from ?? '');
    // A row without its key is not stored, which its reader tells.
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

/** The rows of the tables of parts of a record. A part without a key is left out; of those with the same key the last one is taken. */
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
      const known = key === null ? null : found.get(key);
      if (key !== null) found.set(key, row);
      if (key === null || (known && JSON.stringify(known) !== JSON.stringify(row))) isComplete = false;
    }
    return { table: table.name, rows: [...found.values()] };
  });
  if (!isComplete) remarks.lostParts(record);
  return made;
}

/** Text that tells the row from others of its table; null when a cell of its key is missing. */
export function rowKeyOf({ columns, key }: Table, row: Row): string | null {
  const cells = columns.flatMap(({ name }, index) => (key.includes(name) ? [row[index] ?? null] : []));
  return cells.includes(null) ? null : JSON.stringify(cells);
}

function readerOf(table: Table): TableReader {
  const known = readers.get(table.name);
  if (known) return known;
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

/** As valueAtPath, in a third of the time for nearly all columns. No column is named like a member that every object has. */
function valueReader(path: readonly string[]): (record: object | null) => unknown {
  const [name = '', member] = path;
  if (path.length > 2) return (record) => valueAtPath(record, path);
  if (member === undefined) return (record) => (record as Values | null)?.[name] ?? null;
  return (record) => {
    const group = (record as Values | null)?.[name];
    return isObject(group) ? (group[member] ?? null) : valueAtPath(record, path);
  };
}

/** How the value of a column is read: null when it says that there is none, undefined when it cannot be read. */
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

/** A snapshot has nearly always the same time twice. */
let lastTime: { readonly value: string | number; readonly text: string | null } | null = null;

export function timeText(value: string | number): string | null {
  if (lastTime?.value === value) return lastTime.text;
  const ms = timestampMs(value);
  // Databases store the years 1 to 9999.
  const isStorable = ms !== null && ms >= -62_135_596_800_000 && ms <= 253_402_300_799_999;
  lastTime = { value, text: isStorable ? new Date(ms).toISOString() : null };
  return lastTime.text;
}

/** Names of members by the group that they are in; those of the record itself are in ''. */
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

/** The values that have no column, in their groups. Of the hundreds of members of a snapshot most are null. */
function restOf(record: object, used: Members): Values {
  const rest: Values = {};
  const own = used.get('') ?? NO_NAMES;
  const implied = otherSpellingsIn(record);
  // An object of JSON has its own members only, and no other loop is as fast.
  for (const name in record) {
    const value = (record as Values)[name];
    if (value === null || value === undefined || own.has(name)) continue;
    if (typeof value !== 'object' || Array.isArray(value)) setMember(rest, name, value);
    else {
      const group = groupRest(value, used.get(name) ?? NO_NAMES, name === 'driver' ? implied : NO_NAMES);
      if (group !== null) setMember(rest, name, group);
    }
  }
  return rest;
}

/** Null when nothing is left of the group. */
function groupRest(group: object, used: ReadonlySet<string>, implied: ReadonlySet<string>): Values | null {
  let rest: Values | null = null;
  for (const name in group) {
    const value = (group as Values)[name];
    if (value === null || value === undefined || used.has(name) || implied.has(name)) continue;
    rest ??= {};
    setMember(rest, name, value);
  }
  return rest;
}

function setMember(values: Values, name: string, value: unknown): void {
  if (name !== '__proto__') values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}
