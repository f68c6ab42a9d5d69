// `fleet devices`: tracking devices. The service has no list of them, so they are requested by id or serial number.
import { operations } from '../../generated/operation-table.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRecord, printRows } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import { listShape, recordShape } from '../shape/list-shape.js';
import { deviceView } from '../views/device.js';

interface GetFlags {
  readonly serial?: string;
}

/** A hint, because devices are listed only with vehicles. */
const deviceListHint = '`fleet vehicles list --fields name,assignedDevices` shows the devices in vehicles.';

export const define: DefineCommand = (noun, open) => {
  const lines = examples(
    ['fleet devices get --serial 351296564782851', 'by serial number, as a list'],
    ['fleet devices get d16cc984-19ce-5cb7-a811-899ff9cd17f4', 'by id'],
    ['fleet vehicles list --fields name,assignedDevices', 'the devices in vehicles'],
  );
  noun.addHelpText('after', lines);
  noun
    .command('get')
    .description('show one device (getDeviceById), or all with a serial number (getDevicesBySerial)')
    .argument('[id]', 'id of the device')
    .option('--serial <serial>', 'all devices with this serial number, as a list')
    .addHelpText('after', lines)
    .action((id: string | undefined, flags: GetFlags) => get(open(), id, flags));
};

async function get(context: Context, idArgument: string | undefined, { serial }: GetFlags): Promise<void> {
  if (serial?.trim() === '') {
    throw new CliError('USAGE', 'The serial number is empty.', {
      hint: 'For example `fleet devices get --serial <serial>`.',
    });
  }
  if (serial !== undefined && idArgument === undefined) return getBySerial(context, serial);
  if (idArgument === undefined || serial !== undefined) {
    throw new CliError('USAGE', 'Give either the id of the device or --serial.', {
      hint: 'For example `fleet devices get --serial <serial>`.',
    });
  }
  const id = idArgument.trim();
  if (!looksLikeId(id)) {
    throw new CliError('USAGE', `"${id}" is not an id of a device.`, {
      hint: `For a serial number: \`fleet devices get --serial ${id}\`.`,
    });
  }
  const shape = recordShape(context, deviceView, operations.getDeviceById);
  const client = await connect(context);
  const device = await allowPartial(context, (options) =>
    call(client, 'getDeviceById', { id }, { ...options, ...shape.options }),
  ).catch((error: unknown) => {
    // Some services answer an unknown id with null, others with an error.
    if (error instanceof CliError && error.code === 'NOT_FOUND') return null;
    throw error;
  });
  if (device === null) throw notFound(`There is no device with the id ${id}.`);
  await printRecord(context, shape.record(device), shape.view);
}

async function getBySerial(context: Context, serial: string): Promise<void> {
  const shape = listShape(context, deviceView, operations.getDevicesBySerial);
  const client = await connect(context);
  const devices = await allowPartial(context, (options) =>
    call(client, 'getDevicesBySerial', { serial: serial.trim() }, { ...options, ...shape.options }),
  );
  if (devices.length === 0) throw notFound(`There is no device with the serial number ${serial}.`);
  await printRows(context, shape.rows(devices), shape.view, '');
}

function notFound(message: string): CliError {
  return new CliError('NOT_FOUND', message, { hint: deviceListHint });
}
