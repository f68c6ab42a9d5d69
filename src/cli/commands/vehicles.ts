// `fleet vehicles`: lists, shows and changes vehicles, with their fields, sensors and groups.

import type { SelectionTree } from '../../contract/selection/tree.js';
import type { CustomField, Sensor } from '../../index.js';
import { call } from '../connection/call.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { addVehicleFlags, type VehicleFlags, vehiclesArgument } from '../find/vehicles.js';
import { vehicleKind } from '../records/vehicle.js';
import { customFieldView } from '../views/custom-field.js';
import { sensorView } from '../views/sensor.js';
import { defineTypes } from './reference-data.js';
import { defineApply } from './shared/apply-records.js';
import { defineSetField } from './shared/define-set-field.js';
import { choosesVehicles, chosenVehicles } from './vehicles/chosen.js';
import { defineGet } from './vehicles/get.js';
import { defineVehicleGroups } from './vehicles/groups.js';
import { defineVehicleList } from './vehicles/list.js';
import { defineMove } from './vehicles/move.js';
import { defineNear } from './vehicles/near.js';
import { printParts, type VehiclePart } from './vehicles/parts-of-several.js';
import { defineStatus } from './vehicles/status.js';
import { defineUpdate } from './vehicles/update.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet vehicles list', 'a table; tsv in a pipe'],
      ['fleet vehicles list --active -o json', 'for a script, without deactivated vehicles'],
      ['fleet vehicles get "Truck 07"', 'by name, plate, VIN or id'],
      ['fleet vehicles update "Truck 07" --plate "593 NYM"', 'what is not given stays unchanged'],
      ['fleet vehicles apply vehicles.csv', 'make vehicles match a spreadsheet'],
      ['fleet vehicles groups "Truck 07" --add "Winter roster"', ''],
    ),
  );
  defineVehicleList(noun, open);
  defineGet(noun, open);
  defineUpdate(noun, open);
  defineApplyVehicles(noun, open);
  defineTypes(noun, open);
  defineVehicleFields(noun, open);
  defineSensors(noun, open);
  defineVehicleGroups(noun, open);
  defineMove(noun, open);
  defineStatus(noun, open);
  defineNear(noun, open);
};

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

const defineApplyVehicles: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    {
      kind: vehicleKind,
      select,
      input: { columns: { plate: 'licensePlate', vehicle: 'id', vehicleId: 'id' } },
      description:
        'make vehicles match a file: fields, custom fields, labels and groups; safe to run again (updateVehicle, updateVehicleCustomField, changeVehicleGroups)',
      file: 'csv, xlsx, tsv, JSON or YAML with the columns of `fleet vehicles list -o csv`, labels, groups, and customFields.<name> (- for stdin)',
    },
    `${examples(
      ['fleet vehicles list -o csv > vehicles.csv', 'edit it in a spreadsheet, and then:'],
      ['fleet vehicles apply vehicles.csv', 'the plan, a question, then the changes'],
      ['fleet vehicles apply vehicles.csv --dry-run', 'the plan only; exit code 10 when something differs'],
    )}

- The first line of such a file: name;licensePlate;labels;customFields.Cost centre
- The column id finds the vehicle. It takes an id, name, plate or VIN. Without it the vehicle is
  found by name, plate or VIN.
- Labels and groups are ids or names, separated by ;. They replace the earlier ones.
- No vehicle is created or deleted. The service has no such operation.`,
  );

const defineSensors: DefineCommand = (noun, open) => {
  const command = noun
    .command('sensors')
    .description('list the sensors mapped to vehicles (getVehicleMappedSensors)')
    .argument(...vehiclesArgument);
  addVehicleFlags(command)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles sensors "Truck 07"', ''],
        ['fleet vehicles sensors "Truck 07" "Van 02"', 'with the name of the vehicle in each row'],
        ['fleet vehicles sensors --group "Long haul" -o csv', ''],
        ['fleet sensors list', 'all sensors of the fleet'],
      )}`,
    )
    .action((vehicles: readonly string[], flags: VehicleFlags) => printParts(open(), vehicles, flags, mappedSensors));
};

const mappedSensors: VehiclePart<Sensor> = {
  operation: 'getVehicleMappedSensors',
  read: (client, vehicleId, options) => call(client, 'getVehicleMappedSensors', { vehicleId }, options),
  view: sensorView,
  noun: 'sensors',
};

const defineVehicleFields: DefineCommand = (noun, open) => {
  const list = noun
    .command('fields')
    .description('list the custom fields of vehicles (getVehicleCustomFields)')
    .argument(...vehiclesArgument);
  addVehicleFlags(list)
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles fields "Truck 07"', ''],
        ['fleet vehicles fields "Truck 07" --filter "name=Cost centre" -o json', ''],
        ['fleet vehicles fields --filter "name=Cost centre" -o csv', 'of all vehicles, with their names'],
      ),
    )
    .action((vehicles: readonly string[], flags: VehicleFlags) => printParts(open(), vehicles, flags, customFields));

  defineSetField(noun, open, {
    kind: vehicleKind,
    description: 'set the value of a custom field of vehicles (updateVehicleCustomField)',
    argument: ['[vehicle]', 'id, name, plate or VIN; leave out with --input or flags that choose vehicles'],
    listVerb: 'fleet vehicles fields',
    help: examples(
      ['fleet vehicles set-field "Truck 07" "Cost centre" 4000', ''],
      ['fleet vehicles set-field "Truck 07" "Cost centre" ""', 'clear the field'],
      ['fleet vehicles set-field "Truck 07" "Cost centre" -- -5', 'a value that begins with a dash'],
      [
        'fleet vehicles set-field "Cost centre" 4300 --group Deliveries',
        'of several: the plan, a question, then the changes',
      ],
      ['fleet vehicles set-field "Cost centre" 4300 --filter "name=Van*" --dry-run', 'the plan only'],
    ),
    several: {
      addFlags: (command) => addVehicleFlags(command),
      areChosen: choosesVehicles,
      named: chosenVehicles,
    },
    read: customFields.read,
  });
};

const customFields: VehiclePart<CustomField> = {
  operation: 'getVehicleCustomFields',
  read: (client, vehicleId, options) => call(client, 'getVehicleCustomFields', { vehicleId }, options),
  view: customFieldView,
  noun: 'custom fields',
};
