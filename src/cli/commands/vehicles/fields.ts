// `fleet vehicles fields` and `set-field`: lists the custom fields of vehicles, and sets those of one.
import type { CustomField } from '../../../index.js';
import { call } from '../../connection/call.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { addVehicleFlags, type VehicleFlags, vehiclesArgument } from '../../find/vehicles.js';
import { vehicleKind } from '../../records/vehicle.js';
import { customFieldView } from '../../views/custom-field.js';
import { defineSetField } from '../shared/define-set-field.js';
import { choosesVehicles, chosenVehicles } from './chosen.js';
import { printParts, type VehiclePart } from './parts-of-several.js';

export const defineVehicleFields: DefineCommand = (noun, open) => {
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
