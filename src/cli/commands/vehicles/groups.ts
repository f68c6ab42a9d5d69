// `fleet vehicles groups`: lists the groups of a vehicle, adds it to groups and removes it from groups.
import { defaultTree } from '../../../contract/selection/tree.js';
import { operations } from '../../../generated/operation-table.js';
import type { FleetClient, Group } from '../../../index.js';
import { change } from '../../change/change.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { idsOf } from '../../change/plan.js';
import { connect } from '../../connection/connect.js';
import { type Context, note } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { groupKind, vehicleKind } from '../../find/kinds.js';
import { findRecord } from '../../find/record.js';
import { repeatable } from '../../parse/repeatable.js';
import { listShape, type Shape } from '../../shape/list-shape.js';
import { groupView } from '../../views/group.js';
import { vehicleReference } from './reference.js';

interface GroupsFlags extends ChangeFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export const defineGroups: DefineCommand = (noun, open) => {
  const groups = noun
    .command('groups')
    .description('show the groups of a vehicle (getVehicleById), or change them (changeVehicleGroups)')
    .argument('[vehicle]', 'id, name, plate or VIN; leave out with --input')
    .option('--add <group>', 'add it to this group, by id or name; repeat for more', repeatable)
    .option('--remove <group>', 'remove it from this group, by id or name; repeat for more', repeatable);
  addChangeFlags(groups, { takesInput: true, confirms: false });
  groups
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles groups "Truck 07"', 'list its groups'],
        ['fleet vehicles groups "Truck 07" --add "Winter roster" --remove "Long haul West"', ''],
        ['fleet vehicles groups --input changes.ndjson', 'several changes'],
        ['{"vehicleId": "Truck 07", "addGroupIds": ["Winter roster"]}', 'a line of such a file'],
      ),
    )
    .action((vehicle: string | undefined, flags: GroupsFlags) =>
      isChange(flags) ? changeGroups(open(), vehicle, flags) : showGroups(open(), vehicle),
    );
};

function isChange({ add, remove, input, skeleton, dryRun }: GroupsFlags): boolean {
  return [add, remove, input, skeleton, dryRun].some((flag) => flag !== undefined);
}

function changeGroups(context: Context, vehicle: string | undefined, flags: GroupsFlags): Promise<void> {
  const list = { into: 'input', resolve: idsOf(groupKind), list: true, requiredAs: null } as const;
  return change(context, flags, {
    operation: 'changeVehicleGroups',
    input: { variable: 'changeVehicleGroupsInput', type: 'ChangeVehicleGroupsInput' },
    references: [
      vehicleReference(vehicle),
      { ...list, name: 'addGroupIds', typed: flags.add },
      { ...list, name: 'removeGroupIds', typed: flags.remove },
    ],
    flags: {},
    display: {
      async print(_context, client, { variables }, result) {
        note(context, changeSummary(result));
        const shape = groupsShape(context);
        await printGroups(context, client, shape, String(variables.vehicleId));
      },
    },
  });
}

async function showGroups(context: Context, vehicle: string | undefined): Promise<void> {
  if (vehicle === undefined) {
    throw new CliError('USAGE', '<vehicle> is missing.', {
      hint: 'For example `fleet vehicles groups "Truck 07"`.',
    });
  }
  const shape = groupsShape(context);
  await printGroups(context, await connect(context), shape, vehicle);
}

function groupsShape(context: Context): Shape<Group> {
  return listShape(context, groupView, operations.getGroups);
}

/** Shows the same fields of each group as `fleet groups list`. */
async function printGroups(context: Context, client: FleetClient, shape: Shape<Group>, vehicle: string): Promise<void> {
  const assignedGroups = shape.options.select ?? defaultTree(operations.getGroups);
  const found = await findRecord(context, client, vehicleKind, vehicle, {
    substring: true,
    select: { id: true, assignedGroups },
  });
  // The static type has only the fields of the default selection; more were requested here.
  const groups = (found.assignedGroups ?? []).filter((group) => group !== null) as readonly object[] as Group[];
  await printRows(context, shape.rows(groups), shape.view, 'The vehicle is not in any group.');
}

/** Sums up the service's answer, which has the groups that have really changed. */
function changeSummary(result: unknown): string {
  const count = (name: string) => {
    const ids: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, name) : null;
    return Array.isArray(ids) ? ids.length : 0;
  };
  const [added, removed] = [count('addedGroupIds'), count('removedGroupIds')];
  if (added + removed === 0)
    return 'Nothing changed: the vehicle was already in the groups to add, and not in the groups to remove.';
  const words = (verb: string, number: number) => (number > 0 ? [`${verb} ${number}`] : []);
  return `Groups: ${[...words('added to', added), ...words('removed from', removed)].join(', ')}. The vehicle is now in:`;
}
