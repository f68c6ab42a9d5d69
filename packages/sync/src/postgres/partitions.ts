// Creates and drops the monthly partitions of a table.
import { errorCode } from 'fleet-telematics/kit';
import type { Row } from '../rows.js';
import { columnIndex, type Table } from '../tables.js';
import { arrayOf } from './insert-rows.js';
import type { PostgresSession } from './session.js';

const DEPENDENTS = '2BP01';
/** The bit of `tgtype` for triggers on deletion: those of users, and of references to the table. */
const ON_DELETE = 8;

/** Creates the partitions of these rows, in the transaction that writes them. */
export async function makePartitions(session: PostgresSession, table: Table, rows: readonly Row[]): Promise<void> {
  const { name, period } = table;
  if (period === undefined) throw new RangeError(`The rows of ${name} have no period.`);
  const place = columnIndex(table, period.begins);
  const months = [...new Set(rows.map((row) => String(row[place]).slice(0, 'YYYY-MM'.length)))];
  const missing = await session.run(
    `SELECT month FROM unnest($1::text[]) AS month
     WHERE NOT EXISTS (
       SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = '${name}'::regclass AND relname = '${name}_' || replace(month, '-', '_'))`,
    [arrayOf(months)],
  );
  for (const [month] of missing) {
    const begin = `timestamp '${month}-01'`;
    await session.run(
      `CREATE TABLE ${name}_${String(month).replace('-', '_')} PARTITION OF ${name}
       FOR VALUES FROM (${begin} AT TIME ZONE 'UTC') TO ((${begin} + interval '1 month') AT TIME ZONE 'UTC')`,
    );
  }
}

/**
 * Drops the months before a time, unless a reference, a trigger or a view needs each row.
 * @returns The number of their rows.
 */
export async function dropPartitions(session: PostgresSession, { name }: Table, before: string): Promise<number> {
  const months = await session.run(
    `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = '${name}'::regclass AND relname ~ $1 AND relname < $2
       AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid IN (inhparent, inhrelid) AND tgtype & ${ON_DELETE} <> 0)
     ORDER BY relname`,
    [`^${name}_[0-9]{4}_[0-9]{2}$`, `${name}_${before.slice(0, 'YYYY-MM'.length).replace('-', '_')}`],
  );
  let rows = 0;
  for (const [month] of months) {
    const [[count] = []] = await session.run(`SELECT count(*)::double precision FROM ${month}`);
    if (await isDropped(session, String(month))) rows += Number(count);
  }
  return rows;
}

async function isDropped(session: PostgresSession, month: string): Promise<boolean> {
  await session.run('SAVEPOINT month');
  try {
    await session.run(`DROP TABLE ${month}`);
    return true;
  } catch (error) {
    if (errorCode(error) !== DEPENDENTS) throw error;
    await session.run('ROLLBACK TO SAVEPOINT month');
    return false;
  }
}
