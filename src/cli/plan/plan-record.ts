// Plans one record: compares the members with the current ones, and returns the step.
import { contractFields } from '../../contract/selection/fields.js';
import { defaultTree, joinTrees, type SelectionTree } from '../../contract/selection/tree.js';
import { isObject } from '../../core/json.js';
import { operations } from '../../generated/operation-table.js';
import { type MemberChange, type Members, memberDifferences } from '../records/differences.js';
import { NewRecord } from '../records/new-record.js';
import { type EditableKind, type RecordKind, recordId, recordName } from '../records/record-kind.js';
import { changeRequests, creationRequests, deletionRequests, FIELD } from '../records/requests.js';
import type { PlanStep } from './plan.js';
import { createdMembers, type PlannedChange, withNames } from './record-change.js';

export interface CurrentRecord {
  readonly name: string;
  readonly row: object;
}

/** Returns a record of the service; its id replaces a missing name. */
export function currentRecord(
  kind: Pick<RecordKind<never>, 'texts'>,
  row: object,
): CurrentRecord & { readonly id: string } {
  const id = recordId(row) ?? '';
  return { id, name: recordName(kind, row) ?? id, row };
}

type Names = ReadonlyMap<string, string>;

interface CreationNotes {
  /** The placeholder for its id in other records. */
  readonly creates?: NewRecord | undefined;
  readonly formerId?: string;
}

export const fromNoLine = { line: null, source: null } as const;

export function planCreation(
  kind: EditableKind<never>,
  members: Members,
  names: Names,
  { creates, formerId }: CreationNotes = {},
): PlanStep {
  const name = recordName(kind, members) ?? '';
  const self = creates ?? new NewRecord(name);
  const record: PlannedChange = {
    kind: kind.noun,
    action: 'create',
    name,
    id: null,
    changes: withNames(createdMembers(members), names),
    ...(formerId === undefined ? {} : { formerId }),
  };
  return { ...fromNoLine, record, creates: self, requests: creationRequests(kind, members, self) };
}

/** Plans an update. Sends all members when the current record is unknown. */
export function planChange(
  kind: EditableKind<never>,
  id: string,
  members: Members,
  current: CurrentRecord | undefined,
  names: Names,
): PlanStep {
  const { record, send } = compareRecord(kind, id, members, current, names);
  return { ...fromNoLine, record, requests: changeRequests(kind, id, send, record.changes) };
}

export function planDeletion(
  kind: EditableKind<never>,
  id: string,
  current: CurrentRecord | undefined,
  names: Names = new Map(),
): PlanStep {
  const changes = current ? withNames(lostMembers(current.row), names) : [];
  const record = { kind: kind.noun, action: 'delete', name: current?.name ?? id, id, changes } as const;
  return { ...fromNoLine, record, requests: deletionRequests(kind, id) };
}

export function planNothing({ noun }: EditableKind<never>, id: string | null, name: string): PlanStep {
  return { ...fromNoLine, record: { kind: noun, action: 'keep', name, id, changes: [] }, requests: [] };
}

/** Returns the changes of a record, and the whole values of the members to send. */
export function compareRecord(
  kind: EditableKind<never>,
  id: string,
  members: Members,
  current: CurrentRecord | undefined,
  names: Names = new Map(),
): { readonly record: PlannedChange; readonly send: Members } {
  const recordOf = (action: PlannedChange['action'], changes: PlannedChange['changes']) => ({
    kind: kind.noun,
    action,
    name: current?.name ?? id,
    id,
    changes,
  });
  if (!current) {
    return { record: recordOf('update', withNames(notCompared(members), names)), send: members };
  }
  const present = presentMembers(current.row, kind);
  const desired = Object.entries(withGroups(members, present));
  const isKnown = (member: string) => contractFields(kind.type).has(member) || Object.hasOwn(present, member);
  const others = Object.fromEntries(desired.filter(([member]) => !isKnown(member)));
  const differences = kind.differences ?? memberDifferences;
  const found = differences(Object.fromEntries(desired.filter(([member]) => isKnown(member))), present);
  const changes = withNames(
    [...found.changes, ...notCompared(others)],
    new Map([...names, ...relatedNames(current.row, kind)]),
  );
  return { record: recordOf(changes.length === 0 ? 'keep' : 'update', changes), send: { ...found.send, ...others } };
}

