// Reads the present state of an entry's records, all kinds in one request.
import { joinTrees, type SelectionTree } from '../../../contract/selection/tree.js';
import { textsIn } from '../../../core/json.js';
import type { FleetClient } from '../../../index.js';
import { wholeOf } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import type { Context } from '../../context/context.js';
import { CliError } from '../../errors/cli-error.js';
import { idAfter, type JournaledRecord, type JournalStep } from '../../journal/entry.js';
import { lookUp } from '../../plan/lookup.js';
import { type CurrentRecord, currentRecord, selectionFor, wholeSelection } from '../../plan/plan-record.js';
import { editableKind } from '../../records/all-kinds.js';
import { groupKind } from '../../records/group.js';
import { personKind } from '../../records/person.js';
import { type EditableKind, recordId, rowsIn } from '../../records/record-kind.js';
import { vehicleKind } from '../../records/vehicle.js';
import { isMarkedDeleted } from '../../shape/deleted.js';

export type PresentRecord = CurrentRecord & { readonly id: string };

export interface PresentState {
  /** Null for a missing record. */
  find(noun: string, id: string): PresentRecord | null;
  /** Returns all records of a kind, if it was listed as a whole. */
  all(noun: string): readonly PresentRecord[];
}

interface RecordQuery {
  readonly ids: Set<string>;
  select: SelectionTree;
  /** Reads all records, to find one by name. */
  isWhole: boolean;
}

/** Reads the records of the steps. Throws CliError GRAPHQL when the answer is incomplete. */
export async function readPresent(
  context: Context,
  client: FleetClient,
  steps: readonly JournalStep[],
): Promise<PresentState> {
  const queries = queriesOf(steps);
  const recordsByKind = new Map(
    await Promise.all(
      [...queries].map(async ([kind, what]) => [kind.noun, await read(context, client, kind, what)] as const),
    ),
  );
  return {
    find: (noun, id) => recordsByKind.get(noun)?.find((one) => one.id === id) ?? null,
    all: (noun) => recordsByKind.get(noun) ?? [],
  };
}

function queriesOf(steps: readonly JournalStep[]): ReadonlyMap<EditableKind<never>, RecordQuery> {
  const queries = new Map<EditableKind<never>, RecordQuery>();
  const addQuery = (noun: string, ids: readonly string[], select: SelectionTree, isWhole: boolean) => {
    const kind = editableKind(noun);
    if (!kind) return;
    const one: RecordQuery = queries.get(kind) ?? { ids: new Set(), select: {}, isWhole: false };
    for (const id of ids) one.ids.add(id);
    one.select = joinTrees(one.select, select);
    one.isWhole ||= isWhole;
    queries.set(kind, one);
  };
  for (const step of steps) {
    for (const record of step.records) {
      const kind = editableKind(record.kind);
      if (!kind || record.action === 'keep') continue;
      const id = idAfter(record, step);
      const fields = new Set(record.changes.map(({ field }) => field.split('.')[0] ?? field));
      const isCreation = record.action === 'create';
      const select = record.action === 'delete' ? {} : selectionFor(kind, fields);
      // Deleting a record needs all its members, so that it can be restored.
      const own = isCreation ? joinTrees(select, wholeSelection(kind.type)) : select;
      addQuery(record.kind, id === null ? [] : [id], own, record.action === 'delete' || (isCreation && id === null));
      if (record.action !== 'delete') continue;
      const vehicles = [
        ...(record.kind === groupKind.noun ? vehicleIdsIn(record) : []),
        ...(record.dependents?.assignments ?? []).map(({ vehicleId }) => vehicleId),
      ];
      if (vehicles.length > 0)
        addQuery(vehicleKind.noun, vehicles, { assignedGroups: { id: true, name: true } }, false);
      if (record.kind === groupKind.noun) addQuery(record.kind, [], { parentId: true }, true);
      const hasRoles = record.changes.some(({ field }) => field === 'roles');
      if (record.kind === personKind.noun && hasRoles)
        addQuery(record.kind, [], { roles: { id: true, name: true } }, true);
    }
  }
  return queries;
}

/** Returns the vehicles of a deleted group. */
export function vehicleIdsIn({ changes }: JournaledRecord): readonly string[] {
  return textsIn(changes.find(({ field }) => field === 'vehicleIds')?.before);
}

/** Reads the records of a query: all of them for `isWhole`, otherwise those with the ids. */
async function read(
  context: Context,
  client: FleetClient,
  kind: EditableKind<never>,
  { ids, select, isWhole }: RecordQuery,
): Promise<readonly PresentRecord[]> {
  if (isWhole) {
    const whole = joinTrees(kind.identity, select);
    const listed = await wholeOf(
      context,
      (options) => call(client, kind.list, {}, { ...options, select: whole }),
      'changed',
    );
    const rows: readonly object[] = rowsIn(kind, listed);
    return rows.filter((row) => recordId(row) !== null && !isMarkedDeleted(row)).map((row) => currentRecord(kind, row));
  }
  const found = await lookUp(context, client, kind, [...ids], select);
  if (!found.isWhole) {
    throw new CliError('GRAPHQL', `The present state of the ${kind.plural} could not be read.`, {
      undone: 'changed',
      hint: 'Try again later.',
    });
  }
  return [...found.records.values()]
    .map(({ row }) => currentRecord(kind, row))
    .filter(({ row }) => !isMarkedDeleted(row));
}
