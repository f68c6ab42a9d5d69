// `fleet vehicles list`: lists the visible vehicles.
import { operations } from '../../../generated/operation-table.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import { listShape } from '../../shape/list-shape.js';
import { vehicleView } from '../../views/vehicle.js';

interface ListFlags {
  readonly active?: true;
}

export const defineList: DefineCommand = (noun, open) => {
  noun
    .command('list')
    .description('list the vehicles visible to the user (getVehicles, getActiveVehicles)')
    .option('--active', 'leave out deactivated vehicles')
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles list', 'a table; tsv in a pipe'],
        ['fleet vehicles list --active -o json', 'all default fields, as an array'],
        ['fleet vehicles list -o csv > vehicles.csv', 'for a spreadsheet'],
        ['fleet vehicles list --fields name,lastData.gps.speed --sort -lastData.gps.speed', ''],
        ['fleet vehicles list --filter vehicleType.name=Truck --filter "year<2020"', ''],
      ),
    )
    .action((flags: ListFlags) => list(open(), flags));
};

async function list(context: Context, flags: ListFlags): Promise<void> {
  const operation = flags.active ? 'getActiveVehicles' : 'getVehicles';
  const shape = listShape(context, vehicleView, operations[operation]);
  const client = await connect(context);
  const vehicles = await allowPartial(context, (options) =>
    call(client, operation, {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(vehicles), shape.view, 'No vehicle is visible to this user.');
}
