// `fleet vehicles list`: lists the visible vehicles.
import { joinTrees } from '../../../contract/selection/tree.js';
import { operations } from '../../../generated/operation-table.js';
import { connect } from '../../connection/connect.js';
import { listRows } from '../../connection/list-rows.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import {
  addMemberFlags,
  hasMemberFlags,
  type MemberFlags,
  memberSelection,
  membership,
} from '../../find/membership.js';
import type { Places } from '../../places/places.js';
import { type DeletedFlag, deletedFlag, deletedHelp } from '../../shape/deleted.js';
import { filterHelp } from '../../shape/filter.js';
import { listShape } from '../../shape/list-shape.js';
import { vehicleView } from '../../views/vehicle.js';
import type { PlacedVehicle, VehicleRow } from '../../views/vehicle-row.js';
import { readShownPlaces, withPlace } from './places.js';

interface ListFlags extends DeletedFlag, MemberFlags {
  readonly active?: true;
}

export const defineVehicleList: DefineCommand = (noun, open) => {
  const command = noun
    .command('list')
    .description('list the vehicles visible to the user (getVehicles, getActiveVehicles; places: getGeofences)')
    .option('--active', 'leave out deactivated vehicles')
    .option(deletedFlag, deletedHelp);
  addMemberFlags(command)
    .addHelpText(
      'after',
      examples(
        ['fleet vehicles list', 'a table; tsv in a pipe'],
        ['fleet vehicles list --active -o json', 'all default fields, as an array'],
        ['fleet vehicles list -o csv > vehicles.csv', 'for a spreadsheet'],
        ['fleet vehicles list -o ndjson', 'a line per vehicle, printed while they arrive'],
        ['fleet vehicles list --fields name,lastData.gps.speed --sort -lastData.gps.speed', ''],
        [
          'fleet vehicles list --fields name,place,nearestPlace -o csv',
          'the geofence that each is in, and the nearest',
        ],
        ['fleet vehicles list --group "Long haul"', 'those of the groups below it too'],
        ['fleet vehicles list --filter vehicleType.name=Truck --filter "year<2020"', 'both must match'],
      ) + filterHelp,
    )
    .action((flags: ListFlags) => list(open(), flags));
};

async function list(context: Context, flags: ListFlags): Promise<void> {
  const operation = flags.active ? 'getActiveVehicles' : 'getVehicles';
  const shape = listShape(context, vehicleView, operations[operation], flags.deleted === true);
  const client = await connect(context);
  const chosen = hasMemberFlags(flags);
  const { select } = shape.options;
  // The default selection includes them.
  const options = chosen && select !== undefined ? { select: joinTrees(select, memberSelection) } : { select };
  // One request, unless rows are printed as they arrive.
  const [vehicles, isMember, places] = await Promise.all([
    listRows(context, client, operation, options),
    chosen ? membership(context, client, flags) : () => true,
    readShownPlaces(context, client),
  ]);
  const rows = Array.isArray(vehicles)
    ? vehicles.filter(isMember).map((vehicle: VehicleRow) => withPlace(vehicle, places))
    : streamPlaced(vehicles, isMember, places);
  const emptyText = chosen ? 'There is no such vehicle.' : 'No vehicle is visible to this user.';
  await printRows(context, shape.rows(rows), shape.view, emptyText);
}

async function* streamPlaced(
  vehicles: Iterable<VehicleRow> | AsyncIterable<VehicleRow>,
  isMember: (vehicle: VehicleRow) => boolean,
  places: Places | null,
): AsyncGenerator<PlacedVehicle> {
  for await (const vehicle of vehicles) if (isMember(vehicle)) yield withPlace(vehicle, places);
}
