// `fleet vehicles sensors`: lists the sensors of vehicles.
import type { Sensor } from '../../../index.js';
import { call } from '../../connection/call.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { addVehicleFlags, type VehicleFlags, vehiclesArgument } from '../../find/vehicles.js';
import { sensorView } from '../../views/sensor.js';
import { printParts, type VehiclePart } from './parts-of-several.js';

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
    .action((vehicles: readonly string[], flags: VehicleFlags) => printParts(open(), vehicles, flags, mappedSensors));
};

const mappedSensors: VehiclePart<Sensor> = {
  operation: 'getVehicleMappedSensors',
  read: (client, vehicleId, options) => call(client, 'getVehicleMappedSensors', { vehicleId }, options),
  view: sensorView,
  noun: 'sensors',
};
