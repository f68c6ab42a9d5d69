// Plans the way back of an entry of the journal: compares each record with what the entry made of it, and says what is needed to make it
// again what it was before.
import { isObject } from '../../../core/json.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import type { JournalStep, KeptChange, KeptRecord } from '../../journal/entry.js';
import type { PlanStep } from '../../plan/plan.js';
import {
  compareRecord,
  planChange,
  planCreation,
  planDeletion,
  planNothing,
  presentMembers,
} from '../../plan/plan-record.js';
import { createdMembers, type PlannedChange } from '../../plan/record-change.js';
import { editableKind } from '../../records/all-kinds.js';
import type { Members } from '../../records/differences.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { tokenKind } from '../../records/driver-token.js';
import { geofenceKind } from '../../records/geofence.js';
import { groupKind } from '../../records/group.js';
import { membersOf } from '../../records/input-members.js';
import { type NewRecord, withNewRecords } from '../../records/new-record.js';
import { personKind } from '../../records/person.js';
import type { EditableKind } from '../../records/record-kind.js';
import { FIELD, type Request } from '../../records/requests.js';
import { vehicleKind } from '../../records/vehicle.js';
import { minuteIn } from '../drivers/effects.js';
import { requestOf } from '../drivers/outcome.js';
import { idAfter, type PresentRecord, type PresentState, textsIn } from './present-state.js';
import { waysBack } from './ways-back.js';

export interface WayBackPlan {
  readonly steps: readonly PlanStep[];
  readonly conflicts: readonly Conflict[];
  /** What does not come back, one sentence each. */
  readonly losses: readonly string[];
}

/** A record that somebody has changed since. */
export interface Conflict {
  readonly record: KeptRecord;
  readonly step: JournalStep;
  /** A sentence about the change. */
  readonly text: string;
}

interface Told {
  readonly steps: PlanStep[];
  /** One sentence each, about the record that is planned. */
  readonly conflicts: string[];
  readonly losses: string[];
}

interface Way extends Told {
  readonly present: PresentState;
  /** Deleted records that come back, by the ids that they had. */
  readonly reborn: Map<string, NewRecord>;
  readonly zone: string | undefined;
  /** The records that the entry itself changes. */
  readonly own: ReadonlySet<string>;
}

/** Of all records but assignments, which undo-assignments.ts plans. */
export function planRecordsBack(
  steps: readonly JournalStep[],
  present: PresentState,
  zone: string | undefined,
): WayBackPlan {
  const own = new Set(steps.flatMap((step) => step.records.flatMap((record) => idAfter(record, step) ?? [])));
  const way: Way = { steps: [], conflicts: [], losses: [], present, reborn: new Map(), zone, own };
  const conflicts: Conflict[] = [];
  // What was done last is undone first.
  for (const step of [...steps].reverse()) {
    if (step.outcome === 'failed') continue;
    for (const record of [...step.records].reverse()) {
      undoRecord(way, step, record);
      conflicts.push(...way.conflicts.splice(0).map((text) => ({ record, step, text })));
    }
  }
  const renewed = (one: Request) => ({ ...one, variables: Object(withNewRecords(one.variables, way.reborn)) });
  return {
    steps: way.steps.map((step) => ({ ...step, requests: step.requests.map(renewed) })),
    conflicts,
    losses: way.losses,
  };
}

function undoRecord(way: Way, step: JournalStep, record: KeptRecord): void {
  const kind = editableKind(record.kind);
  if (record.action === 'keep') return;
  if (!kind) {
    way.losses.push(`${record.name}: the journal does not know what it changed.`);
    return;
  }
  if (record.action === 'create') removeAgain(way, kind, step, record);
  else if (record.action === 'delete') createAgain(way, kind, step, record);
  else changeBack(way, kind, step, record);
}

