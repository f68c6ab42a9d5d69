// `fleet vehicles sensors`: lists the sensors of one vehicle.
import { operations } from '../../../generated/operation-table.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import { listShape } from '../../shape/list-shape.js';
import { sensorView } from '../../views/sensor.js';
import { listOf } from './reference.js';

export const defineSensors: DefineCommand = (noun, open) => {
  noun
    .command('sensors')
    .description('list the sensors mapped to a vehicle (getVehicleMappedSensors)')
    .argument('<vehicle>', 'id, or a name, plate or VIN, or a unique part of one')
    .addHelpText(
      'after',
      examples(['fleet vehicles sensors "Truck 07"', ''], ['fleet sensors list', 'all sensors of the fleet']),
    )
    .action((vehicle: string) => sensors(open(), vehicle));
};

async function sensors(context: Context, vehicle: string): Promise<void> {
  const shape = listShape(context, sensorView, operations.getVehicleMappedSensors);
  const client = await connect(context);
  const rows = await listOf(context, client, vehicle, (vehicleId) =>
    allowPartial(context, (options) =>
      call(client, 'getVehicleMappedSensors', { vehicleId }, { ...options, ...shape.options }),
    ),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The vehicle has no sensors.');
}
