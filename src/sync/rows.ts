// Makes rows of records: one cell per column of the table, in the order of its columns.
import { timestampMs } from '../telemetry/timestamps.js';
import { type Column, type ColumnType, partsOf, type Table, tableOf } from './tables.js';

/** A value as a database gets it. Times are RFC 3339 in UTC with milliseconds; JSON is text. */
export type Cell = string | number | boolean | null;
export type Row = readonly Cell[];

type Read = (record: object, parent: object | null) => Cell;

const readers = new Map<string, readonly Read[]>();

/** A row of the record. `filled` gives the cells of columns that are not read from it. */
export function rowOf(
  table: string,
  record: object,
  filled: Readonly<Record<string, Cell>> = {},
  parent: object | null = null,
): Row {
  const { columns } = tableOf(table);
  return readersOf(tableOf(table)).map((read, index) => {
    const name = columns[index]?.name ?? '';
    return Object.hasOwn(filled, name) ? (filled[name] ?? null) : read(record, parent);
  });
}

/** The rows of the tables of parts of a record. A part without a key is left out, as is a second one with the same key. */
export function partRows(
  owner: string,
  record: object,
): readonly { readonly table: string; readonly rows: readonly Row[] }[] {
  return partsOf(owner).map((table) => {
    const items = valueAt(record, (table.partsOf?.list ?? '').split('.'));
    const found = new Map<string, Row>();
    for (const item of Array.isArray(items) ? items : []) {
      if (typeof item !== 'object' || item === null) continue;
      const row = rowOf(table.name, item, {}, record);
      const key = table.columns.flatMap(({ name }, index) => (table.key.includes(name) ? [row[index] ?? null] : []));
      if (!key.includes(null)) found.set(JSON.stringify(key), row);
    }
    return { table: table.name, rows: [...found.values()] };
  });
}

function readersOf(table: Table): readonly Read[] {
  const known = readers.get(table.name);
  if (known) return known;
  const used = new Set(table.columns.map(({ from }) => from).filter((from) => from !== undefined));
  const made = table.columns.map((column) => reader(column, used));
  readers.set(table.name, made);
  return made;
}

function reader({ name, type, from }: Column, used: ReadonlySet<string>): Read {
  if (name === 'rest') return (record) => jsonText(restOf(record, used));
  if (from === undefined) return () => null;
  if (from === '') return (record) => jsonText(record);
  const path = from.split('.');
  if (path[0] === 'parent') return (_record, parent) => cellOf(type, valueAt(parent, path.slice(1)));
  return (record) => cellOf(type, valueAt(record, path));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, step);
  }
  return at;
}

/** Null for a value that does not fit the column: the record is not refused for it, and a JSON column still has it. */
function cellOf(type: ColumnType, value: unknown): Cell {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'text':
      return typeof value === 'string' ? cleanText(value) : typeof value === 'object' ? jsonText(value) : String(value);
    case 'real':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'time':
      return typeof value === 'string' || typeof value === 'number' ? timeText(value) : null;
    case 'json':
      return jsonText(value);
  }
}

export function timeText(value: string | number): string | null {
  const ms = timestampMs(value);
  // Databases store the years 1 to 9999.
  return ms === null || ms < -62_135_596_800_000 || ms > 253_402_300_799_999 ? null : new Date(ms).toISOString();
}

/** Databases refuse the character NUL and halves of characters, which JSON may hold. */
function cleanText(text: string): string {
  return text.replace(/[\p{Surrogate}\0]/gu, '\ufffd');
}

/** JSON that databases accept. */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_name, item: unknown) => (typeof item === 'string' ? cleanText(item) : item));
}

/** The record as a database gives it back. */
export function asStored(record: object): object {
  // JSON.parse returns an object for the text of an object.
  return JSON.parse(jsonText(record)) as object;
}

/** The values that have no column, in their groups. */
function restOf(record: object, used: ReadonlySet<string>, prefix = ''): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === null || value === undefined) continue;
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (used.has(path)) continue;
    if (prefix === '' && typeof value === 'object' && !Array.isArray(value)) {
      const group = restOf(value, used, path);
      if (Object.keys(group).length > 0) rest[name] = group;
    } else rest[name] = value;
  }
  return rest;
}
