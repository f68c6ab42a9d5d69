// Plans the undo of a journal entry: restores the members that each record had before it.
import { isObject, textsIn } from '../../../core/json.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { idAfter, type JournaledChange, type JournaledRecord, type JournalStep } from '../../journal/entry.js';
import type { PlanStep } from '../../plan/plan.js';
import {
  type CurrentRecord,
  compareRecord,
  planChange,
  planCreation,
  planDeletion,
  planNothing,
  presentMembers,
} from '../../plan/plan-record.js';
import { editableKind } from '../../records/all-kinds.js';
import type { Members } from '../../records/differences.js';
import { tokenKind } from '../../records/driver-token.js';
import { geofenceKind } from '../../records/geofence.js';
import { groupKind } from '../../records/group.js';
import { membersOf } from '../../records/input-members.js';
import { personKind } from '../../records/person.js';
import type { EditableKind } from '../../records/record-kind.js';
import { FIELD } from '../../records/requests.js';
import { vehicleKind } from '../../records/vehicle.js';
import { type PresentRecord, type PresentState, vehicleIdsIn } from './present-state.js';

export interface UndoPlan {
  readonly steps: readonly PlanStep[];
  readonly conflicts: readonly Conflict[];
  /** Sentences about data that is not restored. */
  readonly losses: readonly string[];
}

/** A record that was changed after the entry. */
export interface Conflict {
  readonly record: JournaledRecord;
  readonly step: JournalStep;
  readonly text: string;
}

/** The members to restore of a record. */
interface RestoredRecord {
  readonly kind: EditableKind<never>;
  readonly id: string;
  readonly found: CurrentRecord;
  members: Members;
  readonly names: Map<string, string>;
}

interface UndoState {
  /** Creations, deletions and unchanged records. */
  readonly steps: PlanStep[];
  /** By kind and id: a record that was changed twice is planned once. */
  readonly targets: Map<string, RestoredRecord>;
  readonly conflicts: Conflict[];
  readonly losses: string[];
  readonly present: PresentState;
  readonly unfinished: readonly JournalStep[];
  /** Ids of the records that the entry changed. */
  readonly own: ReadonlySet<string>;
  /** Ids of the records that the entry created. */
  readonly created: ReadonlySet<string>;
}

interface RecordToUndo {
  readonly kind: EditableKind<never>;
  readonly step: JournalStep;
  readonly record: JournaledRecord;
}

/** Plans the undo of all records except assignments. `unfinished`: steps of partly done undos. */
export function planRecordUndo(
  steps: readonly JournalStep[],
  present: PresentState,
  unfinished: readonly JournalStep[],
): UndoPlan {
  const idsOf = (isSelected: (record: JournaledRecord) => boolean) =>
    new Set(steps.flatMap((step) => step.records.filter(isSelected).flatMap((record) => idAfter(record, step) ?? [])));
  const own = idsOf(() => true);
  const created = idsOf(({ action }) => action === 'create');
  const undo: UndoState = {
    steps: [],
    targets: new Map(),
    conflicts: [],
    losses: [],
    present,
    unfinished,
    own,
    created,
  };
  for (const step of [...steps].reverse()) {
    if (step.outcome === 'failed') continue;
    for (const record of [...step.records].reverse()) undoRecord(undo, step, record);
  }
  const changes = [...undo.targets.values()].map(({ kind, id, found, members, names }) =>
    planChange(kind, id, members, found, names),
  );
  return { steps: [...undo.steps, ...changes], conflicts: undo.conflicts, losses: undo.losses };
}

function addTarget(
  { targets }: UndoState,
  kind: EditableKind<never>,
  id: string,
  found: CurrentRecord,
  members: Members,
  names: ReadonlyMap<string, string>,
): void {
  const key = `${kind.noun} ${id}`;
  const one = targets.get(key) ?? { kind, id, found, members: {}, names: new Map<string, string>() };
  const [joined, left] = ['addGroupIds', 'removeGroupIds'].map((field) => [
    ...new Set([...textsIn(one.members[field]), ...textsIn(members[field])]),
  ]);
  one.members = {
    ...one.members,
    ...members,
    ...(joined && joined.length > 0 ? { addGroupIds: joined } : {}),
    ...(left && left.length > 0 ? { removeGroupIds: left } : {}),
  };
  for (const [other, name] of names) one.names.set(other, name);
  targets.set(key, one);
}

function addConflict({ conflicts }: UndoState, { record, step }: RecordToUndo, text: string): void {
  conflicts.push({ record, step, text });
}