function changeBack(way: Way, kind: EditableKind<never>, step: JournalStep, record: KeptRecord): void {
  const { id, name } = record;
  const found = id === null ? null : way.present.find(kind.noun, id);
  if (found === null || id === null) {
    way.losses.push(`${name}: there is no such ${kind.noun} any more.`);
    return;
  }
  const plain = record.changes.filter(({ field }) => !groupFields.has(field));
  for (const { field, isSecret } of plain) {
    if (isSecret) way.losses.push(`${name}: ${field} stays as it is, because the journal does not keep secrets.`);
  }
  const comparable = plain.filter((change) => !change.isSecret && isKnownBefore(change));
  for (const change of plain.filter((one) => !one.isSecret && !isKnownBefore(one))) {
    way.losses.push(`${name}: ${change.field} stays as it is, because its value before was not known.`);
  }
  const before = { ...membersOfChanges(comparable, 'before'), ...groupsBack(way, kind, step, record) };
  const back = planChange(kind, id, before, found, { names: namesIn(record.changes) });
  const made = compareRecord(kind, id, membersOfChanges(comparable, 'after'), found).record.changes;
  for (const { field, before: present } of back.record.changes) {
    const own = comparable.find((one) => one.field === field);
    if (made.some((one) => one.field === field)) way.conflicts.push(conflictText(found.name, field, present, own));
  }
  way.steps.push(back);
}

/** A custom field that was not there before is cleared. */
function isKnownBefore(change: KeptChange): boolean {
  return 'before' in change || change.field.startsWith(FIELD);
}

const groupFields: ReadonlySet<string> = new Set(['groupIds', 'addGroupIds', 'removeGroupIds']);

/** Groups that somebody else has added or removed in the meantime stay: only what the entry did is undone. Empty when it did nothing here. */
function groupsBack(way: Way, kind: EditableKind<never>, step: JournalStep, { name, changes }: KeptRecord): Members {
  if (!changes.some(({ field }) => groupFields.has(field))) return {};
  if (kind.noun === geofenceKind.noun) {
    const { joined = [], left = [] } = step;
    if (step.outcome === 'done') {
      return {
        ...(left.length > 0 ? { addGroupIds: left } : {}),
        ...(joined.length > 0 ? { removeGroupIds: joined } : {}),
      };
    }
    way.losses.push(`${name}: the service does not say in which groups a geofence is, so its groups stay as they are.`);
    return {};
  }
  const change = changes.find(({ field }) => field === 'groupIds');
  if (change && !('before' in change)) {
    way.losses.push(`${name}: its groups stay as they are, because the groups before were not known.`);
    return {};
  }
  const [before, after] = [texts(change?.before), texts(change?.after)];
  return {
    addGroupIds: before.filter((one) => !after.includes(one)),
    removeGroupIds: after.filter((one) => !before.includes(one)),
  };
}

/** A record that the entry created is deleted. */
function removeAgain(way: Way, kind: EditableKind<never>, step: JournalStep, record: KeptRecord): void {
  if (kind.remove === null) {
    way.losses.push(`${record.name}: the service cannot delete a ${kind.noun}.`);
    return;
  }
  const id = idAfter(record, step);
  const found = id === null ? createdSince(way, kind, step, record) : way.present.find(kind.noun, id);
  if (found === null) {
    way.steps.push(planNothing(kind, id, record.name));
    return;
  }
  const row = presentMembers(found.row, kind);
  const made = record.changes.filter((change) => !change.isSecret);
  const { changes } = compareRecord(kind, found.id, membersOfChanges(made, 'after'), found).record;
  for (const { field, before: present } of changes) {
    const kept = made.find((one) => one.field === field);
    // A member that the contract does not know cannot be read.
    if (Object.hasOwn(row, field.split('.')[0] ?? field))
      way.conflicts.push(conflictText(found.name, field, present, kept));
  }
  for (const [field, what] of [
    ['vehicleIds', 'vehicles'],
    ['driverTokens', 'driver tokens'],
  ] as const) {
    const held = (Array.isArray(row[field]) ? row[field] : []).filter((one) => !way.own.has(String(one)));
    if (held.length > 0) way.conflicts.push(`${found.name}: ${what} now: ${held.length}; there were none.`);
  }
  way.steps.push(planDeletion(kind, found.id, found));
}

