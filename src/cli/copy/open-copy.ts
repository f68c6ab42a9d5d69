// A copy of the fleet in SQLite, which `fleet sync` keeps: asked in SQL, and never changed.
import { statSync } from 'node:fs';
import type { Context } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { runSql, type SqlRows } from './sql-process.js';

type CopyRow = Readonly<Record<string, unknown>>;

/**
 * Returns the rows of each statement, at most `mostRows` of each. Default: all rows.
 * @throws CliError USAGE with the message of SQLite or for too much memory, TIMEOUT, ABORTED
 */
export type CopyQuery = (
  statements: readonly string[],
  signal: AbortSignal,
  mostRows?: number,
) => Promise<readonly (readonly CopyRow[])[]>;

const TIMEOUT_MS = 10_000;
const MEMORY_MB = 256;

/** Reads until when all of it is in the copy, and each part: the oldest part decides. */
export const freshness = `SELECT min(complete_until) AS until,
  group_concat(part || ' until ' || complete_until, ', ') AS parts FROM sync_parts`;

/** Reads the file once, so that the server does not start with one that is no copy. @throws CliError USAGE */
export async function openCopy({ io }: Context, path: string): Promise<CopyQuery> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw refusal(`--copy ${path} is not a file.`, { hint: 'Make a copy with `fleet sync fleet.db` first.' });
  }
  // One process at a time: the limit of memory holds for all calls together.
  let last: Promise<unknown> = Promise.resolve();
  const query: CopyQuery = async (statements, signal, mostRows = -1) => {
    const question = { path, statements, mostRows, memoryMb: MEMORY_MB };
    const found = last.then(() => runSql(question, { signal, timeoutMs: TIMEOUT_MS }));
    last = found.catch(() => undefined);
    return (await found).map(rowsOf);
  };
  try {
    await query([freshness], io.signal);
    return query;
  } catch (error) {
    if (!(error instanceof CliError && error.code === 'USAGE')) throw error;
    throw refusal(`--copy ${path} is not a copy of a fleet in SQLite.`, {
      details: [error.problem],
      hint: 'Make one with `fleet sync fleet.db`.',
    });
  }
}

function rowsOf({ columns, rows }: SqlRows): readonly CopyRow[] {
  return rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null])));
}
