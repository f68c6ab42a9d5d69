// `fleet trips`: lists the trips of a vehicle, of several or of all, computed from their snapshots.
import type { FleetClient, TripOptions } from '../../index.js';
import { connect } from '../connection/connect.js';
import type { Context, ServiceRun } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRows } from '../context/print.js';
import { refusal } from '../errors/cli-error.js';
import { vehicleKind } from '../find/kinds.js';
import { findId } from '../find/record.js';
import { addVehicleFlags, onlyVehicle, type VehicleFlags, vehicleChoice, vehiclesArgument } from '../find/vehicles.js';
import { parseDuration } from '../parse/duration.js';
import {
  endsTooEarly,
  type PeriodExpression,
  type PeriodFlags,
  periodHelp,
  readPeriodExpression,
  withDay,
} from '../parse/time.js';
import { listShape } from '../shape/list-shape.js';
import { fleetTripView, type TripRow, tripView } from '../views/trip.js';
import { withWarning } from './trips/beyond-period.js';
import { completeTrips, tripNeeds } from './trips/complete.js';
import { boundsOf, fleetTrips } from './trips/fleet-trips.js';
import { withProgress } from './trips/progress.js';

interface TripFlags extends PeriodFlags, VehicleFlags {
  readonly closeAfter?: string;
  readonly clip?: true;
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
    .argument(...vehiclesArgument)
    .option('--from <time>', 'start of the period; a trip under way at that time is listed completely')
    .option('--to <time>', 'end of the period (default: now); a trip under way at that time is listed as open')
    .option('--on <day>', 'in place of both: a whole day, week or month, such as yesterday or "last week"')
    .option('--clip', 'of trips that go beyond the period, list only what lies inside, so that days add up')
    .option('--close-after <duration>', 'end a trip when the ignition is off for this long (default: 2m)');
  addVehicleFlags(command)
    .addHelpText(
      'after',
      `${examples(
        ['fleet trips list --on yesterday', 'what all vehicles did'],
        ['fleet trips list --group "Long haul" --on yesterday -o csv > trips.csv', ''],
        ['fleet trips list --on yesterday --clip -o csv > day.csv', 'the kilometres of that day alone'],
        ['fleet trips list "Truck 07" --from -7d', ''],
        ['fleet trips list "Truck 07" --from -7d --filter "distanceKm>10" --sort -topSpeedKmh', ''],
        ['fleet trips list "Truck 07" --on yesterday', 'the whole day'],
        ['fleet trips list "Truck 07" --from -7d -o csv > trips.csv', ''],
        ['fleet trips list "Truck 07" --from -7d -o ndjson', 'one object per trip, with a stable id'],
        ['fleet trips list "Truck 07" --on yesterday -o gpx > trips.gpx', 'the roads driven, for a map'],
      )}

With one vehicle, machine formats print the trip as it is. Several vehicles, flags that choose vehicles, and no vehicle at all add
vehicle, driver, and the places of start and end, which --fields knows for one vehicle too. startPlace names only a geofence that the
trip starts in; startNearestPlace and startNearestPlaceDistanceM tell the nearest one. endPlace and the others alike. A table is grouped by vehicle, in the order of
their names. Other formats print each trip as soon as it is known: those of one vehicle in their order, those of several mixed;
--sort vehicle,startedAt puts them in order. When some vehicles fail, the others are printed, and the exit code is 6.
A trip over midnight is in both days: whole in the second, as open in the first. With --clip each day has its part of the kilometres,
times, fuel and events, and the parts add up to the trip; endedBy of a part that goes on is "period".
~ before a distance: another source disagrees by more than a tenth, see distanceBy and distanceDoubt. tripsBy is "movement" where the
ignition of a vehicle is not known. unseenSeconds are neither moving nor idle.
geojson, gpx and kml draw each trip along the positions of its snapshots: the line follows the road that was driven.
${periodHelp}`,
    )
    .action((vehicles: readonly string[], flags: TripFlags) => list(open(), vehicles, flags));
};

async function list(context: Context, names: readonly string[], flags: TripFlags): Promise<void> {
  const only = onlyVehicle(names, flags);
  const period = periodOf(context, withDay(context, flags));
  // On a map a trip is the road that was driven.
  const withTrack = formatOf(context).map !== null;
  const options = { ...tripOptions(flags), withTrack, partial: true, signal: context.io.signal };
  const shape = listShape<TripRow>(context, only === null ? fleetTripView : tripView, 'view');
  const needs = tripNeeds(context, only === null || formatOf(context).forPeople);
  const emptyText = 'There is no trip in this period.';
  if (only === null) {
    const choose = vehicleChoice(context, names, flags);
    const client = await connect(context);
    const trips = await fleetTrips(context, client, {
      choose,
      needs,
      span: () => period.span(context, client),
      options,
      clip: flags.clip === true,
    });
    if (trips === null) return printRows(context, [], shape.view, 'There is no such vehicle.');
    await printRows(context, shape.rows(trips.rows), shape.view, emptyText);
    trips.end();
    return;
  }
  const client = await connect(context);
  const vehicleId = await findId(context, client, vehicleKind, only, { substring: true });
  const span = await period.span(context, client);
  const clip = flags.clip === true;
  const trips = client.streamTrips({ vehicleId, ...boundsOf(span, clip) }, { ...options, clip });
  const vehicleName = needs.vehicle ? await vehicleNameOf(context, client, vehicleId) : '';
  const rows = completeTrips(
    context,
    client,
    clip ? trips : withWarning(context, trips, span),
    needs,
    () => vehicleName,
  );
  await printRows(context, shape.rows(withProgress(context, rows)), shape.view, emptyText);
}

/** Its name, for --fields. */
async function vehicleNameOf(context: Context, client: FleetClient, vehicleId: string): Promise<string> {
  const [vehicle] = await vehicleChoice(context, [vehicleId], {})(client);
  return vehicle?.name ?? vehicleId;
}

function periodOf(run: ServiceRun, flags: TripFlags): PeriodExpression {
  if (flags.from === undefined) {
    throw refusal('--from is missing.', {
      hint: 'For example --from yesterday, or --from -7d.',
    });
  }
  return readPeriodExpression(run, flags.from, flags.to, () => endsTooEarly(flags.to));
}

function tripOptions({ closeAfter }: TripFlags): TripOptions {
  if (closeAfter === undefined) return {};
  const closeAfterMs = parseDuration(closeAfter, 's');
  if (closeAfterMs !== null) return { closeAfterMs };
  throw refusal(`--close-after "${closeAfter}" is not a duration.`, {
    hint: 'Write it as 90s, 2m or 1h.',
  });
}
