// Opens a copy in SQLite that `fleet sync` maintains, for read-only SQL.
import { statSync } from 'node:fs';
import type { FleetClient } from 'fleet-telematics';
import type { Context } from 'fleet-telematics/kit/command';
import { CliError, refusal } from 'fleet-telematics/kit/command';
import { type CopyQuery, type CopyRow, runSql, type SqlRows } from './sql-process.js';
import { TripsOfCopy } from './trips-of-copy.js';

export interface FleetCopy {
  readonly query: CopyQuery;
  /** SQL for the time until which the copy is complete (that of its oldest part), and each part. */
  readonly freshness: string;
  readonly trips: (context: Context, client: FleetClient) => TripsOfCopy;
}

const TIMEOUT_MS = 10_000;
const MEMORY_MB = 256;

const freshness = `SELECT min(complete_until) AS until,
  group_concat(part || ' until ' || complete_until, ', ') AS parts FROM sync_parts`;

/**
 * Opens a copy. Runs a query at once, so that the server does not start on a file that is no copy.
 * @throws CliError USAGE
 */
export async function openCopy({ io }: Context, path: string): Promise<FleetCopy> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw refusal(`--copy ${path} is not a file.`, { hint: 'Make a copy with `fleet sync fleet.db` first.' });
  }
  // One process at a time, because the memory limit applies to all calls together.
  let last: Promise<unknown> = Promise.resolve();
  const query: CopyQuery = async (statements, signal, mostRows = -1) => {
    const question = { path, statements, mostRows, memoryMb: MEMORY_MB };
    const found = last.then(() => runSql(question, { signal, timeoutMs: TIMEOUT_MS }));
    last = found.catch(() => undefined);
    return (await found).map(rowsOf);
  };
  try {
    await query([freshness], io.signal);
    return { query, freshness, trips: (context, client) => new TripsOfCopy(context, client, query) };
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
