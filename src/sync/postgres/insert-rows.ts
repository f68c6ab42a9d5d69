// One INSERT for many rows: a parameter for each column, which is an array of its cells. Measured with snapshots, it writes twice as many rows
// in the same time as COPY into a temporary table and INSERT from there, and what the server refuses is the error of an ordinary statement.
import { columnType, upsertStatement } from '../ddl.js';
import type { Cell, Row } from '../rows.js';
import type { Table } from '../tables.js';
import type { PostgresSession } from './session.js';

/** Keeps each array far below the length of a text in Node. */
const ROWS_AT_ONCE = 1000;

/**
 * Inserts the rows; those with the same key are replaced, those that are the same are left alone. Columns that are not ours keep their values.
 * @returns How many rows were written.
 */
export async function insertRows(session: PostgresSession, table: Table, rows: readonly Row[]): Promise<number> {
  const arrays = table.columns.map(({ type }, index) => `$${index + 1}::${columnType('postgres', type)}[]`);
  const statement = upsertStatement(table, `SELECT * FROM unnest(${arrays.join(', ')})`);
  const distinct = withoutRepeats(table, rows);
  let written = 0;
  for (let at = 0; at < distinct.length; at += ROWS_AT_ONCE) {
    const some = distinct.slice(at, at + ROWS_AT_ONCE);
    written += await session.change(
      statement,
      table.columns.map((_, index) => arrayOf(some.map((row) => row[index] ?? null))),
    );
  }
  return written;
}

/** One statement cannot write a row twice: the last one counts, as when they are written one after the other. */
function withoutRepeats({ columns, key }: Table, rows: readonly Row[]): readonly Row[] {
  const at = columns.flatMap(({ name }, index) => (key.includes(name) ? [index] : []));
  return [...new Map(rows.map((row) => [JSON.stringify(at.map((index) => row[index])), row])).values()];
}

/** The text of an array of PostgreSQL. */
export function arrayOf(cells: readonly Cell[]): string {
  return `{${cells.map(elementOf).join(',')}}`;
}

function elementOf(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (typeof cell !== 'string') return String(cell);
  return cell.includes('"') || cell.includes('\\') ? `"${cell.replace(/["\\]/g, '\\$&')}"` : `"${cell}"`;
}
