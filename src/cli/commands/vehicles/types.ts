// `fleet vehicles types`: the types that a vehicle can have.
import { type DefineCommand, examples } from '../../context/define-command.js';
import { vehicleTypeView } from '../../views/vehicle-type.js';
import { defineList } from '../shared/define-list.js';

export const defineTypes: DefineCommand = (noun, open) =>
  defineList(noun, open, {
    verb: 'types',
    description: 'list the types that a vehicle can have (getVehicleTypes)',
    help: examples(
      ['fleet vehicles types', ''],
      ['fleet vehicles update "Truck 07" --type Van', 'set the type of a vehicle'],
    ),
    operation: 'getVehicleTypes',
    view: vehicleTypeView,
    emptyText: 'The fleet has no vehicle types.',
  });
