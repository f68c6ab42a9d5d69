// `fleet trips`: lists the trips of one, several or all vehicles, computed from their snapshots.
import { InvalidArgumentError, Option } from 'commander';
import type { Trip, TripOptions } from '../../index.js';
import { connect } from '../connection/connect.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRows } from '../context/print.js';
import { refusal } from '../errors/cli-error.js';
import { addVehicleFlags, hasVehicleFlags, onlyVehicle, vehicleChoice, vehiclesArgument } from '../find/vehicles.js';
import { parseDuration } from '../parse/duration.js';
import { expandPeriodFlags, periodHelp } from '../parse/time.js';
import { type Places, positionIn } from '../places/places.js';
import { listShape } from '../shape/list-shape.js';
import { isFieldNamed } from '../shape/named-fields.js';
import { periodText } from '../time/period-text.js';
import { fieldsOfPlace } from '../views/place.js';
import { fleetTripView, placesOfTrip, type TripRow, tripView } from '../views/trip.js';
import { fieldsOfParts, kilometres, type SumCosts, type SumKey, sumKeys, tripSumView } from '../views/trip-sum.js';
import {
  type ActivityFlags,
  type ActivityList,
  addActivityFlags,
  listActivities,
  periodOfTrips,
} from './shared/list-activities.js';
import { type Sums, sumTrips } from './trips/sum-by.js';
import { partsOfDriver } from './trips/trip-parts.js';

export { periodOfTrips };

interface TripFlags extends ActivityFlags {
  readonly sumBy?: readonly SumKey[];
  readonly idleCost?: number;
  readonly fuelPrice?: number;
  readonly closeAfter?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet trips list --on yesterday', 'of all vehicles'],
      ['fleet trips list "Truck 07" --from -7d', ''],
      ['fleet trips list "Truck 07" --from -7d -o csv > trips.csv', ''],
    ),
  );
  const command = noun
    .command('list')
    .description('list the trips of vehicles over a period, computed from their snapshots (getSnapshots)')
    .argument(...vehiclesArgument);
  addActivityFlags(command, 'trip')
    .addOption(
      new Option(
        '--sum-by <keys>',
        `print totals instead of the trips, for each of one or two of ${sumKeys.join(', ')}: vehicle,day`,
      )
        .choices([...sumKeys])
        .argParser(readSumKeys),
    )
    .option('--idle-cost <amount>', 'with --sum-by, add a column with the cost of idle time, at this per hour', amount)
    .option('--fuel-price <amount>', 'with --sum-by, add a column with the cost of fuel, at this per litre', amount)
    .option('--close-after <duration>', 'end a trip when the ignition is off for this long (default: 2m)');
  addVehicleFlags(command)
    .addHelpText('after', listHelp)
    .action((vehicles: readonly string[], flags: TripFlags) => list(open(), vehicles, flags));
};

