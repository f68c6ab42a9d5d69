// Plans the way back of an entry of the journal: compares each record with what the entry made of it, and says what is needed to make it
// again what it was before.
import { isObject, isSameJson } from '../../../core/json.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { lostMembers, presentMembers } from '../../change/describe.js';
import type { PlanStep } from '../../change/plan.js';
import { createdMembers, type PlannedChange } from '../../change/record-change.js';
import { CliError } from '../../errors/cli-error.js';
import type { JournalStep, KeptChange, KeptRecord } from '../../journal/entry.js';
import { editableKind } from '../../records/all-kinds.js';
import { type MemberChange, type Members, memberDifferences } from '../../records/differences.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { tokenKind } from '../../records/driver-token.js';
import { geofenceKind } from '../../records/geofence.js';
import { groupKind } from '../../records/group.js';
import { membersOf } from '../../records/input-members.js';
import { personKind } from '../../records/person.js';
import type { EditableKind } from '../../records/record-kind.js';
import {
  changeRequests,
  creationRequest,
  deletionRequest,
  FIELD,
  groupRequest,
  type Request,
} from '../../records/requests.js';
import { vehicleKind } from '../../records/vehicle.js';
import { requestOf } from '../drivers/apply-plan.js';
import { minuteIn } from '../drivers/effects.js';
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

/** The ids under which deleted records come back are known only when they are created: by their old ids, the names under which steps refer to them. */
type Reborn = Map<string, string>;

