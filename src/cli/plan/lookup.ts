// Resolves the records of a change and reads their current state, in one request for all kinds.
import { joinTrees, type SelectionTree } from '../../contract/selection/tree.js';
import { FleetError } from '../../core/errors.js';
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { Report } from '../context/report.js';
import { CliError } from '../errors/cli-error.js';
import { notFound } from '../find/choose-record.js';
import { findEachRecord } from '../find/record.js';
import { looksLikeId } from '../parse/user-selector.js';
import type { RecordKind } from '../records/record-kind.js';
import { type CurrentRecord, currentRecord } from './plan-record.js';

export interface Found {
  /** The ids in the order of the texts; an error for an unknown or ambiguous text. */
  readonly ids: readonly (string | CliError)[];
  readonly records: ReadonlyMap<string, CurrentRecord>;
  /** True when a record missing here does not exist. */
  readonly isWhole: boolean;
}

/** Finds records by id or whole name. `select`: the members to read with the names. */
export async function lookUp(
  context: Context,
  client: FleetClient,
  kind: RecordKind<never>,
  texts: readonly string[],
  select: SelectionTree,
): Promise<Found> {
  const areIds = texts.every(looksLikeId);
  // Ids are sent even when their records cannot be read.
  const own = new Report();
  const run = areIds ? { ...context, report: own } : context;
  try {
    const { ids, rows, isWhole } = await findEachRecord(run, client, kind, texts, joinTrees(kind.identity, select));
    const records = rows.map((row) => currentRecord(kind, row)).filter(({ id }) => id !== '');
    return { ids, records: new Map(records.map((one) => [one.id, one])), isWhole };
  } catch (error) {
    if (!areIds || context.io.signal.aborted || !isOfService(error)) throw error;
    return { ids: texts, records: new Map(), isWhole: false };
  }
}

function isOfService(error: unknown): boolean {
  return (
    (error instanceof CliError || FleetError.is(error)) && ['GRAPHQL', 'PROTOCOL', 'NOT_FOUND'].includes(error.code)
  );
}

/** Returns the error when name and id are different records. An id resolves ambiguous names. */
export function otherRecord(
  id: unknown,
  named: unknown,
  { name, label = name }: { readonly name: string; readonly label: string | undefined },
): CliError | undefined {
  if (named === id) return undefined;
  const isOneOfThem = named instanceof CliError && named.choices?.some((choice) => choice.id === id);
  if (isOneOfThem === true && named instanceof CliError && named.code === 'AMBIGUOUS_NAME') return undefined;
  if (named instanceof CliError) return named;
  return new CliError('USAGE', `"${label}" and "${name}" are two different ${label}s.`, {
    hint: 'Correct one of them, or leave its cell empty.',
  });
}

export function noSuchId({ noun, listCommand }: RecordKind<never>, id: string): CliError {
  return notFound({ listCommand }, `There is no ${noun} with the id ${id}.`);
}
