// `fleet vehicles sensors`: lists the sensors of vehicles.
import { operations } from '../../../generated/operation-table.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import {
  addVehicleFlags,
  onlyVehicle,
  type VehicleFlags,
  vehicleChoice,
  vehiclesArgument,
} from '../../find/vehicles.js';
import { listShape } from '../../shape/list-shape.js';
import { sensorView } from '../../views/sensor.js';
import { partsOf, withVehicle } from './parts-of-several.js';
import { listOf } from './reference.js';

export const defineSensors: DefineCommand = (noun, open) => {
  const command = noun
    .command('sensors')
    .description('list the sensors mapped to vehicles (getVehicleMappedSensors)')
    .argument(...vehiclesArgument);
  addVehicleFlags(command)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles sensors "Truck 07"', ''],
        ['fleet vehicles sensors "Truck 07" "Van 02"', 'with the name of the vehicle in each row'],
        ['fleet vehicles sensors --group "Long haul" -o csv', ''],
        ['fleet sensors list', 'all sensors of the fleet'],
      )}`,
    )
    .action((vehicles: readonly string[], flags: VehicleFlags) => sensors(open(), vehicles, flags));
};

async function sensors(context: Context, names: readonly string[], flags: VehicleFlags): Promise<void> {
  const only = onlyVehicle(names, flags);
  if (only === null) return sensorsOfSeveral(context, names, flags);
  const shape = listShape(context, sensorView, operations.getVehicleMappedSensors);
  const client = await connect(context);
  const rows = await listOf(context, client, only, (vehicleId, context) =>
    allowPartial(context, (options) =>
      call(client, 'getVehicleMappedSensors', { vehicleId }, { ...options, ...shape.options }),
    ),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The vehicle has no sensors.');
}

async function sensorsOfSeveral(context: Context, names: readonly string[], flags: VehicleFlags): Promise<void> {
  const shape = listShape(context, withVehicle(sensorView), operations.getVehicleMappedSensors);
  const choose = vehicleChoice(context, names, flags);
  const client = await connect(context);
  const rows = await partsOf(context, await choose(client), 'getVehicleMappedSensors', (vehicleId, options) =>
    call(client, 'getVehicleMappedSensors', { vehicleId }, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The vehicles have no sensors.');
}
