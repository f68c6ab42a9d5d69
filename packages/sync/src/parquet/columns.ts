// The columns of a table as Parquet has them, and cells in both directions.

import type { SchemaElement } from 'hyparquet';
import type { ColumnSource } from 'hyparquet-writer';
import type { Cell, Row } from '../rows.js';
import type { Column, Table } from '../tables.js';

type Values = ColumnSource['data'];

/** Every column may be null: the older files of a copy do not have the newer columns. */
const shared = { repetition_type: 'OPTIONAL' } as const;
const text = { ...shared, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

const elements: Readonly<Record<Column['type'], Omit<SchemaElement, 'name'>>> = {
  text,
  json: { ...shared, type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
  integer: { ...shared, type: 'INT64' },
  real: { ...shared, type: 'DOUBLE' },
  boolean: { ...shared, type: 'BOOLEAN' },
  time: {
    ...{ ...shared, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  day: { ...shared, type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  // In microseconds, so that the reader tells them from times: it has a parser for each unit.
  local: { ...shared, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
};

/** The schema of a file of this table. */
export function schemaOf({ name, columns }: Table): SchemaElement[] {
  return [
    { name, num_children: columns.length },
    ...columns.map((column) => ({ name: column.name, ...elements[column.type] })),
  ];
}

/** The same for the time while rows are written: the writer would turn JSON, which is text here, into JSON once more. */
export function writtenSchemaOf({ name, columns }: Table): SchemaElement[] {
  return schemaOf({
    ...{ name, about: '', key: [] },
    columns: columns.map((column) => (column.type === 'json' ? { ...column, type: 'text' } : column)),
  });
}

/** Rows as columns, for the writer. */
export function columnSourcesOf({ columns }: Table, rows: readonly Row[]): ColumnSource[] {
  return columns.map(({ name, type }, at) => ({
    name,
    data: valuesOf(
      type,
      rows.map((row) => row[at] ?? null),
    ),
    // The least and the greatest of JSON texts help nobody, and they may be long.
    statistics: type !== 'json',
  }));
}

function valuesOf(type: Column['type'], cells: readonly Cell[]): Values {
  switch (type) {
    case 'time':
      return cells.map((cell) => (cell === null ? null : BigInt(Date.parse(String(cell)))));
    case 'day':
      return cells.map((cell) => (cell === null ? null : new Date(String(cell))));
    case 'local':
      return cells.map((cell) => (cell === null ? null : BigInt(Date.parse(`${cell}Z`)) * 1000n));
    case 'integer':
      return cells.map((cell) => (cell === null ? null : BigInt(Number(cell))));
    default:
      return [...cells];
  }
}

/** How the reader makes cells of what is no cell by itself. */
export const parsers = {
  timestampFromMilliseconds: (ms: bigint | null | undefined) =>
    ms === null || ms === undefined ? null : new Date(Number(ms)).toISOString(),
  timestampFromMicroseconds: (microseconds: bigint | null | undefined) =>
    microseconds === null || microseconds === undefined ? null : localText(Number(microseconds / 1000n)),
  dateFromDays: (days: number | null | undefined) =>
    days === null || days === undefined ? null : localText(days * 86_400_000).slice(0, 10),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
};

function localText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

const decoder = new TextDecoder();

/** A value that the reader or a file's statistics give, as a cell. */
export function cellOf(value: unknown): Cell {
  switch (typeof value) {
    case 'bigint':
      return Number(value);
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    default:
      return value instanceof Date ? value.toISOString() : null;
  }
}
