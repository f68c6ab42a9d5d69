// Inserts many rows with one parameter: a list of lists as JSON. Measured with snapshots, an array
// for each column takes twice the time here and a third more at the server. COPY into a temporary
// table takes twice as much again. Errors here are those of an ordinary statement.
import { columnType, upsertStatement } from '../ddl.js';
import type { Cell, Row } from '../rows.js';
import type { Table } from '../tables.js';
import type { PostgresSession } from './session.js';

/** Keeps the list far below 256 MiB, the server's limit for JSON, even with large GeoJSON. */
const ROWS_AT_ONCE = 500;

/**
 * Inserts rows or replaces those with the same key. Equal rows and columns of users stay as they
 * are.
 * @returns The number of rows written.
 */
export async function insertRows(session: PostgresSession, table: Table, rows: readonly Row[]): Promise<number> {
  const cells = table.columns.map(({ type }, index) => `(cells ->> ${index})::${columnType('postgres', type)}`);
  const source = `SELECT ${cells.join(', ')} FROM jsonb_array_elements($1::text::jsonb) AS cells`;
  const statement = upsertStatement(table, source);
  const distinct = withoutRepeats(table, rows);
  let written = 0;
  for (let at = 0; at < distinct.length; at += ROWS_AT_ONCE) {
    written += await session.change(statement, [JSON.stringify(distinct.slice(at, at + ROWS_AT_ONCE))]);
  }
  return written;
}

/** Keeps the last row of each key: one statement cannot write a row twice. */
function withoutRepeats({ columns, key }: Table, rows: readonly Row[]): readonly Row[] {
  const at = columns.flatMap(({ name }, index) => (key.includes(name) ? [index] : []));
  return [...new Map(rows.map((row) => [JSON.stringify(at.map((index) => row[index])), row])).values()];
}

/** Returns the text of a PostgreSQL array. */
export function arrayOf(cells: readonly Cell[]): string {
  return `{${cells.map(elementOf).join(',')}}`;
}

/** Returns one element for the text of a PostgreSQL array. */
function elementOf(cell: Cell): string {
  if (cell === null) return 'NULL';
  return typeof cell === 'string' ? `"${cell.replace(/["\\]/g, '\\$&')}"` : String(cell);
}