/** Clocks differ by so much. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A record whose creation had no answer: the only one with these members that did not exist before. */
function createdSince(
  way: Way,
  kind: EditableKind<never>,
  step: JournalStep,
  record: KeptRecord,
): PresentRecord | null {
  const since = (timestampMs(step.at) ?? 0) - CLOCK_DIFFERENCE_MS;
  const wanted = membersOfChanges(
    record.changes.filter((change) => !change.isSecret),
    'after',
  );
  const [only, ...others] = way.present.all(kind.noun).filter((one) => {
    const createdAt = timestampMs(Reflect.get(one.row, 'createdAt'));
    const isOlder = createdAt !== null && createdAt < since;
    return !isOlder && compareRecord(kind, one.id, wanted, one).record.action === 'keep';
  });
  if (others.length === 0) return only ?? null;
  way.conflicts.push(
    `${record.name}: it is not known whether it was created, and ${others.length + 1} ${kind.plural} are like it.`,
  );
  return null;
}

/** A record that the entry deleted is created again, with what referred to it. */
function createAgain(way: Way, kind: EditableKind<never>, { at }: JournalStep, record: KeptRecord): void {
  const { id, name } = record;
  const { noun } = kind;
  const create = noun === tokenKind.noun ? null : kind.create;
  const all = way.present.all(noun);
  if (id !== null && all.some((one) => one.id === id)) {
    way.steps.push(planNothing(kind, id, name));
    return;
  }
  if (create === null || id === null) {
    const { deleteDriverToken: deletion } = waysBack;
    const why = noun === tokenKind.noun && 'none' in deletion ? deletion.none : 'the service cannot create one';
    way.losses.push(`${name}${id === null ? '' : ` (${id})`} does not come back: ${why}.`);
    return;
  }
  const members = createdFrom(record, create.type);
  if (Object.keys(members).length === 0) {
    way.losses.push(`${name} does not come back: it could not be read before it was deleted.`);
    return;
  }
  const twin = all.find((one) => one.name === name);
  if (twin) way.conflicts.push(`${name}: there is a ${noun} with this name now (${twin.id}).`);
  const step = planCreation(kind, members, { formerId: id });
  if (step.creates) way.reborn.set(id, step.creates);
  way.steps.push(step);
  way.losses.push(`${name} gets a new id; ${id} does not come back.`);
  const rules = record.dependents?.rules ?? [];
  if (rules.length > 0) {
    way.losses.push(
      `${name}: the service cannot change rules, so these do not name it any more: ${rules.map((rule) => rule.name).join(', ')}.`,
    );
  }
  if (noun === geofenceKind.noun) way.losses.push(`${name}: the service does not say in which groups a geofence was.`);
  if (noun === groupKind.noun) groupMembersBack(way, record, id);
  if (noun === personKind.noun) personBack(way, at, record, id);
}

/** The members that an input takes. */
function createdFrom(record: KeptRecord, type: string): Members {
  const names = new Set(membersOf(type).map(({ name }) => name));
  const kept = record.changes.filter(({ field, isSecret }) => names.has(field) && !isSecret);
  return Object.fromEntries(
    kept.map(({ field, before }) => [field, field === 'customFields' ? setFields(before) : withoutNulls(before)]),
  );
}

function setFields(fields: unknown): unknown {
  return (Array.isArray(fields) ? fields : []).filter(
    (field) => isObject(field) && field.value !== null && field.value !== undefined && field.value !== '',
  );
}