interface Way extends Told {
  readonly present: PresentState;
  readonly reborn: Reborn;
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
  const { reborn } = way;
  return {
    steps: way.steps.map((step) => ({
      ...step,
      requests: (created) => renewedAll(step.requests(created), created, reborn),
    })),
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
  const row = presentMembers(found.row, kind);
  const back: { changes: MemberChange[]; requests: Request[] } = { changes: [], requests: [] };
  const groups = groupsBack(way, kind, step, record, row);
  if (groups) {
    back.changes.push(...groups.changes);
    back.requests.push(...groups.requests);
  }
  const plain = record.changes.filter(({ field }) => !groupFields.has(field));
  for (const { field, isSecret } of plain) {
    if (isSecret) way.losses.push(`${name}: ${field} stays as it is, because the journal does not keep secrets.`);
  }
  const comparable = plain.filter((change) => !change.isSecret && isKnownBefore(change));
  for (const change of plain.filter((one) => !one.isSecret && !isKnownBefore(one))) {
    way.losses.push(`${name}: ${change.field} stays as it is, because its value before was not known.`);
  }
  const differing = differencesOf(kind)(membersOfChanges(comparable, 'before'), row).changes;
  const foreign = new Set(
    differencesOf(kind)(membersOfChanges(comparable, 'after'), row).changes.map(({ field }) => field),
  );
  for (const { field, before: present } of differing.filter((one) => foreign.has(one.field))) {
    const made = comparable.find((one) => one.field === field);
    way.conflicts.push(conflictText(found.name, field, present, made));
  }
  const kept = comparable.filter(({ field }) => differing.some((one) => one.field === field));
  back.changes.push(...differing.map((one) => withKeptNames(one, kept)));
  back.requests.push(...requestsFor(kind, id, kept, row));
  const isSame = back.requests.length === 0;
  way.steps.push(
    stepOf(
      { kind: kind.noun, action: isSame ? 'keep' : 'update', name: found.name, id, changes: back.changes },
      () => back.requests,
    ),
  );
}

/** A custom field that was not there before is cleared. */
function isKnownBefore(change: KeptChange): boolean {
  return 'before' in change || change.field.startsWith(FIELD);
}

function differencesOf({ differences }: EditableKind<never>): typeof memberDifferences {
  return differences ?? memberDifferences;
}

function requestsFor(
  kind: EditableKind<never>,
  id: string,
  kept: readonly KeptChange[],
  row: Members,
): readonly Request[] {
  const { send } = differencesOf(kind)(membersOfChanges(kept, 'before'), row);
  const changes = kept.map(({ field, before = null }): MemberChange => ({ field, before: undefined, after: before }));
  return changeRequests(kind, id, send, changes);
}

const groupFields: ReadonlySet<string> = new Set(['groupIds', 'addGroupIds', 'removeGroupIds']);

/** Groups that somebody else has added or removed in the meantime stay: only what the entry did is undone. Null when it did nothing here. */
function groupsBack(
  way: Way,
  kind: EditableKind<never>,
  step: JournalStep,
  { id, name, changes }: KeptRecord,
  row: Members,
): { readonly changes: readonly MemberChange[]; readonly requests: readonly Request[] } | null {
  if (!changes.some(({ field }) => groupFields.has(field)) || id === null) return null;
  if (kind.noun === geofenceKind.noun) {
    const { joined = [], left = [] } = step;
    if (step.outcome !== 'done') {
      way.losses.push(
        `${name}: the service does not say in which groups a geofence is, so its groups stay as they are.`,
      );
      return null;
    }
    const request = groupRequest(kind, id, { add: left, remove: joined });
    if (request === null) return null;
    const names = namesOf(changes);
    const told = (ids: readonly string[], field: string) =>
      ids.length === 0
        ? []
        : [{ field, before: undefined, after: ids, names: { before: undefined, after: ids.map(names) } }];
    return {
      changes: [...told(left, 'addGroupIds'), ...told(joined, 'removeGroupIds')],
      requests: [request],
    };
  }
  const change = changes.find(({ field }) => field === 'groupIds');
  const [before, after, present] = [texts(change?.before), texts(change?.after), texts(row.groupIds)];
  if (change && !('before' in change)) {
    way.losses.push(`${name}: its groups stay as they are, because the groups before were not known.`);
    return null;
  }
  const add = before.filter((one) => !after.includes(one) && !present.includes(one));
  const remove = after.filter((one) => !before.includes(one) && present.includes(one));
  const request = groupRequest(kind, id, { add, remove });
  if (request === null) return null;
  const names = namesOf(changes);
  const wanted = [...present.filter((one) => !remove.includes(one)), ...add];
  return {
    changes: [
      {
        field: 'groupIds',
        before: present,
        after: wanted,
        names: { before: present.map(names), after: wanted.map(names) },
      },
    ],
    requests: [request],
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
    const gone = { kind: kind.noun, action: 'keep', name: record.name, id, changes: [] } as const;
    way.steps.push(stepOf(gone, () => []));
    return;
  }
  const row = presentMembers(found.row, kind);
  const made = record.changes.filter((change) => !change.isSecret);
  for (const { field, before: present } of differencesOf(kind)(membersOfChanges(made, 'after'), row).changes) {
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
  const doomed: PlannedChange = {
    kind: kind.noun,
    action: 'delete',
    name: found.name,
    id: found.id,
    changes: lostMembers(found.row),
  };
  way.steps.push(stepOf(doomed, () => [deletionRequest(kind, found.id) ?? []].flat()));
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
  const [only, ...others] = way.present.all(kind.noun).filter(({ row }) => {
    const createdAt = timestampMs(Reflect.get(row, 'createdAt'));
    const isOlder = createdAt !== null && createdAt < since;
    return !isOlder && differencesOf(kind)(wanted, presentMembers(row, kind)).changes.length === 0;
  });
  if (others.length === 0) return only ?? null;
  way.conflicts.push(
    `${record.name}: it is not known whether it was created, and ${others.length + 1} ${kind.plural} are like it.`,
  );
  return null;
}

/** A record that the entry deleted is created again, with what referred to it. */
function createAgain(way: Way, kind: EditableKind<never>, step: JournalStep, record: KeptRecord): void {
  const { id, name } = record;
  const { noun } = kind;
  const create = noun === tokenKind.noun ? null : kind.create;
  const all = way.present.all(noun);
  if (id !== null && all.some((one) => one.id === id)) {
    way.steps.push(stepOf({ kind: noun, action: 'keep', name, id, changes: [] }, () => []));
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
  const key = `${name}, formerly ${id}`;
  way.reborn.set(id, key);
  const changes = createdMembers(members);
  way.steps.push({
    ...stepOf({ kind: noun, action: 'create', name, id: null, changes, formerId: id }, () =>
      [creationRequest(kind, members) ?? []].flat(),
    ),
    creates: key,
  });
  way.losses.push(`${name} gets a new id; ${id} does not come back.`);
  const rules = record.dependents?.rules ?? [];
  if (rules.length > 0) {
    way.losses.push(
      `${name}: the service cannot change rules, so these do not name it any more: ${rules.map((rule) => rule.name).join(', ')}.`,
    );
  }
  if (noun === geofenceKind.noun) way.losses.push(`${name}: the service does not say in which groups a geofence was.`);
  if (noun === groupKind.noun) groupMembersBack(way, record, id);
  if (noun === personKind.noun) personBack(way, step, record, id);
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
  for (const vehicleId of textsIn(record, 'vehicleIds')) {
    const vehicle = present.find(vehicleKind.noun, vehicleId);
    if (vehicle === null) {
      losses.push(`${record.name}: the vehicle ${vehicleId} is not there any more.`);
      continue;
    }
    const groups = groupsOf(vehicle.row);
    const [ids, names] = [groups.map(({ id }) => id), groups.map(({ name }) => name)];
    const change = {
      field: 'groupIds',
      before: ids,
      after: [...ids, groupId],
      names: { before: names, after: [...names, record.name] },
    };
    steps.push(
      stepOf({ kind: vehicleKind.noun, action: 'update', name: vehicle.name, id: vehicleId, changes: [change] }, () =>
        [groupRequest(vehicleKind, vehicleId, { add: [groupId], remove: [] }) ?? []].flat(),
      ),
    );
  }
  for (const { id, name } of record.dependents?.groups ?? []) {
    const child = present.find(groupKind.noun, id);
    const parentId = child ? Reflect.get(child.row, 'parentId') : undefined;
    if (child === null || (parentId !== null && parentId !== groupId)) {
      losses.push(
        `${record.name}: the group "${name}" that was below it ${child ? 'is below another one' : 'is gone'}.`,
      );
      continue;
    }
    const names = { before: null, after: record.name };
    const changes = [{ field: 'parentId', before: parentId ?? null, after: groupId, names }];
    steps.push(
      stepOf({ kind: groupKind.noun, action: 'update', name: child.name, id, changes }, () =>
        changeRequests(groupKind, id, { parentId: groupId }, changes),
      ),
    );
  }
  losses.push(`${record.name}: the service does not say which geofences and people were in it.`);
}

function groupsOf(row: object): readonly { readonly id: string; readonly name: string }[] {
  const groups: unknown = Reflect.get(row, 'assignedGroups');
  return (Array.isArray(groups) ? groups : []).flatMap((group) =>
    isObject(group) && typeof group.id === 'string'
      ? [{ id: group.id, name: typeof group.name === 'string' ? group.name : group.id }]
      : [],
  );
}

function personBack(way: Way, step: JournalStep, record: KeptRecord, personId: string): void {
  const { losses, steps, present, zone } = way;
  const { name, changes } = record;
  const had = (field: string): readonly unknown[] => [changes.find((one) => one.field === field)?.before ?? []].flat();
  const roles = had('roles').filter(isObject);
  const roleIds = roles.flatMap(({ id }) => (typeof id === 'string' ? id : []));
  if (roleIds.length > 0) {
    const names = { before: null, after: roles.map((role) => String(role.name ?? role.id)) };
    const change = { field: 'roleIds', before: [], after: roleIds, names };
    steps.push(
      stepOf({ kind: personKind.noun, action: 'update', name, id: null, changes: [change] }, () =>
        changeRequests(personKind, personId, {}, [change]),
      ),
    );
  }
  losses.push(`${name}: the service does not say which group was its own, so it comes back without one.`);
  const tokens = had('driverTokens').length;
  if (tokens > 0) {
    losses.push(
      `${name}: ${tokens === 1 ? 'its driver token does' : `its ${tokens} driver tokens do`} not come back, because the journal does not keep their values.`,
    );
  }
  const deletedAt = step.at;
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
    steps.push(stepOf(assignment, () => [requestOf({ kind: 'assign', pair, at, end })]));
  }
}

function stepOf(record: PlannedChange, requests: () => readonly Request[]): PlanStep {
  return { line: null, source: null, record, requests };
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

/** The names that the journal has for these ids. */
function withKeptNames(change: MemberChange, kept: readonly KeptChange[]): MemberChange {
  const recorded = kept.find(({ field }) => field === change.field);
  if (!recorded?.names || !isSameJson(change.before, recorded.after)) return change;
  return { ...change, names: { before: recorded.names.after, after: recorded.names.before } };
}

function namesOf(changes: readonly KeptChange[]): (id: string) => string {
  const names = new Map<string, string>();
  for (const { before, after, names: known } of changes) {
    for (const [ids, texted] of [
      [before, known?.before],
      [after, known?.after],
    ]) {
      if (!Array.isArray(ids) || !Array.isArray(texted)) continue;
      for (const [index, id] of ids.entries())
        if (typeof texted[index] === 'string') names.set(String(id), texted[index]);
    }
  }
  return (id) => names.get(id) ?? id;
}

function texts(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).filter((one) => typeof one === 'string');
}

/** With the new ids in the place of the old ones. @throws CliError GRAPHQL when a record that it needs was not created */
function renewedAll(
  requests: readonly Request[],
  created: ReadonlyMap<string, string>,
  reborn: Reborn,
): readonly Request[] {
  if (reborn.size === 0) return requests;
  const renewed = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const key = reborn.get(value);
      if (key === undefined) return value;
      const id = created.get(key);
      if (id !== undefined) return id;
      throw new CliError('GRAPHQL', `"${key}" was not created.`, { undone: 'sent' });
    }
    if (Array.isArray(value)) return value.map(renewed);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renewed(member)]));
  };
  return requests.map((one) => ({ ...one, variables: Object(renewed(one.variables)) }));
}
