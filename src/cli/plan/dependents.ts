// Reads the dependents of records before a deletion, in one request. The plan lists them, and the
// journal stores them for undo.
import type { FleetClient } from '../../index.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { vehicleNames } from '../connection/vehicle-names.js';
import { type Context, serviceNow } from '../context/context.js';
import { Report } from '../context/report.js';
import { printOrDefer } from '../input/load-input.js';
import type { DependentRecord, Dependents, JournaledAssignment } from '../journal/entry.js';
import { geofenceKind } from '../records/geofence.js';
import { groupKind } from '../records/group.js';
import { personKind } from '../records/person.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import type { AssignmentRow } from '../views/assignment.js';
import { namesText } from '../views/humanize.js';
import { type PlanStep, recordsOf } from './plan.js';
import type { PlannedChange } from './record-change.js';

/** Returns the steps with the dependents of each deleted record, as data and as text. */
export async function withDependents(
  context: Context,
  open: () => Promise<FleetClient>,
  steps: readonly PlanStep[],
): Promise<readonly PlanStep[]> {
  const deletedRecords = steps.flatMap(recordsOf).filter(({ action, id }) => action === 'delete' && id !== null);
  if (deletedRecords.length === 0) return steps;
  const moved = new Set(
    steps.flatMap(({ record }) => (record.changes.some(({ field }) => field === 'parentId') ? (record.id ?? []) : [])),
  );
  const dependents = await readDependents(context, open, deletedRecords, moved);
  remarkOnSubgroups(context, deletedRecords, dependents);
  const now = serviceNow(context);
  const complete = (record: PlannedChange): PlannedChange => {
    if (record.action !== 'delete') return record;
    const found = dependents.get(record.id ?? '');
    const one = found ? { ...record, dependents: found } : record;
    const attachedText = attachedTexts(one, now).join(', ');
    return attachedText === '' ? one : { ...one, effect: attachedText };
  };
  return steps.map((step) => ({
    ...step,
    record: complete(step.record),
    ...(step.effects ? { effects: step.effects.map(complete) } : {}),
  }));
}

/** Adds a remark for deleted groups with subgroups, which the contract does not define. */
function remarkOnSubgroups(
  { report }: Context,
  deletedRecords: readonly PlannedChange[],
  dependents: ReadonlyMap<string, Dependents>,
): void {
  const above = deletedRecords.filter(({ id }) => (dependents.get(id ?? '')?.groups ?? []).length > 0);
  if (above.length === 0) return;
  const [have, them] = above.length === 1 ? ['has', 'it'] : ['have', 'them'];
  report.remark(
    `${namesText(above.map(({ name }) => name))} ${have} groups below ${them}, and the service may refuse to delete ${them}. Delete those groups in the same command, or move them first: \`fleet groups update <group> --parent <group>\`.`,
  );
}