function undoRecord(undo: UndoState, step: JournalStep, record: JournaledRecord): void {
  const kind = editableKind(record.kind);
  if (record.action === 'keep') return;
  if (!kind) {
    undo.losses.push(`${record.name}: the journal does not know what it changed.`);
    return;
  }
  const one = { kind, step, record };
  if (record.action === 'create') undoCreation(undo, one);
  else if (record.action === 'delete') undoDeletion(undo, one);
  else undoUpdate(undo, one);
}

function undoUpdate(undo: UndoState, one: RecordToUndo): void {
  const { kind, record } = one;
  const { id, name } = record;
  // The record itself will be deleted.
  if (id !== null && undo.created.has(id)) return;
  const found = id === null ? null : undo.present.find(kind.noun, id);
  if (found === null || id === null) {
    undo.losses.push(`${name}: there is no such ${kind.noun} any more.`);
    return;
  }
  const plain = record.changes.filter(({ field }) => !groupFields.has(field));
  for (const { field, isSecret } of plain) {
    if (isSecret) undo.losses.push(`${name}: ${field} stays as it is, because the journal does not keep secrets.`);
  }
  const comparable = plain.filter((change) => !change.isSecret && 'before' in change);
  for (const change of plain.filter((other) => !other.isSecret && !('before' in other))) {
    undo.losses.push(`${name}: ${change.field} stays as it is, because its value before was not known.`);
  }
  const before = { ...membersOfChanges(comparable, 'before'), ...groupsBefore(undo, one) };
  const back = compareRecord(kind, id, before, found).record;
  const foreign = compareRecord(kind, id, membersOfChanges(comparable, 'after'), found).record.changes;
  for (const { field, before: present } of back.changes) {
    const own = comparable.find((change) => isSameMember(change.field, field));
    if (own && foreign.some((change) => isSameMember(change.field, field))) {
      const now = own.field === field ? present : Reflect.get(found.row, own.field);
      addConflict(undo, one, conflictText(found.name, own.field, now, own));
    }
  }
  addTarget(undo, kind, id, found, before, namesIn(record.changes));
}

