// `fleet vehicles apply`: makes vehicles what a file says of them. The service creates and deletes no vehicles, so neither does a file.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import { isObject } from '../../../core/json.js';
import type { WantedInput } from '../../apply/load-wanted.js';
import type { FileRecord } from '../../apply/plan-records.js';
import { slipInField } from '../../change/custom-field.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { refusal } from '../../errors/cli-error.js';
import type { Members } from '../../records/differences.js';
import { vehicleKind } from '../../records/vehicle.js';
import type { VehicleRow } from '../../views/vehicle-row.js';
import { defineApply } from '../shared/apply-records.js';

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

const fields = 'customFields';

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

const input: Omit<WantedInput, 'kind'> = {
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
      kind: vehicleKind,
      select,
      input,
      check: refuseNearlyKnownFields,
      description:
        'make vehicles what a file says of them: fields, custom fields, labels and groups; safe to run again (updateVehicle, updateVehicleCustomField, changeVehicleGroups)',
      file: 'csv, xlsx, tsv, JSON or YAML with the columns of `fleet vehicles list -o csv`, labels, groups, and customFields.<name> (- for stdin)',
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
