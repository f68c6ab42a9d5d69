// `fleet vehicles types`: the kinds of vehicles that a vehicle can be said to be.
import { operations } from '../../../generated/operation-table.js';
import { call } from '../../call.js';
import { type DefineCommand, examples } from '../../command.js';
import { connect } from '../../connect.js';
import { type Context, printRows } from '../../context.js';
import { listShape } from '../../shape/shape.js';
import { tolerate } from '../../shortfall.js';
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
