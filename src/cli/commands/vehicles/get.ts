// `fleet vehicles get`: shows one vehicle by name, plate, VIN or id, or all with a VIN.
import { operations } from '../../../generated/operation-table.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRecord, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { vehicleKind } from '../../find/kinds.js';
import { findRecord } from '../../find/record.js';
import { listShape, recordShape } from '../../shape/list-shape.js';
import { vehicleView } from '../../views/vehicle.js';

interface GetFlags {
  readonly vin?: string;
}

export const defineGet: DefineCommand = (noun, open) => {
  noun
    .command('get')
    .description('show one vehicle (getVehicleById, getVehiclesByVin)')
    .argument('[vehicle]', 'id, or a name, plate or VIN, or a unique part of one')
    .option('--vin <vin>', 'all vehicles with this VIN, as a list')
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles get "Truck 07"', ''],
        ['fleet vehicles get "Truck 07" -o json', 'all default fields, as an object'],
        ['fleet vehicles get --vin WMA06XZZ0SN000016 -o json', 'as an array'],
        ['fleet vehicles get "Truck 07" --fields name,lastData.gps', 'only these fields'],
      ),
    )
    .action((vehicle: string | undefined, flags: GetFlags) => get(open(), vehicle, flags));
};

async function get(context: Context, vehicle: string | undefined, { vin }: GetFlags): Promise<void> {
  if ((vehicle === undefined) === (vin === undefined)) {
    throw new CliError('USAGE', 'Give either a vehicle as an argument or --vin.', {
      hint: 'For example `fleet vehicles get "Truck 07"`, or `fleet vehicles get --vin <vin>`.',
    });
  }
  if (vin?.trim() === '') {
    throw new CliError('USAGE', 'The VIN is empty.', { hint: 'For example `fleet vehicles get --vin <vin>`.' });
  }
  if (vin !== undefined) return getByVin(context, vin);
  const shape = recordShape(context, vehicleView, operations.getVehicleById);
  const client = await connect(context);
  const found = await findRecord(context, client, vehicleKind, vehicle ?? '', { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}

async function getByVin(context: Context, vin: string): Promise<void> {
  const shape = listShape(context, vehicleView, operations.getVehiclesByVin);
  const client = await connect(context);
  const vehicles = await allowPartial(context, (options) =>
    call(client, 'getVehiclesByVin', { vin }, { ...options, ...shape.options }),
  );
  if (vehicles.length === 0) {
    throw new CliError('NOT_FOUND', `There is no vehicle with the VIN ${vin}.`, {
      hint: '`fleet vehicles list` lists all of them.',
    });
  }
  await printRows(context, shape.rows(vehicles), shape.view, '');
}
