// `fleet vehicles sensors`: what is wired to the device of one vehicle.
import { operations } from '../../../generated/operation-table.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { tolerate } from '../../errors/partial-result.js';
import { type DefineCommand, examples } from '../../run/command.js';
import { type Context, printRows } from '../../run/context.js';
import { listShape } from '../../shape/list-shape.js';
import { sensorView } from '../../views/sensor.js';
import { listOf } from './reference.js';

export const defineSensors: DefineCommand = (noun, open) => {
  noun
    .command('sensors')
    .description('list the sensors mapped to a vehicle (getVehicleMappedSensors)')
    .argument('<vehicle>', 'id, or a name, plate or VIN, or a part of one that fits a single vehicle')
    .addHelpText(
      'after',
      examples(['fleet vehicles sensors "Truck 07"', ''], ['fleet sensors list', 'all of the fleet']),
    )
    .action((vehicle: string) => sensors(open(), vehicle));
};

async function sensors(context: Context, vehicle: string): Promise<void> {
  const shape = listShape(context, sensorView, operations.getVehicleMappedSensors);
  const client = await connect(context);
  const rows = await listOf(context, client, vehicle, (vehicleId) =>
    tolerate(context, (options) =>
      call(client, 'getVehicleMappedSensors', { vehicleId }, { ...options, ...shape.options }),
    ),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The vehicle has no sensors.');
}