/** Replaces `addGroupIds` and `removeGroupIds` by `groupIds` when the current groups are known. */
function withGroups({ addGroupIds, removeGroupIds, ...members }: Members, { groupIds }: Members): Members {
  const groupChanges = {
    ...(addGroupIds === undefined ? {} : { addGroupIds }),
    ...(removeGroupIds === undefined ? {} : { removeGroupIds }),
  };
  if (Object.keys(groupChanges).length === 0 || !Array.isArray(groupIds)) return { ...members, ...groupChanges };
  const removedIds = new Set([removeGroupIds].flat());
  const all = [...groupIds, ...[addGroupIds ?? []].flat()].filter((id) => !removedIds.has(id));
  return { ...members, groupIds: [...new Set(all)] };
}

/** Returns the changes of members with an unknown old value. */
function notCompared(members: Members): readonly MemberChange[] {
  return Object.entries(members).flatMap(([field, after]) => {
    const named = field === 'customFields' && Array.isArray(after) ? after.filter(isObject) : [];
    return named.length > 0
      ? named.map(({ name, value }) => ({ field: `${FIELD}${String(name)}`, before: undefined, after: value ?? null }))
      : [{ field, before: undefined, after }];
  });
}

/** Returns the record with the member names of inputs. */
export function presentMembers(row: object, { relations = {} }: Pick<EditableKind<never>, 'relations'>): Members {
  const related = Object.entries(relations).flatMap(([member, { holder }]) =>
    holder !== null && Object.hasOwn(row, holder) ? [[member, idsIn(Reflect.get(row, holder))] as const] : [],
  );
  return { ...row, ...Object.fromEntries(related) };
}

/** Returns the id of a record, or the ids of a list of records; null for other values. */
function idsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => idsIn(one) ?? []);
  return isObject(value) ? (value.id ?? null) : null;
}

/** Returns the names of referenced records, by id. */
export function relatedNames(
  row: object,
  { relations = {} }: Pick<EditableKind<never>, 'relations'>,
): readonly (readonly [string, string])[] {
  return Object.values(relations)
    .flatMap(({ holder }): readonly unknown[] => (holder === null ? [] : [Reflect.get(row, holder)].flat()))
    .flatMap((one) =>
      isObject(one) && typeof one.id === 'string' && typeof one.name === 'string' ? [[one.id, one.name] as const] : [],
    );
}

/** Members that only the service sets. */
const ownMembers: ReadonlySet<string> = new Set(['id', 'version', 'createdAt', 'updatedAt', 'isDeleted', 'fleetId']);

function lostMembers(row: object): readonly MemberChange[] {
  return Object.entries(row).flatMap(([field, before]: readonly [string, unknown]) =>
    ownMembers.has(field) || before === null || (Array.isArray(before) && before.length === 0)
      ? []
      : [{ field, before, after: null }],
  );
}

/** Returns the selection to compare these members. */
export function selectionFor(kind: EditableKind<never>, members: Iterable<string>): SelectionTree {
  return [...members].map((member) => selectionOf(kind, member)).reduce(joinTrees, {});
}

function selectionOf({ type, relations = {} }: EditableKind<never>, member: string): SelectionTree {
  const isOfGroups = member === 'addGroupIds' || member === 'removeGroupIds';
  const holder = relations[isOfGroups ? 'groupIds' : member]?.holder;
  if (holder) return { [holder]: { id: true, name: true } };
  const field = contractFields(type).get(member);
  if (!field) return {};
  return { [member]: field.leaf || leavesOf(field.type) };
}

function leavesOf(type: string): SelectionTree {
  return Object.fromEntries([...contractFields(type)].filter(([, { leaf }]) => leaf).map(([name]) => [name, true]));
}

/** Returns the default selection of the records of a type. */
export function wholeSelection(type: string): SelectionTree {
  const list = Object.values(operations).find(({ returns, kind }) => kind === 'query' && returns.type === type);
  return list ? defaultTree(list) : leavesOf(type);
}
