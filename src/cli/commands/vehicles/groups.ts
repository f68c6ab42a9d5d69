// `fleet vehicles groups`: lists and changes the groups of vehicles.

import { defaultTree } from '../../../contract/selection/tree.js';
import { isObject } from '../../../core/json.js';
import { operations } from '../../../generated/operation-table.js';
import type { FleetClient, Group } from '../../../index.js';
import { connect } from '../../connection/connect.js';
import { type Context, note } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import { findRecord } from '../../find/record.js';
import { addVehicleFlags, onlyVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import { repeatable } from '../../parse/repeatable.js';
import { change } from '../../plan/change.js';
import { addChangeFlags, type ChangeFlags } from '../../plan/flags.js';
import { vehicleKind } from '../../records/vehicle.js';
import { type ListShape, listShape } from '../../shape/list-shape.js';
import { groupView } from '../../views/group.js';
import { groupChange } from '../shared/group-change.js';
import { chosenVehicles } from './chosen.js';
import { type PartOf, withVehicle } from './parts-of-several.js';

interface GroupsFlags extends ChangeFlags, VehicleFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export const defineVehicleGroups: DefineCommand = (noun, open) => {
  const groups = noun
    .command('groups')
    .description('show the groups of vehicles (getVehicleById, getVehicles), or change them (changeVehicleGroups)')
    .argument('[vehicle...]', 'ids, names, plates or VINs; default: all vehicles; leave out with --input')
    .option('--add <group>', 'add them to this group, by id or name; repeat for more', repeatable)
    .option('--remove <group>', 'remove them from this group, by id or name; repeat for more', repeatable);
  addChangeFlags(groups, { several: true });
  addVehicleFlags(groups)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles groups "Truck 07"', 'list its groups'],
        ['fleet vehicles groups --label Leased', 'of several vehicles, with the name of the vehicle in each row'],
        ['fleet vehicles groups "Truck 07" --add "Winter roster" --remove "Long haul West"', ''],
        [
          'fleet vehicles groups "Truck 07" "Van 02" --add "Winter roster"',
          'several: the plan, a question, then the changes',
        ],
        ['fleet vehicles groups --label Leased --add "Winter roster" --yes', 'in a script'],
        ['fleet vehicles groups --filter "name=Van*" --remove "Winter roster" --dry-run', 'the plan only'],
        ['fleet vehicles apply vehicles.csv', 'several, from a spreadsheet with a column groups'],
      )}\n\nOf several vehicles, only those that change are sent. With several vehicles, the names of vehicles,
groups and labels are whole names.`,
    )
    .action((vehicles: readonly string[], flags: GroupsFlags) => {
      const context = open();
      return isChange(flags) ? changeGroups(context, vehicles, flags) : showGroups(context, vehicles, flags);
    });
};

function isChange({ add, remove, input, dryRun, yes, maxFailures }: GroupsFlags): boolean {
  return [add, remove, input, dryRun, yes, maxFailures].some((flag) => flag !== undefined);
}

function changeGroups(context: Context, vehicles: readonly string[], flags: GroupsFlags): Promise<void> {
  const { typed, chosen } = chosenVehicles(context, vehicles, flags);
  return change(context, flags, {
    ...groupChange(vehicleKind, typed, flags),
    chosen,
    display: {
      async print(_context, client, { variables }, result) {
        note(context, changeSummary(result));
        const shape = groupsShape(context);
        await printGroups(context, client, shape, String(variables.vehicleId));
      },
    },
  });
}

async function showGroups(context: Context, names: readonly string[], flags: VehicleFlags): Promise<void> {
  const only = onlyVehicle(names, flags);
  if (only !== null) {
    const shape = groupsShape(context);
    await printGroups(context, await connect(context), shape, only);
    return;
  }
  const shape = listShape<PartOf<Group>>(context, withVehicle(groupView), operations.getGroups);
  const choose = vehicleChoice(context, names, flags);
  const assignedGroups = shape.options.select ?? defaultTree(operations.getGroups);
  const vehicles = await choose(await connect(context), { assignedGroups });
  const rows = vehicles.flatMap(({ id, name, row }) =>
    groupsIn(row).map((group) => ({ vehicle: name, vehicleId: id, ...group })),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The vehicles are not in any group.');
}

/** Casts to Group: more fields were requested than the static type has. */
function groupsIn(vehicle: { readonly assignedGroups?: readonly (object | null)[] | null } | null): readonly Group[] {
  return (vehicle?.assignedGroups ?? []).filter((group) => group !== null) as readonly object[] as Group[];
}

function groupsShape(context: Context): ListShape<Group> {
  return listShape(context, groupView, operations.getGroups);
}

async function printGroups(
  context: Context,
  client: FleetClient,
  shape: ListShape<Group>,
  vehicle: string,
): Promise<void> {
  const assignedGroups = shape.options.select ?? defaultTree(operations.getGroups);
  const found = await findRecord(context, client, vehicleKind, vehicle, {
    substring: true,
    select: { id: true, assignedGroups },
  });
  const groups = groupsIn(found);
  await printRows(context, shape.rows(groups), shape.view, 'The vehicle is not in any group.');
}

/** Returns a summary of the groups that changed, from the answer of the service. */
function changeSummary(result: unknown): string {
  const count = (name: string) => {
    const ids = isObject(result) ? result[name] : null;
    return Array.isArray(ids) ? ids.length : 0;
  };
  const [added, removed] = [count('addedGroupIds'), count('removedGroupIds')];
  if (added + removed === 0)
    return 'Nothing changed: the vehicle was already in the groups to add, and not in the groups to remove.';
  const words = (verb: string, number: number) => (number > 0 ? [`${verb} ${number}`] : []);
  return `Groups: ${[...words('added to', added), ...words('removed from', removed)].join(', ')}. The vehicle is now in:`;
}
