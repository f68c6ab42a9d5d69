// `fleet vehicles list`: lists the visible vehicles.
import { joinTrees } from '../../../contract/selection/tree.js';
import { operations } from '../../../generated/operation-table.js';
import { connect } from '../../connection/connect.js';
import { listRows } from '../../connection/list-rows.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import {
  addMemberFlags,
  hasMemberFlags,
  type MemberFlags,
  memberSelection,
  membership,
} from '../../find/membership.js';
import { type DeletedFlag, deletedFlag, deletedHelp } from '../../shape/deleted.js';
import { filterHelp } from '../../shape/filter.js';
import { listShape } from '../../shape/list-shape.js';
import { vehicleView } from '../../views/vehicle.js';

interface ListFlags extends DeletedFlag, MemberFlags {
  readonly active?: true;
}

export const defineList: DefineCommand = (noun, open) => {
  const command = noun
    .command('list')
    .description('list the vehicles visible to the user (getVehicles, getActiveVehicles)')
    .option('--active', 'leave out deactivated vehicles')
    .option(deletedFlag, deletedHelp);
  addMemberFlags(command)
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles list', 'a table; tsv in a pipe'],
        ['fleet vehicles list --active -o json', 'all default fields, as an array'],
        ['fleet vehicles list -o csv > vehicles.csv', 'for a spreadsheet'],
        ['fleet vehicles list -o ndjson', 'a line per vehicle, printed while they arrive'],
        ['fleet vehicles list --fields name,lastData.gps.speed --sort -lastData.gps.speed', ''],
        ['fleet vehicles list --group "Long haul"', 'those of the groups below it too'],
        ['fleet vehicles list --filter vehicleType.name=Truck --filter "year<2020"', 'both must match'],
      ) + filterHelp,
    )
    .action((flags: ListFlags) => list(open(), flags));
};

async function list(context: Context, flags: ListFlags): Promise<void> {
  const operation = flags.active ? 'getActiveVehicles' : 'getVehicles';
  const shape = listShape(context, vehicleView, operations[operation], flags.deleted === true);
  const client = await connect(context);
  if (!hasMemberFlags(flags)) {
    const vehicles = await listRows(context, client, operation, shape.options);
    return printRows(context, shape.rows(vehicles), shape.view, 'No vehicle is visible to this user.');
  }
  const { select } = shape.options;
  // The default selection has them already.
  const options = select === undefined ? {} : { select: joinTrees(select, memberSelection) };
  const isMember = await membership(context, client, flags);
  const vehicles = await listRows(context, client, operation, options, isMember);
  await printRows(context, shape.rows(vehicles), shape.view, 'There is no such vehicle.');
}
