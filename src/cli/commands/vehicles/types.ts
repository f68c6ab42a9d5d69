// `fleet vehicles types`: the kinds of vehicles that a vehicle can be said to be.
import { operations } from '../../../generated/operation-table.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { tolerate } from '../../errors/partial-result.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { type Context, printRows } from '../../run/context.js';
import { listShape } from '../../shape/list-shape.js';
import { vehicleTypeView } from '../../views/vehicle-type.js';

export const defineTypes: DefineCommand = (noun, open) => {
  noun
    .command('types')
    .description('list the types a vehicle can have (getVehicleTypes)')
    .addHelpText(
      'after',
      examples(['fleet vehicles types', ''], ['fleet vehicles update "Truck 07" --type Van', 'what they are for']),
    )
    .action(() => types(open()));
};

async function types(context: Context): Promise<void> {
  const shape = listShape(context, vehicleTypeView, operations.getVehicleTypes);
  const client = await connect(context);
  const rows = await tolerate(context, (options) =>
    call(client, 'getVehicleTypes', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The fleet has no vehicle types.');
}
