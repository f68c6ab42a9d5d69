// `fleet vehicles`: all of them, or one by whatever people call it.
import { operations } from '../../generated/operation-table.js';
import { call } from '../call.js';
import { CliError } from '../cli-error.js';
import { type DefineCommand, examples } from '../command.js';
import { connect } from '../connect.js';
import { type Context, printRecord, printRows } from '../context.js';
import { vehicleKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { listShape, recordShape } from '../shape/shape.js';
import { tolerate } from '../shortfall.js';
import { vehicleView } from '../views/vehicle.js';
import { defineStatus } from './vehicles/status.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet vehicles list', 'a table; tsv in a pipe'],
      ['fleet vehicles list --active -o json', 'for a script, without the deactivated ones'],
      ['fleet vehicles get "Truck 7"', 'by name, plate, VIN or id'],
    ),
  );
  noun
    .command('list')
    .description('list the vehicles visible to the user (getVehicles, getActiveVehicles)')
    .option('--active', 'leave out deactivated vehicles')
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles list', 'a table; tsv in a pipe'],
        ['fleet vehicles list --active -o json', 'every default field, as an array'],
        ['fleet vehicles list -o csv > vehicles.csv', 'for a spreadsheet'],
      ),
    )
    .action((flags: { readonly active?: true }) => list(open(), flags));
  noun
    .command('get')
    .description('show one vehicle (getVehicleById, getVehiclesByVin)')
    .argument('[vehicle]', 'id, or a name, plate or VIN, or a part of one that fits a single vehicle')
    .option('--vin <vin>', 'all vehicles with exactly this VIN, as a list')
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles get "Truck 7"', ''],
        ['fleet vehicles get "Truck 7" -o json', 'every default field, as an object'],
        ['fleet vehicles get --vin WDB9634031L123456 -o json', 'as an array'],
      ),
    )
    .action((vehicle: string | undefined, flags: { readonly vin?: string }) => get(open(), vehicle, flags));
  defineStatus(noun, open);
};

async function list(context: Context, flags: { readonly active?: true }): Promise<void> {
  const operation = flags.active ? 'getActiveVehicles' : 'getVehicles';
  const shape = listShape(context, vehicleView, operations[operation]);
  const client = await connect(context);
  const vehicles = await tolerate(context, (options) => call(client, operation, {}, { ...options, ...shape.options }));
  await printRows(context, shape.rows(vehicles), shape.view, 'No vehicle is visible to this user.');
}

async function get(context: Context, vehicle: string | undefined, flags: { readonly vin?: string }): Promise<void> {
  if ((vehicle === undefined) === (flags.vin === undefined)) {
    throw new CliError('USAGE', 'Say which vehicle: either as an argument or with --vin.', {
      hint: 'For example `fleet vehicles get "Truck 7"`, or `fleet vehicles get --vin <vin>`.',
    });
  }
  const { vin } = flags;
  if (vin !== undefined) return getByVin(context, vin);
  const shape = recordShape(context, vehicleView, operations.getVehicleById);
  const client = await connect(context);
  const found = await findRecord(context, client, vehicleKind, vehicle ?? '', { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}

async function getByVin(context: Context, vin: string): Promise<void> {
  const shape = listShape(context, vehicleView, operations.getVehiclesByVin);
  const client = await connect(context);
  const vehicles = await tolerate(context, (options) =>
    call(client, 'getVehiclesByVin', { vin }, { ...options, ...shape.options }),
  );
  if (vehicles.length === 0) {
    throw new CliError('NOT_FOUND', `There is no vehicle with the VIN ${vin}.`, {
      hint: '`fleet vehicles list` shows all there are.',
    });
  }
  await printRows(context, shape.rows(vehicles), shape.view, '');
}
