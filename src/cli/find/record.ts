// Finds named records, or their ids, in the lists of the service.
import { joinTrees, pick, type SelectionTree } from '../../contract/selection/tree.js';
import type { FleetClient } from '../../index.js';
import { allowPartial, partialAnswerOf } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import type { ReportingRun } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { isNotFound } from '../errors/exit-codes.js';
import { looksLikeId } from '../parse/user-selector.js';
import { type RecordKind, recordId, rowsIn } from '../records/record-kind.js';
import { findEachIn, notFound, requireId, requireIds, singleMatch } from './choose-record.js';

interface FindOptions {
  /** Accept a part of a name, with a warning. */
  readonly substring: boolean;
  readonly select?: SelectionTree | undefined;
}

/** Returns the named record. Throws CliError NOT_FOUND or AMBIGUOUS_NAME. */
export async function findRecord<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  name: string,
  { substring, select }: FindOptions,
): Promise<Row> {
  const query = requireName(kind, name);
  if (looksLikeId(query) && kind.byId !== null) return readById(run, client, kind, query, select);
  const { byId } = kind;
  if (byId !== null) {
    // Reads the names, then the record: the whole list may be large, and parts of it may fail.
    const named = singleMatch(run, kind, await listAll(run, client, kind, kind.identity), query, substring);
    return readById(run, client, kind, requireId(kind, named), select);
  }
  const rows = await listAll(run, client, kind, select ? joinTrees(select, kind.identity) : undefined);
  const row = singleMatch(run, kind, rows, query, substring);
  return select ? (pick(row, select) as Row) : row;
}

/** Returns the named records in order, each once, or all without names. Sends one request. */
export async function findRecords<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  names: readonly string[],
  { select }: { readonly select?: SelectionTree | undefined },
): Promise<readonly Row[]> {
  const queries = names.map((name) => requireName(kind, name));
  const rows = await listAll(run, client, kind, select ? joinTrees(select, kind.identity) : undefined);
  if (queries.length === 0) return rows;
  const byId = new Map(rows.map((row) => [recordId(row), row]));
  const ids = new Set(requireIds(findEachIn(run, kind, rows, queries, true)));
  return [...ids].map((id) => {
    const row = byId.get(id);
    if (row !== undefined) return row;
    throw notFound(kind, `There is no ${kind.noun} with the id ${id}.`);
  });
}

/** Returns the id. An id needs no request, a name is looked up in the list. */
export async function findId<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  name: string,
  { substring }: { readonly substring: boolean },
): Promise<string> {
  const query = requireName(kind, name);
  if (looksLikeId(query)) return query;
  const rows = await listAll(run, client, kind, kind.identity);
  return requireId(kind, singleMatch(run, kind, rows, query, substring));
}

/** Returns ids, or errors for unknown names, with at most one request. */
async function findEach<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  names: readonly string[],
  { substring }: { readonly substring: boolean },
): Promise<readonly (string | CliError)[]> {
  const queries = names.map((name) => name.trim());
  if (queries.every(looksLikeId)) return queries;
  const rows = await listAll(run, client, kind, kind.identity);
  return findEachIn(run, kind, rows, queries, substring);
}

/** Above this number of ids, the list is read. */
const MAX_READ_BY_ID = 50;

/** Returns ids, or errors for unknown names, and the records read. Names must be complete. */
export async function findEachRecord<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  names: readonly string[],
  select: SelectionTree,
): Promise<{ readonly ids: readonly (string | CliError)[]; readonly rows: readonly Row[]; readonly isWhole: boolean }> {
  const queries = names.map((name) => name.trim());
  if (kind.byId !== null && queries.every(looksLikeId) && queries.length <= MAX_READ_BY_ID) {
    const read = queries.map((id) => readById(run, client, kind, id, select).catch(orNull));
    return { ids: queries, rows: (await Promise.all(read)).filter((row) => row !== null), isWhole: true };
  }
  const { value, isWhole } = await partialAnswerOf(run, (options) =>
    call(client, kind.list, {}, { ...options, select: kind.within ? kind.identity : select }),
  );
  const rows = rowsIn(kind, value);
  return { ids: findEachIn(run, kind, rows, queries, false), rows, isWhole };
}

function orNull(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}

/** Returns ids. Accepts parts of names, for commands that read. */
export async function findIds<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  names: readonly string[],
): Promise<readonly string[]> {
  return requireIds(await findEach(run, client, kind, names, { substring: true }));
}

async function listAll<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  select: SelectionTree | undefined,
): Promise<readonly Row[]> {
  return rowsIn(kind, await allowPartial(run, (options) => call(client, kind.list, {}, { ...options, select })));
}

async function readById<Row extends object>(
  run: ReportingRun,
  client: FleetClient,
  kind: RecordKind<Row>,
  id: string,
  select: SelectionTree | undefined,
): Promise<Row> {
  const { byId } = kind;
  try {
    const row =
      byId === null
        ? null
        : // Operations by id have one variable, id.
          await allowPartial(run, (options) => call(client, byId, { id } as never, { ...options, select }));
    // Safe cast: the Row of a kind is the result of its operation by id.
    if (row !== null) return row as unknown as Row;
  } catch (error) {
    // Some services answer an unknown id with null, others with an error.
    if (!isNotFound(error)) throw error;
  }
  throw notFound(kind, `There is no ${kind.noun} with the id ${id}.`);
}

/** Refuses an empty name, usually from an empty variable of a script. */
function requireName(kind: Pick<RecordKind<never>, 'noun'>, text: string): string {
  const name = text.trim();
  if (name !== '') return name;
  throw new CliError('USAGE', `The name of the ${kind.noun} is empty.`, { hint: 'Give an id or a name.' });
}
