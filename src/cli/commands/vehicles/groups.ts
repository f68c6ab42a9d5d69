// `fleet vehicles groups`: which groups a vehicle is in, and lets it join and leave some.

import { defaultTree } from '../../../contract/selection/tree.js';
import { operations } from '../../../generated/operation-table.js';
import type { FleetClient, Group } from '../../../index.js';
import { change } from '../../change/change.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { idsOf } from '../../change/plan.js';
import { connect } from '../../connection/connect.js';
import { CliError } from '../../errors/cli-error.js';
import { groupKind, vehicleKind } from '../../find/kinds.js';
import { findRecord } from '../../find/record.js';
import { repeatable } from '../../parse/repeatable.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { type Context, note, printRows } from '../../run/context.js';
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
    .argument('[vehicle]', 'id, name, plate or VIN; left out when --input says it')
    .option('--add <group>', 'a group to join, by id or name; again for the next one', repeatable)
    .option('--remove <group>', 'a group to leave, by id or name; again for the next one', repeatable);
  addChangeFlags(groups, { input: true, asks: false });
  groups
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles groups "Truck 07"', 'those it is in'],
        ['fleet vehicles groups "Truck 07" --add "Winter roster" --remove "Long haul West"', ''],
        ['fleet vehicles groups --input changes.ndjson', 'many'],
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
  const list = { into: 'input', resolve: idsOf(groupKind), list: true, needed: null } as const;
  return change(context, flags, {
    operation: 'changeVehicleGroups',
    input: { variable: 'changeVehicleGroupsInput', type: 'ChangeVehicleGroupsInput' },
    references: [
      vehicleReference(vehicle),
      { ...list, name: 'addGroupIds', said: flags.add },
      { ...list, name: 'removeGroupIds', said: flags.remove },
    ],
    flags: {},
    shown: {
      async look(_context, client, { variables }, result) {
        note(context, whatChanged(result));
        const shape = groupsShape(context);
        await printGroups(context, client, shape, String(variables.vehicleId));
      },
    },
  });
}

async function showGroups(context: Context, vehicle: string | undefined): Promise<void> {
  if (vehicle === undefined) {
    throw new CliError('USAGE', 'It is not said which: <vehicle> is missing.', {
      hint: 'For example `fleet vehicles groups "Truck 07"`.',
    });
  }
  const shape = groupsShape(context);
  await printGroups(context, await connect(context), shape, vehicle);
}

function groupsShape(context: Context): Shape<Group> {
  return listShape(context, groupView, operations.getGroups);
}

/** As much of each group as `fleet groups list` shows. */
async function printGroups(context: Context, client: FleetClient, shape: Shape<Group>, vehicle: string): Promise<void> {
  const assignedGroups = shape.options.select ?? defaultTree(operations.getGroups);
  const found = await findRecord(context, client, vehicleKind, vehicle, {
    substring: true,
    select: { id: true, assignedGroups },
  });
  // The type names what the default selection has of a vehicle's groups; more was asked for here.
  const groups = (found.assignedGroups ?? []).filter((group) => group !== null) as readonly object[] as Group[];
  await printRows(context, shape.rows(groups), shape.view, 'The vehicle is in no group.');
}

/** Of the service's answer, which names the groups that were really joined and left. */
function whatChanged(result: unknown): string {
  const count = (name: string) => {
    const ids: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, name) : null;
    return Array.isArray(ids) ? ids.length : 0;
  };
  const [added, removed] = [count('addedGroupIds'), count('removedGroupIds')];
  if (added + removed === 0) return 'Nothing changed: the vehicle is in these groups already.';
  const words = (verb: string, number: number) => (number > 0 ? [`${verb} ${number}`] : []);
  return `Groups: ${[...words('joined', added), ...words('left', removed)].join(', ')}. It is now in:`;
}