const listHelp = `${examples(
  ['fleet trips list --on yesterday', 'what all vehicles did'],
  ['fleet trips list --group "Long haul" --on yesterday -o csv > trips.csv', ''],
  ['fleet trips list --on yesterday --clip -o csv > day.csv', 'the kilometres of that day alone'],
  ['fleet trips list --on yesterday --sum-by vehicle', 'kilometres, times and fuel of each vehicle'],
  ['fleet trips list --on yesterday --sum-by vehicle --idle-cost 3.2', 'with the cost of idle time'],
  ['fleet trips list --on yesterday --filter "topSpeedKmh>110"', 'those that were too fast somewhere'],
  ['fleet trips list --on yesterday -o xlsx > trips.xlsx', 'for Excel'],
  ['fleet trips list --on "last week" --sum-by driver,day', 'the hours of each driver'],
  ['fleet trips list --on "last month" --sum-by vehicle,week -o xlsx > weeks.xlsx', 'the weeks add up'],
  ['fleet trips list --on yesterday --driver "Anna Lind"', 'what a driver drove'],
  ['fleet trips list --on yesterday --sum-by vehicle --sort -distanceKm -o chart', ''],
  ['fleet trips list "Truck 07" --from -7d', ''],
  ['fleet trips list "Truck 07" --from -7d --filter "distanceKm>10" --sort -topSpeedKmh', ''],
  ['fleet trips list "Truck 07" --on yesterday', 'the whole day'],
  ['fleet trips list "Truck 07" --from -7d -o csv > trips.csv', ''],
  ['fleet trips list "Truck 07" --from -7d -o ndjson', 'one object per trip, with a stable id'],
  ['fleet trips list "Truck 07" --on yesterday -o gpx > trips.gpx', 'the roads driven, for a map'],
)}

Output:
- With one vehicle, machine formats print the trip as it is. With several they add vehicle, driver
  and the places of start and end. --fields accepts these for one vehicle too.
- A table is grouped by vehicle, in the order of their names. It ends with a total, unless --limit
  has cut it. With --limit the rows are the first of this order, and no further vehicles are read.
- Other formats print each trip as soon as it is computed. Trips of several vehicles are mixed.
  --sort vehicle,startedAt orders them.
- geojson, gpx and kml draw each trip along the positions of its snapshots.
- When some vehicles fail, the others are printed, and the exit code is 6.

Periods and sums:
- A trip over midnight is in the lists of both days: as open in the first, whole in the second.
- With --clip each day has its part of the kilometres, times, fuel and events. The parts add up to
  the trip. endedBy is "period" for a part that goes on.
- --sum-by prints a row for each vehicle, driver, group, day, week or month, or for each pair of two
  of them. Without the key driver, vehicles, groups and days without a trip have 0.
- Each local day has its part of a trip over midnight. --filter and --sort choose rows of the sums,
  not trips.
- AT WORK is from the first start to the last end of each day: of each vehicle, or with the key or
  the flag driver of each driver. STANDING is the part of it in no trip.
- Trips over midnight on both sides of a day make AT WORK 24 hours, also for a night shift.
- The odometers are the first and the last reading on trips, in rows of one vehicle.
- L/100 KM and the fuel cost count only trips whose fuel is known in litres.
- --fields visits counts how often a vehicle entered a geofence on a trip.
- A group includes the groups below it. Its row shows when only some of its vehicles were requested.
- A vehicle in several groups counts in each of them, but once in the total.
- A trip with several drivers is cut where another one is identified, for the key driver and for
  --driver. A part that begins later has an id of its own. The first driver has the part before,
  if the period contains the identification.
- --filter "driver=Anna Lind" of the list finds the whole trip.

Fields:
- startPlace is only a geofence that contains the position. startNearestPlace and
  startNearestPlaceDistanceM describe the nearest geofence. The fields of the end are named alike.
- fuelUsed is in litres when fuelBy is canTripFuelUsed. The contract has no unit for other counters.
- ~ before a distance: another source differs by more than a tenth. See distanceBy and
  distanceDoubt.
- tripsBy is "movement" where the ignition of a vehicle is unknown.
- unseenSeconds are neither moving nor idle.${periodHelp}`;

/** Throws InvalidArgumentError unless it is one or two different keys. */
function readSumKeys(text: string): readonly SumKey[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const keys = names.map((name) => sumKeys.find((key) => name === key || name === `${key}s`) ?? null);
  const found = keys.filter((key) => key !== null);
  if (found.length === names.length && found.length <= 2 && new Set(found).size === found.length) return found;
  throw new InvalidArgumentError(`Give one or two of ${sumKeys.join(', ')}, such as vehicle,day.`);
}

function amount(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give an amount such as 2.5.');
}

/** Throws CliError USAGE for flags that would have no effect. */
function checkFlags({ sumBy, clip, idleCost, fuelPrice }: TripFlags): void {
  if (sumBy !== undefined && clip) {
    throw refusal('--clip has no effect with --sum-by: sums count only what lies inside the period.', {
      hint: 'Leave it out.',
    });
  }
  if (sumBy === undefined && (idleCost !== undefined || fuelPrice !== undefined)) {
    const flag = idleCost === undefined ? '--fuel-price' : '--idle-cost';
    throw refusal(`${flag} is for sums.`, { hint: 'Add --sum-by, such as --sum-by vehicle.' });
  }
}

async function list(context: Context, names: readonly string[], flags: TripFlags): Promise<void> {
  checkFlags(flags);
  if (flags.sumBy !== undefined) return listSums(context, names, flags, flags.sumBy);
  // A map draws the road that was driven.
  const options = { ...tripOptions(flags), withTrack: formatOf(context).map !== null };
  await listActivities(context, names, flags, tripList(options));
}

