// `fleet vehicles get`: shows vehicles by name, plate, VIN or id, or by flags that choose vehicles.
import { defaultTree, joinTrees, treeOf } from '../../../contract/selection/tree.js';
import { valueAtPath } from '../../../core/json.js';
import { withTimeLimit } from '../../../core/time-limit.js';
import { DAY_MS, momentAt, offsetAt } from '../../../core/time-zone.js';
import { operations } from '../../../generated/operation-table.js';
import type { FleetClient, Trip } from '../../../index.js';
import { readNumber, readText } from '../../../telemetry/readings.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { driverNames } from '../../connection/driver-names.js';
import { type Context, serviceNow } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { formatOf, printRecord, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { findId, findRecord } from '../../find/record.js';
import {
  addVehicleFlags,
  onlyVehicle,
  type VehicleFlags,
  vehicleChoice,
  vehiclesArgument,
} from '../../find/vehicles.js';
import { addressHelp, addressReader } from '../../places/addresses.js';
import { vehicleKind } from '../../records/vehicle.js';
import { listShape, recordShape } from '../../shape/list-shape.js';
import { vehicleAddressView } from '../../views/vehicle.js';
import type { VehicleDay } from '../../views/vehicle-day.js';
import type { VehicleInDetail } from '../../views/vehicle-row.js';
import { severalHelp } from '../shared/get-records.js';
import { DayParts } from '../trips/day-parts.js';
import { readShownPlaces, withPlace } from './places.js';

/** The fields of one vehicle on a terminal. */
const inDetail = joinTrees(
  defaultTree(operations.getVehicleById),
  treeOf(['lastData.driver.driverId', 'lastData.fuel.fuel']),
);

/** Time limit for the trips of today. Short, because the user did not request them. */
const TIME_LIMIT_MS = 5_000;

interface GetFlags extends VehicleFlags {
  readonly vin?: string;
}

export const defineGet: DefineCommand = (noun, open) => {
  const command = noun
    .command('get')
    .description('show vehicles (getVehicleById; several: getVehicles; --vin: getVehiclesByVin; places: getGeofences)')
    .argument(...vehiclesArgument)
    .option('--vin <vin>', 'all vehicles with this VIN, as a list');
  addVehicleFlags(command)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles get "Truck 07"', ''],
        ['fleet vehicles get "Truck 07" -o json', 'all default fields, as an object'],
        ['fleet vehicles get "Truck 07" "Van 02" -o json', 'as an array, in this order'],
        ['fleet vehicles get --group "Long haul" -o json', 'of a group and those below it, as an array'],
        ['fleet vehicles get --vin WMA06XZZ0SN000016 -o json', 'as an array'],
        ['fleet vehicles get "Truck 07" --fields name,lastData.gps', 'only these fields'],
      )}${severalHelp}

A terminal also shows the driver of one vehicle, and the kilometres and trips of today. A strip has
a character for each hour, for the share of the hour on a trip. This takes one more request, and is
left out when that fails or takes more than 5 seconds.

