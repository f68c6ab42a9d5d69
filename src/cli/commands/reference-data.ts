// The read-only nouns labels, roles, rules, schedules and sensors, and `fleet vehicles types`.
import type { Command } from 'commander';
import type { PlainListQuery } from '../../contract/selection/types.js';
import { type DefineCommand, examples, type OpenContext } from '../context/define-command.js';
import {
  labelKind,
  metaSensorView,
  roleKind,
  ruleKind,
  scheduleKind,
  vehicleTypeKind,
} from '../records/reference-data.js';
import { defineList, type ListCommand } from './shared/define-list.js';
import { defineGetRecords } from './shared/get-records.js';

type Lines = readonly (readonly [command: string, about: string])[];

export const labels = noun(
  {
    description: 'list the labels of the fleet (getLabels)',
    operation: 'getLabels',
    view: labelKind.view,
    emptyText: 'The fleet has no labels.',
  },
  [
    ['fleet labels list', ''],
    ['fleet vehicles update "Truck 07" --label Leased', 'give a vehicle a label'],
  ],
);

export const roles = noun(
  {
    description: 'list the roles of the fleet (getRoles)',
    operation: 'getRoles',
    view: roleKind.view,
    emptyText: 'The fleet has no roles.',
  },
  [
    ['fleet roles list', ''],
    ['fleet people set-roles "Anna Lind" Dispatcher', 'give a person a role'],
  ],
);

export const sensors = noun(
  {
    description: 'list the sensors of the fleet, with their keys in snapshots (getMetaSensors)',
    operation: 'getMetaSensors',
    view: metaSensorView,
    emptyText: 'The fleet has no sensors.',
  },
  [
    ['fleet sensors list', ''],
    ['fleet vehicles sensors "Truck 07"', 'the sensors of one vehicle'],
  ],
);

export const rules = noun(
  {
    description: 'list the event rules visible to the user (getRules)',
    operation: 'getRules',
    view: ruleKind.view,
    emptyText: 'No event rule is visible to this user.',
  },
  [
    ['fleet rules list', ''],
    ['fleet rules get "Long idling"', 'the vehicles and geofences it watches'],
  ],
  [['fleet rules list --filter enabled=false', 'the disabled rules']],
  (command, open) =>
    defineGetRecords(
      command,
      open,
      ruleKind,
      'show event rules (getRuleById; several: getRules)',
      examples(['fleet rules get "Long idling" -o json', '']),
    ),
);

export const schedules = noun(
  {
    description: 'list the work schedules (getWorkSchedules)',
    operation: 'getWorkSchedules',
    view: scheduleKind.view,
    emptyText: 'No work schedule is visible to this user.',
  },
  [
    ['fleet schedules list', ''],
    ['fleet schedules get "Office hours"', 'its days and hours'],
  ],
  [['fleet schedules list -o json', 'with all periods']],
  (command, open) =>
    defineGetRecords(
      command,
      open,
      scheduleKind,
      'show work schedules (getWorkScheduleById; several: getWorkSchedules)',
      examples(['fleet schedules get "Office hours"', '']),
    ),
);

export const defineTypes: DefineCommand = (vehicles, open) =>
  defineList(vehicles, open, {
    verb: 'types',
    description: 'list the types that a vehicle can have (getVehicleTypes)',
    help: examples(
      ['fleet vehicles types', ''],
      ['fleet vehicles update "Truck 07" --type Van', 'set the type of a vehicle'],
    ),
    operation: 'getVehicleTypes',
    view: vehicleTypeKind.view,
    emptyText: 'The fleet has no vehicle types.',
  });

/** Returns a noun with `list` and the commands of `more`. `ofList`: examples of `list`. */
function noun<Name extends PlainListQuery>(
  list: Omit<ListCommand<Name>, 'help'>,
  lines: Lines,
  ofList: Lines = lines,
  more?: (command: Command, open: OpenContext) => void,
): { readonly define: DefineCommand } {
  return {
    define: (command, open) => {
      command.addHelpText('after', examples(...lines));
      defineList(command, open, { ...list, help: examples(...ofList) });
      more?.(command, open);
    },
  };
}
