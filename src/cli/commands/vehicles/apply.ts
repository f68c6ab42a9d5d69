// `fleet vehicles apply`: makes vehicles what a file says of them. The service creates and deletes no vehicles, so neither does a file.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import { isObject } from '../../../core/json.js';
import type { FleetClient } from '../../../index.js';
import type { WantedInput } from '../../apply/load-wanted.js';
import { type FileRecord, type Target, textOf } from '../../apply/plan-records.js';
import type { Members } from '../../change/change-spec.js';
import { slipInField } from '../../change/custom-field.js';
import { presentMembers } from '../../change/describe.js';
import { memberDifferences } from '../../change/differences.js';
import { mapAll } from '../../change/draft-changes.js';
import { lookupOf } from '../../change/lookup.js';
import type { Request } from '../../change/plan.js';
import type { MemberChange } from '../../change/record-change.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { CliError, refusal } from '../../errors/cli-error.js';
import { groupKind, labelKind, scheduleKind, vehicleKind, vehicleTypeKind } from '../../find/kinds.js';
import { matchesOf } from '../../find/match.js';
import { looksLikeId } from '../../parse/user-selector.js';
import { vehicleView } from '../../views/vehicle.js';
import type { VehicleRow } from '../../views/vehicle-row.js';
import { defineApply, type Referred } from '../shared/apply-records.js';
import { vehicleSubject } from './reference.js';

const select: SelectionTree = {
  ...vehicleKind.identity,
  make: true,
  model: true,
  year: true,
  deactivated: true,
  vehicleType: { id: true, name: true },
  workSchedule: { id: true, name: true },
  assignedLabels: { id: true, name: true },
  assignedGroups: { id: true, name: true },
  customFields: { name: true, value: true },
};

const target: Target<VehicleRow> = {
  noun: 'vehicle',
  plural: 'vehicles',
  listCommand: 'fleet vehicles list',
  id: ({ id }) => id,
  keys: [],
  nameOf: ({ name, licensePlate, vin }) => textOf(name) ?? textOf(licensePlate) ?? textOf(vin) ?? '',
  match,
  differences: (members, row) => memberDifferences(members, presentMembers(row, vehicleSubject)),
  create: null,
  remove: null,
  change: (vehicleId, { groupIds: _groups, customFields: _fields, ...vehicleInput }, _created, changes) => [
    ...(Object.keys(vehicleInput).length > 0
      ? [{ operation: 'updateVehicle', variables: { vehicleId, vehicleInput }, idempotent: true } as const]
      : []),
    ...groupRequests(vehicleId, changes),
    ...fieldRequests(vehicleId, changes),
  ],
};

function groupRequests(vehicleId: string, changes: readonly MemberChange[]): readonly Request[] {
  return changes.flatMap(({ field, before, after }): readonly Request[] => {
    if (field !== 'groupIds') return [];
    const [was, is] = [[before].flat(), [after].flat()];
    const addGroupIds = is.filter((id) => id !== null && !was.includes(id));
    const removeGroupIds = was.filter((id) => id !== null && !is.includes(id));
    const changeVehicleGroupsInput = {
      ...(addGroupIds.length > 0 ? { addGroupIds } : {}),
      ...(removeGroupIds.length > 0 ? { removeGroupIds } : {}),
    };
    // Joining or leaving a group twice has no further effect.
    return [{ operation: 'changeVehicleGroups', variables: { vehicleId, changeVehicleGroupsInput }, idempotent: true }];
  });
}

function fieldRequests(vehicleId: string, changes: readonly MemberChange[]): readonly Request[] {
  return changes.flatMap(({ field, after }): readonly Request[] => {
    if (!field.startsWith(`${fields}.`)) return [];
    const name = field.slice(fields.length + 1);
    const variables = { vehicleId, field: { name, value: after } };
    return [{ operation: 'updateVehicleCustomField', variables, idempotent: true }];
  });
}

const fields = 'customFields';

/** By id or any of its names in the column `id`; else by the first of name, plate and VIN that a vehicle has. */
function match({ id, members }: FileRecord, known: readonly VehicleRow[]): VehicleRow | null | string {
  if (id !== null) return only(id, matchesOf(vehicleKind, id, known, false));
  for (const member of ['name', 'licensePlate', 'vin'] as const) {
    const text = textOf(members[member]);
    if (text === null) continue;
    const kind = { ...vehicleKind, id: () => null, texts: (row: VehicleRow) => [row[member]] };
    const found = only(text, matchesOf(kind, text, known, false));
    if (found !== null) return found;
  }
  return null;
}

function only(text: string, matches: readonly VehicleRow[]): VehicleRow | null | string {
  const [first, ...others] = matches;
  return others.length === 0 ? (first ?? null) : `there are ${others.length + 1} vehicles with the name "${text}"`;
}

/** Members that are ids, and the kinds of records that they are of. */
const references = {
  vehicleTypeId: lookupOf(vehicleTypeKind),
  workScheduleId: lookupOf(scheduleKind),
  labelIds: lookupOf(labelKind),
  groupIds: lookupOf(groupKind),
};