/** Returns the dependents by record id. A failed read does not stop the deletion. */
async function readDependents(
  context: Context,
  open: () => Promise<FleetClient>,
  deletedRecords: readonly PlannedChange[],
  moved: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Dependents>> {
  const idsOf = (noun: string) => deletedRecords.flatMap(({ kind, id }) => (kind === noun && id !== null ? [id] : []));
  const geofences = idsOf(geofenceKind.noun);
  const groups = idsOf(groupKind.noun);
  const people = idsOf(personKind.noun);
  if (geofences.length + groups.length + people.length === 0) return new Map();
  const client = await open();
  // A separate report: gaps in these answers do not concern the command's own result.
  const own = { ...context, report: new Report() };
  try {
    const [rules, children, names, assignments] = await Promise.all([
      geofences.length + groups.length > 0
        ? allowPartial(own, (options) => call(client, 'getRules', {}, { ...options, select: ruleSelection }))
        : [],
      groups.length > 0
        ? allowPartial(own, (options) => call(client, 'getGroups', {}, { ...options, select: childSelection }))
        : [],
      people.length > 0 ? vehicleNames(own, client) : new Map<string, string>(),
      Promise.all(
        people.map((driverId) =>
          allowPartial(own, (options) => call(client, 'getDriverAssignments', { input: { driverId } }, options)),
        ),
      ),
    ]);
    const now = serviceNow(context);
    return new Map<string, Dependents>([
      ...geofences.map((id) => [id, { rules: named(rules.filter((one) => one.geofenceIds?.includes(id))) }] as const),
      ...groups.map((id) => {
        const naming = rules.filter((one) => one.vehicles?.assignedGroupIds?.includes(id));
        const below = children.filter(
          ({ parentId, id: own }) => parentId === id && own && !groups.includes(own) && !moved.has(own),
        );
        return [id, { rules: named(naming), groups: named(below) }] as const;
      }),
      ...people.map((id, index) => {
        const held = (assignments[index] ?? []).flatMap((row) => openAssignment(row, names, now));
        return [id, { assignments: held }] as const;
      }),
    ]);
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    printOrDefer(
      context,
      'The references to the deleted records could not be read, so `fleet undo` could not restore them.',
    );
    return new Map();
  }
}

const ruleSelection = { id: true, name: true, geofenceIds: true, vehicles: { assignedGroupIds: true } } as const;
const childSelection = { id: true, name: true, parentId: true } as const;

function named(
  rows: readonly { readonly id?: string | null; readonly name?: string | null }[],
): readonly DependentRecord[] {
  return rows.flatMap(({ id, name }) => (id ? [{ id, name: name || id }] : []));
}

/** Returns the assignment when it is current or planned. The service keeps past ones. */
function openAssignment(
  row: AssignmentRow | null,
  names: ReadonlyMap<string, string>,
  now: number,
): readonly JournaledAssignment[] {
  if (!row?.vehicleId || isMarkedDeleted(row)) return [];
  const { vehicleId } = row;
  const start = timestampMs(row.startedAt);
  const end = timestampMs(row.endedAt);
  if (start === null || (end !== null && end <= now)) return [];
  const text = (moment: number) => new Date(moment).toISOString();
  return [
    {
      vehicleId,
      vehicle: names.get(vehicleId) || vehicleId,
      startedAt: text(start),
      endedAt: end === null ? null : text(end),
    },
  ];
}

/** Returns the dependents as texts, such as `3 vehicles` and `drives Van 03`. */
function attachedTexts(
  { changes, dependents: { rules = [], groups = [], assignments = [] } = {} }: PlannedChange,
  now: number,
): readonly string[] {
  const had = (field: string) => changes.find((change) => change.field === field)?.before;
  const countOf = (field: string) => {
    const list = had(field);
    return Array.isArray(list) ? list.length : 0;
  };
  const isRunning = ({ startedAt }: (typeof assignments)[number]) => Date.parse(startedAt) <= now;
  const running = assignments.filter(isRunning);
  const holder = had('holder');
  return [
    ...counted(countOf('vehicleIds'), 'vehicle', 'vehicles'),
    ...counted(groups.length, 'group below it', 'groups below it'),
    ...ruleTexts(rules),
    ...running.map(({ vehicle }) => `drives ${vehicle}`),
    ...counted(assignments.length - running.length, 'planned assignment', 'planned assignments'),
    ...counted(countOf('driverTokens'), 'token', 'tokens'),
    ...(had('isUser') === true ? ['is a user of the service'] : []),
    ...(typeof holder === 'string' && holder !== '' ? [`identifies ${holder}`] : []),
  ];
}

/** Returns the rules as one text, such as `rules "A", "B"`; empty without rules. */
function ruleTexts(rules: readonly DependentRecord[]): readonly string[] {
  const names = rules.map(({ name }) => `"${name}"`).join(', ');
  return rules.length === 0 ? [] : [`${rules.length === 1 ? 'rule' : 'rules'} ${names}`];
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
