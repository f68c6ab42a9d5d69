// `fleet vehicles apply`: makes vehicles what a file says of them. The service creates and deletes no vehicles, so neither does a file.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { vehicleKind } from '../../records/vehicle.js';
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

export const defineApplyVehicles: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    {
      kind: vehicleKind,
      select,
      input: { columns: { plate: 'licensePlate', vehicle: 'id', vehicleId: 'id' } },
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