/** Replaces names by ids, with one request for the lists. @throws CliError USAGE that lists every name that is not clear */
async function refer(
  wanted: readonly FileRecord[],
  known: readonly VehicleRow[],
  context: Context,
  client: FleetClient,
): Promise<Referred> {
  refuseNearlyKnownFields(context, wanted, known);
  const found = new Map<string, string | CliError>();
  const names = new Map(relatedNames(known));
  await Promise.all(
    Object.entries(references).map(async ([member, lookup]) => {
      const texts = [...new Set(wanted.flatMap(({ members }) => textsIn(members[member])))];
      if (texts.every(looksLikeId)) return;
      const { ids, records } = await lookup.find(context, client, texts, {});
      for (const [id, { name }] of records) names.set(id, name);
      for (const [index, text] of texts.entries()) found.set(`${member} ${text}`, ids[index] ?? text);
    }),
  );
  const referring = mapAll(wanted, (one): FileRecord => {
    const replaced = Object.keys(references).flatMap((member): readonly (readonly [string, unknown])[] => {
      const value = one.members[member];
      const ids = textsIn(value).map((text) => {
        const id = found.get(`${member} ${text}`) ?? text;
        if (!(id instanceof CliError)) return id;
        throw refusal(`${one.where}, ${member}: ${id.problem}`, { hint: id.hint });
      });
      if (Array.isArray(value)) return [[member, ids]];
      return typeof value === 'string' && value !== '' ? [[member, ids[0]]] : [];
    });
    return { ...one, members: { ...one.members, ...Object.fromEntries(replaced) } };
  });
  return { wanted: referring, names };
}

function relatedNames(known: readonly VehicleRow[]): readonly (readonly [string, string])[] {
  const records = known.flatMap(({ vehicleType, workSchedule, assignedLabels, assignedGroups }) => [
    vehicleType,
    workSchedule,
    ...(assignedLabels ?? []),
    ...(assignedGroups ?? []),
  ]);
  return records.flatMap((record) => (record?.id && record.name ? [[record.id, record.name] as const] : []));
}

function textsIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((text) => typeof text === 'string').filter((text) => text !== '');
}

function refuseNearlyKnownFields(
  { report }: Context,
  wanted: readonly FileRecord[],
  known: readonly VehicleRow[],
): void {
  const given = new Set(wanted.flatMap(({ members }) => fieldsIn(members.customFields).map(({ name }) => name)));
  for (const name of given) {
    const slip = slipInField(report, name, 'vehicle', known);
    if (slip) throw refusal(slip.problem, { hint: slip.hint });
  }
}

interface Field {
  readonly name: string;
  readonly value: unknown;
}

function fieldsIn(value: unknown): readonly Field[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((field) =>
    isObject(field) && typeof field.name === 'string' ? [{ name: field.name, value: field.value ?? null }] : [],
  );
}

/** Custom fields may be an object of names and values, as the columns of a table are. */
function read(members: Members, where: string): Members {
  const given = members[fields];
  if (given === undefined) return members;
  const list = isObject(given) ? Object.entries(given).map(([name, value]) => ({ name, value })) : fieldsIn(given);
  if (Array.isArray(given) ? list.length === given.length : isObject(given)) return { ...members, [fields]: list };
  throw refusal(`${where}${fields} is neither an object nor a list of names and values.`, {
    hint: 'Write {"Cost centre": "4100"}.',
  });
}

const input: WantedInput = {
  type: 'VehicleInput',
  printed: { type: 'Vehicle', views: [vehicleView] },
  more: [{ name: 'groupIds', type: '[UUID!]' }],
  open: fields,
  // What `fleet vehicles list -o csv` prints, and the words of the flags.
  columns: {
    'assignedLabels.name': 'labelIds',
    'assignedGroups.name': 'groupIds',
    'vehicleType.name': 'vehicleTypeId',
    'workSchedule.name': 'workScheduleId',
    labels: 'labelIds',
    groups: 'groupIds',
    type: 'vehicleTypeId',
    schedule: 'workScheduleId',
    plate: 'licensePlate',
    vehicle: 'id',
    vehicleId: 'id',
  },
  read,
  apart: ['groupIds', fields],
};

export const defineApplyVehicles: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    {
      target,
      list: 'getVehicles',
      select,
      input,
      refer,
      description:
        'make vehicles what a file says of them: fields, custom fields, labels and groups; safe to run again (updateVehicle, updateVehicleCustomField, changeVehicleGroups)',
      file: 'csv, xlsx, tsv, JSON or YAML with the names that `update --skeleton` prints, groupIds, and customFields.<name> (- for stdin)',
    },
    `${examples(
      ['fleet vehicles list -o csv > vehicles.csv', 'edit it in a spreadsheet, and then:'],
      ['fleet vehicles apply vehicles.csv', 'the plan, a question, then the changes'],
      ['fleet vehicles apply vehicles.csv --dry-run', 'the plan only; exit code 10 when something differs'],
    )}

The first line of such a file: name;licensePlate;labels;customFields.Cost centre
A vehicle is found by the column id, which takes a name, plate or VIN too, else by name, plate or VIN. Labels and groups
are ids or names with ; between them, and replace the earlier ones. No vehicle is created or deleted: the service has no
such operation.`,
  );
