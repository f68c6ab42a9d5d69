// Converts the columns and cells of tables to Parquet and back.

import type { SchemaElement } from 'hyparquet';
import type { ColumnSource } from 'hyparquet-writer';
import type { Cell, Row } from '../rows.js';
import type { Column, Table } from '../tables.js';

type Values = ColumnSource['data'];

/** Nullable, because older files of a copy do not have newer columns. */
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
  // In microseconds, unlike times: the reader has one parser for each unit.
  local: { ...shared, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
};

export function schemaOf({ name, columns }: Table): SchemaElement[] {
  return [
    { name, num_children: columns.length },
    ...columns.map((column) => ({ name: column.name, ...elements[column.type] })),
  ];
}

/** Returns the schema for writing, with JSON as text: the writer would encode it as JSON again. */
export function writtenSchemaOf({ name, columns }: Table): SchemaElement[] {
  return schemaOf({
    ...{ name, about: '', key: [] },
    columns: columns.map((column) => (column.type === 'json' ? { ...column, type: 'text' } : column)),
  });
}

export function columnSourcesOf({ columns }: Table, rows: readonly Row[]): ColumnSource[] {
  return columns.map(({ name, type }, at) => ({
    name,
    data: valuesOf(
      type,
      rows.map((row) => row[at] ?? null),
    ),
    // Bounds of JSON texts are useless, and they may be long.
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

/** Converts a value of the reader or of a file's statistics to a cell. */
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