async function listSums(
  context: Context,
  names: readonly string[],
  flags: TripFlags,
  by: readonly SumKey[],
): Promise<void> {
  onlyVehicle(names, flags);
  const period = periodOfTrips(context, expandPeriodFlags(context, flags));
  const costs = costsOf(context, flags);
  let sums: Sums | null = null;
  // Only the rows of vehicles add up: a trip may have parts on two days or by two drivers.
  const addsUp = by.every((key) => key === 'vehicle');
  const shape = listShape(
    context,
    tripSumView(by, costs, addsUp ? undefined : () => (sums?.isComplete ? sums.whole : null)),
    'view',
  );
  const choose = vehicleChoice(context, names, flags);
  const client = await connect(context);
  sums = await sumTrips(context, client, {
    choose,
    by,
    costs,
    options: { ...tripOptions(flags), partial: true, signal: context.io.signal },
    needs: {
      parts: context.globals.fields === undefined || isFieldNamed(context, fieldsOfParts),
      visits: isFieldNamed(context, ['visits']),
    },
    isPart: names.length > 0 || hasVehicleFlags(flags),
    driver: flags.driver,
    span: () => period.span(context, client),
  });
  if (sums === null) return printRows(context, [], shape.view, 'There is no such vehicle.');
  const inPeriod = periodText(sums.span, context.zone.name);
  await printRows(context, shape.rows(sums.rows), { ...shape.view, period: inPeriod }, `There is no trip ${inPeriod}.`);
  if (costs.fuelPrice === null || sums.distanceWithoutLitresKm === 0) return;
  const [left, all] = [sums.distanceWithoutLitresKm, sums.whole.distanceKm].map(kilometres);
  context.report.warn(`The fuel cost leaves out ${left} of ${all}: their fuel is not known in litres.`);
}

/** Throws CliError USAGE when the cost would not be shown. */
function costsOf(context: Context, flags: TripFlags): SumCosts {
  const costs = { idleCost: flags.idleCost ?? null, fuelPrice: flags.fuelPrice ?? null };
  const showsAll = context.globals.fields === undefined && !formatOf(context).chart;
  for (const [flag, field, price] of [
    ['--idle-cost', 'idleCost', costs.idleCost],
    ['--fuel-price', 'fuelCost', costs.fuelPrice],
  ] as const) {
    if (price === null || showsAll || isFieldNamed(context, [field])) continue;
    throw refusal(`${flag} has no effect: ${field} is not shown.`, { hint: `Add ${field} to --fields.` });
  }
  return costs;
}

function tripOptions({ closeAfter }: TripFlags): TripOptions {
  if (closeAfter === undefined) return {};
  const closeAfterMs = parseDuration(closeAfter, 's');
  if (closeAfterMs !== null) return { closeAfterMs };
  throw refusal(`--close-after "${closeAfter}" is not a duration.`, {
    hint: 'Write it as 90s, 2m or 1h.',
  });
}

function tripList(options: TripOptions): ActivityList<Trip, TripRow> {
  return {
    noun: 'trip',
    view: tripView,
    fleetView: fleetTripView,
    places: placesOfTrip,
    placesIn,
    stream(client, period, call, isCut) {
      const all = { ...options, ...(isCut && { withDetails: 'parts' as const }), ...call };
      return 'vehicleId' in period ? client.streamTrips(period, all) : client.streamTrips(period, all);
    },
    partsOf: partsOfDriver,
  };
}

function placesIn({ startPosition, endPosition }: Trip, places: Places): Partial<TripRow> {
  const start = fieldsOfPlace(places.at(positionIn(startPosition)));
  const end = fieldsOfPlace(places.at(positionIn(endPosition)));
  return {
    startPlace: start.place,
    startNearestPlace: start.nearestPlace,
    startNearestPlaceDistanceM: start.nearestPlaceDistanceM,
    startNearestPlaceDirection: start.nearestPlaceDirection,
    endPlace: end.place,
    endNearestPlace: end.nearestPlace,
    endNearestPlaceDistanceM: end.nearestPlaceDistanceM,
    endNearestPlaceDirection: end.nearestPlaceDirection,
  };
}
