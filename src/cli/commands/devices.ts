// `fleet devices`: devices by id, serial number or vehicle. The service has no list of devices.
import { defaultTree } from '../../contract/selection/tree.js';
import { operations } from '../../generated/operation-table.js';
import type { Device, FleetClient } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call, type Selecting } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import type { Context, ReportingRun } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRecord, printRows } from '../context/print.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { isNotFound } from '../errors/exit-codes.js';
import { addVehicleFlags, hasVehicleFlags, type VehicleFlags, vehicleChoice } from '../find/vehicles.js';
import { repeatable } from '../parse/repeatable.js';
import { looksLikeId } from '../parse/user-selector.js';
import { listShape, recordShape } from '../shape/list-shape.js';
import { deviceView } from '../views/device.js';
import { type PartOf, withVehicle } from './vehicles/parts-of-several.js';

interface GetFlags extends VehicleFlags {
  readonly serial?: readonly string[];
}

const deviceListHint = '`fleet devices get` without an id shows the devices in vehicles.';

export const define: DefineCommand = (noun, open) => {
  const lines = examples(
    ['fleet devices get', 'those in vehicles, with the name of the vehicle in each row'],
    ['fleet devices get --group "Long haul" -o csv', 'those in the vehicles of a group'],
    ['fleet devices get --serial 351296564782851', 'by serial number, as a list; repeat for more'],
    ['fleet devices get d16cc984-19ce-5cb7-a811-899ff9cd17f4', 'by id'],
  );
  noun.addHelpText('after', lines);
  const get = noun
    .command('get')
    .description(
      'show devices (getDeviceById), all with a serial number (getDevicesBySerial), or those in vehicles (getVehicles)',
    )
    .argument('[id...]', 'ids of devices; default: the devices in all vehicles')
    .option('--serial <serial>', 'all devices with this serial number, as a list; repeat for more', repeatable);
  addVehicleFlags(get)
    .addHelpText(
      'after',
      `${lines}\n\nOne id prints a record, with -o json an object. Several ids print a list in their order, with -o json an array.`,
    )
    .action((ids: readonly string[], flags: GetFlags) => getDevices(open(), ids, flags));
};

async function getDevices(context: Context, idArguments: readonly string[], flags: GetFlags): Promise<void> {
  const { serial } = flags;
  if (serial?.some((text) => text.trim() === '')) {
    throw new CliError('USAGE', 'The serial number is empty.', {
      hint: 'For example `fleet devices get --serial <serial>`.',
    });
  }
  const selectors = [idArguments.length > 0, serial !== undefined, hasVehicleFlags(flags)].filter(Boolean);
  if (selectors.length > 1) {
    throw refusal('Give ids of devices, or --serial, or flags that choose vehicles.', {
      hint: 'For example `fleet devices get --serial <serial>`.',
    });
  }
  if (serial !== undefined) return getBySerial(context, serial);
  if (idArguments.length === 0) return getInVehicles(context, flags);
  const ids = [...new Set(idArguments.map((id) => requireId(id.trim())))];
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) {
    const shape = recordShape(context, deviceView, operations.getDeviceById);
    const device = await getById(context, await connect(context), only, shape.options);
    return printRecord(context, shape.record(device), shape.view);
  }
  const shape = listShape(context, deviceView, operations.getDeviceById);
  const client = await connect(context);
  const devices = await Promise.all(ids.map((id) => getById(context, client, id, shape.options)));
  await printRows(context, shape.rows(devices), shape.view, '');
}

function requireId(id: string): string {
  if (looksLikeId(id)) return id;
  throw new CliError('USAGE', `"${id}" is not an id of a device.`, {
    hint: `For a serial number: \`fleet devices get --serial ${id}\`.`,
  });
}

async function getById(run: ReportingRun, client: FleetClient, id: string, selecting: Selecting): Promise<Device> {
  const device = await allowPartial(run, (options) =>
    call(client, 'getDeviceById', { id }, { ...options, ...selecting }),
  ).catch((error: unknown) => {
    // Some services answer an unknown id with null, others with an error.
    if (isNotFound(error)) return null;
    throw error;
  });
  if (device === null) throw notFound(`There is no device with the id ${id}.`);
  return device;
}

async function getBySerial(context: Context, serials: readonly string[]): Promise<void> {
  const shape = listShape(context, deviceView, operations.getDevicesBySerial);
  const client = await connect(context);
  const lists = await Promise.all(
    [...new Set(serials.map((serial) => serial.trim()))].map(async (serial) => {
      const devices = await allowPartial(context, (options) =>
        call(client, 'getDevicesBySerial', { serial }, { ...options, ...shape.options }),
      );
      if (devices.length === 0) throw notFound(`There is no device with the serial number ${serial}.`);
      return devices;
    }),
  );
  await printRows(context, shape.rows(lists.flat()), shape.view, '');
}

async function getInVehicles(context: Context, flags: VehicleFlags): Promise<void> {
  const shape = listShape<PartOf<Device>>(context, withVehicle(deviceView), operations.getDevicesBySerial);
  const choose = vehicleChoice(context, [], flags);
  const assignedDevices = shape.options.select ?? defaultTree(operations.getDevicesBySerial);
  const vehicles = await choose(await connect(context), { assignedDevices });
  const rows = vehicles.flatMap(({ id, name, row }) =>
    devicesIn(row).map((device) => ({ vehicle: name, vehicleId: id, ...device })),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The vehicles have no devices.');
}

/** Casts to Device: more fields were requested than the static type has. */
function devicesIn(
  vehicle: { readonly assignedDevices?: readonly (object | null)[] | null } | null,
): readonly Device[] {
  return (vehicle?.assignedDevices ?? []).filter((device) => device !== null) as readonly object[] as Device[];
}

function notFound(message: string): CliError {
  return new CliError('NOT_FOUND', message, { hint: deviceListHint });
}