/** Of a nested object. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function groupMembersBack(way: Way, record: KeptRecord, groupId: string): void {
  const { present, losses, steps } = way;
  const names = new Map([[groupId, record.name]]);
  for (const vehicleId of textsIn(record, 'vehicleIds')) {
    const vehicle = present.find(vehicleKind.noun, vehicleId);
    if (vehicle === null) losses.push(`${record.name}: the vehicle ${vehicleId} is not there any more.`);
    else steps.push(planChange(vehicleKind, vehicleId, { addGroupIds: [groupId] }, vehicle, { names }));
  }
  for (const { id, name } of record.dependents?.groups ?? []) {
    const child = present.find(groupKind.noun, id);
    const parentId = child ? Reflect.get(child.row, 'parentId') : undefined;
    if (child === null || (parentId !== null && parentId !== groupId)) {
      losses.push(
        `${record.name}: the group "${name}" that was below it ${child ? 'is below another one' : 'is gone'}.`,
      );
    } else {
      // It may still have the id of the deleted group.
      const known = { ...child, row: { ...child.row, parentId: null } };
      steps.push(planChange(groupKind, id, { parentId: groupId }, known, { names }));
    }
  }
  losses.push(`${record.name}: the service does not say which geofences and people were in it.`);
}

/** `deletedAt`: when the person was deleted. */
function personBack(way: Way, deletedAt: string, record: KeptRecord, personId: string): void {
  const { losses, steps, present, zone } = way;
  const { name, changes } = record;
  const had = (field: string): readonly unknown[] => [changes.find((one) => one.field === field)?.before ?? []].flat();
  const roles = had('roles').filter(isObject);
  if (roles.length > 0) {
    const names = new Map(roles.map((role) => [String(role.id), String(role.name ?? role.id)]));
    const step = planChange(
      personKind,
      personId,
      { roleIds: [...names.keys()] },
      { name, row: { roles: [] } },
      { names },
    );
    steps.push({ ...step, record: { ...step.record, id: null } });
  }
  losses.push(`${name}: the service does not say which group was its own, so it comes back without one.`);
  const tokens = had('driverTokens').length;
  if (tokens > 0) {
    losses.push(
      `${name}: ${tokens === 1 ? 'its driver token does' : `its ${tokens} driver tokens do`} not come back, because the journal does not keep their values.`,
    );
  }
  for (const { vehicleId, startedAt, endedAt } of record.dependents?.assignments ?? []) {
    const vehicle = present.find(vehicleKind.noun, vehicleId);
    if (vehicle === null) {
      losses.push(`${name}: the vehicle ${vehicleId} of an assignment is not there any more.`);
      continue;
    }
    // What was before the deletion stays with the old id.
    const startTimestamp = startedAt > deletedAt ? startedAt : deletedAt;
    const at = timestampMs(startTimestamp) ?? 0;
    const from = minuteIn(zone)(at);
    const assignment: PlannedChange = {
      kind: assignmentKind.noun,
      action: 'create',
      name: `${name} on ${vehicle.name}, from ${from}`,
      id: null,
      changes: createdMembers({ startTimestamp, endTimestamp: endedAt }),
    };
    const pair = { vehicleId, driverId: personId };
    const end = endedAt === null ? null : timestampMs(endedAt);
    const requests = [requestOf({ kind: 'assign', pair, at, end })];
    steps.push({ line: null, source: null, record: assignment, requests });
  }
}

/** `Truck 07: name is "X" now, not "Y".` */
function conflictText(name: string, field: string, present: unknown, made: KeptChange | undefined): string {
  const shown = (value: unknown) => (value === null || value === undefined ? 'empty' : JSON.stringify(value));
  const isLong = [present, made?.after].some((value) => typeof value === 'object' && value !== null);
  return isLong
    ? `${name}: ${field} has been changed since.`
    : `${name}: ${field} is ${shown(present)} now, not ${shown(made?.after)}.`;
}

/** The members before or after the changes, as inputs have them: nested ones, and custom fields by their names. */
function membersOfChanges(changes: readonly KeptChange[], side: 'before' | 'after'): Members {
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

/** The names that the journal has of other records, by their ids. */
function namesIn(changes: readonly KeptChange[]): ReadonlyMap<string, string> {
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

function texts(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).filter((one) => typeof one === 'string');
}