/** True for the same member, or for one nested in the other: `address` and `address.city`. */
function isSameMember(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

const groupFields: ReadonlySet<string> = new Set(['groupIds', 'addGroupIds', 'removeGroupIds']);

/** Returns the inverse group changes. Groups that others have changed stay. */
function groupsBefore(undo: UndoState, { kind, step, record: { name, changes } }: RecordToUndo): Members {
  if (!changes.some(({ field }) => groupFields.has(field))) return {};
  const change = changes.find(({ field }) => field === 'groupIds');
  if (change && 'before' in change) {
    const [before, after] = [textsIn(change.before), textsIn(change.after)];
    return {
      addGroupIds: before.filter((one) => !after.includes(one)),
      removeGroupIds: after.filter((one) => !before.includes(one)),
    };
  }
  // The groups that the service reported as changed.
  const { joined = [], left = [] } = step;
  if (step.outcome === 'done') {
    return {
      ...(left.length > 0 ? { addGroupIds: left } : {}),
      ...(joined.length > 0 ? { removeGroupIds: joined } : {}),
    };
  }
  undo.losses.push(
    `${name}: the service does not say in which groups the ${kind.noun} was, so its groups stay as they are.`,
  );
  return {};
}

function undoCreation(undo: UndoState, one: RecordToUndo): void {
  const { kind, step, record } = one;
  if (kind.remove === null) {
    undo.losses.push(`${record.name}: the service cannot delete a ${kind.noun}.`);
    return;
  }
  const id = idAfter(record, step);
  const found = id === null ? createdSince(undo, one) : undo.present.find(kind.noun, id);
  if (found === null) {
    undo.steps.push(planNothing(kind, id, record.name));
    return;
  }
  const row = presentMembers(found.row, kind);
  const made = record.changes.filter((change) => !change.isSecret);
  const { changes } = compareRecord(kind, found.id, membersOfChanges(made, 'after'), found).record;
  for (const { field, before: present } of changes) {
    const own = made.find((change) => change.field === field);
    // Members outside the contract cannot be read. An interrupted step may have set fewer.
    const isUnset = step.outcome === 'unknown' && [present ?? []].flat().length === 0;
    if (Object.hasOwn(row, field.split('.')[0] ?? field) && !isUnset)
      addConflict(undo, one, conflictText(found.name, field, present, own));
  }
  for (const [field, what] of [
    ['vehicleIds', 'vehicles'],
    ['driverTokens', 'driver tokens'],
  ] as const) {
    const held: readonly unknown[] = [row[field] ?? []].flat();
    const foreign = held.filter((other) => !undo.own.has(isObject(other) ? String(other.id) : String(other)));
    if (foreign.length > 0) {
      addConflict(undo, one, `${found.name}: ${what} now: ${foreign.length}; there were none.`);
    }
  }
  undo.steps.push(planDeletion(kind, found.id, found));
}

/** Tolerance for clock differences. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** Returns the record of an unanswered creation: the only new one with these members. */
function createdSince(undo: UndoState, one: RecordToUndo): PresentRecord | null {
  const { kind, step, record } = one;
  const since = (timestampMs(step.at) ?? 0) - CLOCK_DIFFERENCE_MS;
  // Roles and groups are set by separate operations, which may not have been sent.
  const apart = new Set(['roleIds', 'groupIds']);
  const targets = membersOfChanges(
    record.changes.filter((change) => !change.isSecret && !apart.has(change.field)),
    'after',
  );
  const [only, ...others] = undo.present.all(kind.noun).filter((other) => {
    const createdAt = timestampMs(Reflect.get(other.row, 'createdAt'));
    const isOlder = createdAt !== null && createdAt < since;
    return !isOlder && compareRecord(kind, other.id, targets, other).record.action === 'keep';
  });
  if (others.length === 0) return only ?? null;
  addConflict(
    undo,
    one,
    `${record.name}: unknown whether it was created; ${others.length + 1} ${kind.plural} match it.`,
  );
  return null;
}

/** Creates a deleted record again, with the references to it. */
function undoDeletion(undo: UndoState, one: RecordToUndo): void {
  const { kind, record } = one;
  const { id, name } = record;
  // An earlier undo may have created it without everything that belongs to it.
  const found = id === null ? null : (undo.present.find(kind.noun, id) ?? createdByUndo(undo, one));
  if (found === null && !createAgain(undo, one)) return;
  if (found !== null) undo.steps.push(planNothing(kind, found.id, name));
  const newId = found?.id ?? id;
  if (newId === null) return;
  if (kind.noun === groupKind.noun) restoreGroup(undo, record, newId);
  if (kind.noun === personKind.noun) restoreRoles(undo, record, newId, found);
}

/** Returns the record that an unanswered creation of an earlier undo made; null without one. */
function createdByUndo(undo: UndoState, { kind, record }: RecordToUndo): PresentRecord | null {
  const isOwn = ({ formerId, action }: JournaledRecord) => action === 'create' && formerId === record.id;
  const step = undo.unfinished.find(({ outcome, records }) => outcome === 'unknown' && records.some(isOwn));
  const creation = step?.records.find(isOwn);
  return step && creation ? createdSince(undo, { kind, step, record: creation }) : null;
}

/** Returns false for a record that cannot be restored. */
function createAgain(undo: UndoState, one: RecordToUndo): boolean {
  const { kind, record } = one;
  const { id, name } = record;
  const create = kind.noun === tokenKind.noun ? null : kind.create;
  if (create === null || id === null) {
    const why =
      kind.noun === tokenKind.noun
        ? 'the values of tokens are secrets, which the journal does not keep'
        : 'the service cannot create one';
    undo.losses.push(`${name}${id === null ? '' : ` (${id})`} does not come back: ${why}.`);
    return false;
  }
  const members = creationMembers(record, create.type);
  if (Object.keys(members).length === 0) {
    undo.losses.push(`${name} does not come back: it could not be read before it was deleted.`);
    return false;
  }
  const twin = undo.present.all(kind.noun).find((other) => other.name === name);
  if (twin) addConflict(undo, one, `${name}: there is a ${kind.noun} with this name now (${twin.id}).`);
  undo.steps.push(planCreation(kind, members, namesIn(record.changes), { formerId: id }));
  undo.losses.push(`${name} gets a new id; ${id} does not come back.`, ...lossesOf(one));
  return true;
}

/** Returns sentences about data of the record that is not restored. */
function lossesOf({ kind, record: { name, changes, dependents } }: RecordToUndo): readonly string[] {
  const rules = dependents?.rules ?? [];
  const tokens = [changes.find(({ field }) => field === 'driverTokens')?.before ?? []].flat().length;
  const nameTheRules = rules.map((rule) => rule.name).join(', ');
  return [
    ...(rules.length > 0
      ? [`${name}: the service cannot change rules, so these do not name it any more: ${nameTheRules}.`]
      : []),
    ...(kind.noun === geofenceKind.noun ? [`${name}: the service does not say in which groups a geofence was.`] : []),
    ...(kind.noun === groupKind.noun
      ? [`${name}: the service does not say which geofences and people were in it.`]
      : []),
    ...(kind.noun === personKind.noun
      ? [`${name}: the service does not say which group was its own, so it comes back without one.`]
      : []),
    ...(tokens > 0
      ? [
          `${name}: ${tokens === 1 ? 'its driver token does' : `its ${tokens} driver tokens do`} not come back, because the journal does not keep their values.`,
        ]
      : []),
  ];
}

/** Returns the members for creating a deleted record again, without secrets. */
function creationMembers(record: JournaledRecord, type: string): Members {
  const names = new Set(membersOf(type).map(({ name }) => name));
  const inputChanges = record.changes.filter(({ field, isSecret }) => names.has(field) && !isSecret);
  return Object.fromEntries(
    inputChanges.map(({ field, before }) => [
      field,
      field === 'customFields' ? setFields(before) : withoutNulls(before),
    ]),
  );
}

function setFields(fields: unknown): unknown {
  return (Array.isArray(fields) ? fields : []).filter(
    (field) => isObject(field) && field.value !== null && field.value !== undefined && field.value !== '',
  );
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Restores the vehicles and subgroups of a group. */
function restoreGroup(undo: UndoState, record: JournaledRecord, groupId: string): void {
  const { present, losses } = undo;
  const names = new Map([[groupId, record.name]]);
  for (const vehicleId of vehicleIdsIn(record)) {
    const vehicle = present.find(vehicleKind.noun, vehicleId);
    if (vehicle === null) losses.push(`${record.name}: the vehicle ${vehicleId} is not there any more.`);
    else addTarget(undo, vehicleKind, vehicleId, vehicle, { addGroupIds: [groupId] }, names);
  }
  const isBack = present.find(groupKind.noun, groupId) !== null;
  for (const { id, name } of record.dependents?.groups ?? []) {
    const child = present.find(groupKind.noun, id);
    const parentId = child ? Reflect.get(child.row, 'parentId') : undefined;
    if (child === null || (parentId !== null && parentId !== groupId)) {
      losses.push(
        `${record.name}: the group "${name}" that was below it ${child ? 'is below another one' : 'is gone'}.`,
      );
    } else {
      // It may still have the id of the deleted group.
      const row = isBack ? child.row : { ...child.row, parentId: null };
      addTarget(undo, groupKind, id, { ...child, row }, { parentId: groupId }, names);
    }
  }
}

function restoreRoles(undo: UndoState, record: JournaledRecord, personId: string, found: PresentRecord | null): void {
  const had: readonly unknown[] = [record.changes.find(({ field }) => field === 'roles')?.before ?? []].flat();
  const names = new Map(had.filter(isObject).map((role) => [String(role.id), String(role.name ?? role.id)]));
  if (names.size === 0) return;
  const person = found ?? { name: record.name, row: { roles: [] } };
  addTarget(undo, personKind, personId, person, { roleIds: [...names.keys()] }, names);
}

/** Returns text such as `Truck 07: name is "X" now, not "Y".` */
function conflictText(name: string, field: string, present: unknown, made: JournaledChange | undefined): string {
  const shown = (value: unknown) => (value === null || value === undefined ? 'empty' : JSON.stringify(value));
  const isLong = [present, made?.after].some((value) => typeof value === 'object' && value !== null);
  return isLong
    ? `${name}: ${field} has been changed since.`
    : `${name}: ${field} is ${shown(present)} now, not ${shown(made?.after)}.`;
}

/** Returns the members before or after the changes, as an input. */
function membersOfChanges(changes: readonly JournaledChange[], side: 'before' | 'after'): Members {
  const members: Record<string, unknown> = {};
  const fields: { readonly name: string; readonly value: unknown }[] = [];
  for (const { field, [side]: value = null } of changes) {
    const dot = field.indexOf('.');
    if (field.startsWith(FIELD)) fields.push({ name: field.slice(FIELD.length), value });
    else if (dot > 0) {
      const head = field.slice(0, dot);
      members[head] = { ...Object(members[head]), [field.slice(dot + 1)]: value };
    } else members[field] = value;
  }
  return fields.length > 0 ? { ...members, customFields: fields } : members;
}

/** Returns the names of other records in the journal, by id. */
function namesIn(changes: readonly JournaledChange[]): ReadonlyMap<string, string> {
  const pairs = changes.flatMap(({ before, after, names }) =>
    [
      [before, names?.before],
      [after, names?.after],
    ].flatMap(([ids, texted]) => {
      const [all, own] = [[ids].flat(), [texted].flat()];
      return all.map((id, index) => [id, own[index]] as const);
    }),
  );
  return new Map(
    pairs.flatMap(([id, name]) => (typeof id === 'string' && typeof name === 'string' ? [[id, name] as const] : [])),
  );
}