- ${addressHelp}`,
    )
    .action((vehicles: readonly string[], flags: GetFlags) => get(open(), vehicles, flags));
};

async function get(context: Context, names: readonly string[], { vin, ...flags }: GetFlags): Promise<void> {
  if (vin?.trim() === '') {
    throw new CliError('USAGE', 'The VIN is empty.', { hint: 'For example `fleet vehicles get --vin <vin>`.' });
  }
  const only = onlyVehicle(names, flags);
  if (vin !== undefined && (names.length > 0 || Object.keys(flags).length > 0)) {
    throw new CliError('USAGE', 'Give either vehicles or --vin.', {
      hint: 'For example `fleet vehicles get "Truck 07"`, or `fleet vehicles get --vin <vin>`.',
    });
  }
  if (vin !== undefined) return getByVin(context, vin);
  if (only === null) return getSeveral(context, names, flags);
  const shape = recordShape(context, vehicleAddressView, operations.getVehicleById);
  const isInDetail =
    context.globals.fields === undefined && context.io.stdout.isTTY === true && formatOf(context).forPeople;
  const options = isInDetail ? { select: inDetail } : shape.options;
  const client = await connect(context);
  const read = async () => {
    const id = await findId(context, client, vehicleKind, only, { substring: true });
    return Promise.all([
      findRecord(context, client, vehicleKind, id, { substring: false, ...options }),
      addressReader(context, client, async (asking) => [await client.getVehicleById({ id }, asking)])(),
    ]);
  };
  const [[found, addresses], places, people] = await Promise.all([
    read(),
    readShownPlaces(context, client),
    isInDetail ? driverNames(context, client) : null,
  ]);
  const vehicle = shape.record(withPlace(found, places, addresses));
  if (people === null) return printRecord(context, vehicle, shape.view);
  const driverId = readText(valueAtPath(found, ['lastData', 'driver', 'driverId']));
  const more: VehicleInDetail = {
    ...vehicle,
    driver: driverId === null ? null : (people.get(driverId) ?? driverId),
    fuel: readNumber(valueAtPath(found, ['lastData', 'fuel', 'fuel'])) ?? null,
    day: found.id ? await readToday(context, client, found.id) : null,
  };
  await printRecord(context, more, shape.view);
}

async function getSeveral(context: Context, names: readonly string[], flags: VehicleFlags): Promise<void> {
  const shape = listShape(context, vehicleAddressView, operations.getVehicles);
  const choose = vehicleChoice(context, names, flags);
  const client = await connect(context);
  const [vehicles, places, addresses] = await Promise.all([
    choose(client, shape.options.select ?? defaultTree(operations.getVehicles)),
    readShownPlaces(context, client),
    addressReader(context, client)(),
  ]);
  const rows = vehicles.map(({ id, row }) => {
    if (row) return withPlace(row, places, addresses);
    throw new CliError('NOT_FOUND', `There is no vehicle with the id ${id}.`, {
      hint: '`fleet vehicles list` lists all of them.',
    });
  });
  await printRows(context, shape.rows(rows), shape.view, 'There is no such vehicle.');
}

async function getByVin(context: Context, vin: string): Promise<void> {
  const shape = listShape(context, vehicleAddressView, operations.getVehiclesByVin);
  const client = await connect(context);
  const [vehicles, places, addresses] = await Promise.all([
    allowPartial(context, (options) => call(client, 'getVehiclesByVin', { vin }, { ...options, ...shape.options })),
    readShownPlaces(context, client),
    addressReader(context, client, (asking) => client.getVehiclesByVin({ vin }, asking))(),
  ]);
  if (vehicles.length === 0) {
    throw new CliError('NOT_FOUND', `There is no vehicle with the VIN ${vin}.`, {
      hint: '`fleet vehicles list` lists all of them.',
    });
  }
  const rows = vehicles.map((vehicle) => withPlace(vehicle, places, addresses));
  await printRows(context, shape.rows(rows), shape.view, '');
}

/** Reads today's trips of a vehicle. Returns null when it fails or is slow. */
async function readToday(context: Context, client: FleetClient, vehicleId: string): Promise<VehicleDay | null> {
  const { signal } = context.io;
  const now = serviceNow(context);
  const zone = context.zone.name;
  const wall = Math.floor((now + offsetAt(now, zone)) / DAY_MS) * DAY_MS;
  const [from, end] = [momentAt(wall, zone), momentAt(wall + DAY_MS, zone)];
  const period = { vehicleId, from: new Date(from), to: new Date(now) };
  const trips: Trip[] = [];
  try {
    await withTimeLimit(signal, TIME_LIMIT_MS, async (limited) => {
      for await (const trip of client.streamTrips(period, { clip: true, signal: limited })) trips.push(trip);
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
  const parts = new DayParts({ from, end });
  for (const trip of trips) parts.add(trip);
  return {
    trips: trips.length,
    distanceKm: trips.reduce((sum, { distanceKm }) => sum + distanceKm, 0),
    hours: parts.hours(now),
  };
}
