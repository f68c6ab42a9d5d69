// `fleet stops`: lists where vehicles stood, computed from their snapshots.
import type { Stop } from '../../index.js';
import { SHORTEST_STOP_MS } from '../../telemetry/stops/stop.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { refusal } from '../errors/cli-error.js';
import { addVehicleFlags, vehiclesArgument } from '../find/vehicles.js';
import { parseDuration } from '../parse/duration.js';
import { periodHelp } from '../parse/time.js';
import { positionIn } from '../places/places.js';
import { fieldsOfPlace, placeFields } from '../views/place.js';
import { fleetStopView, type StopRow, stopView } from '../views/stop.js';
import { type ActivityFlags, type ActivityList, addActivityFlags, listActivities } from './shared/list-activities.js';

interface StopFlags extends ActivityFlags {
  readonly min?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet stops list --on yesterday --min 20m', 'of all vehicles'],
      ['fleet stops list "Truck 07" --from -7d', ''],
    ),
  );
  const command = noun
    .command('list')
    .description('list where vehicles stood over a period, with the engine on or off (getSnapshots)')
    .argument(...vehiclesArgument);
  addActivityFlags(command, 'stop').option('--min <duration>', 'only stops that are at least this long (default: 5m)');
  addVehicleFlags(command)
    .addHelpText(
      'after',
      `${examples(
        ['fleet stops list --on yesterday', 'where all vehicles stood'],
        ['fleet stops list --on yesterday --min 20m', 'twenty minutes or more'],
        ['fleet stops list --group "Long haul" --on yesterday -o csv > stops.csv', ''],
        ['fleet stops list --on yesterday --filter "idleSeconds>600" --sort -idleSeconds', 'engine on for ten minutes'],
        ['fleet stops list "Truck 07" --on yesterday --clip', 'only what lies inside that day'],
        ['fleet stops list --on yesterday -o geojson > stops.geojson', 'a point for each, for a map'],
      )}

A stop is a time of at least five minutes in which a vehicle stands: its speed is 0, or it stays within 50 m. IDLE is the part with the engine
on; it is empty where the device does not report the engine. A trip ends when the engine is off for two minutes, so a stop with the engine
on lies inside of a trip, and a short one with the engine off may lie between two trips and be no stop.
startedAt is the first snapshot in which the vehicle stands there, and endedAt the last one. Of a parked vehicle that is silent until it
leaves, endedAt is the next snapshot, if that is at most 2 km away. Times without snapshots are part of a stop when the vehicle is in the same
place afterwards. A stop that is in progress at the end is open, and lasts until the end of the period or now; lastSeenAt is the time of its last snapshot.
≥ before a duration: the stop may have begun before the seven days that are read, see isStartKnown. unseenSeconds are times with the engine on and
without a snapshot for more than 15 minutes, which are not idle time.
With one vehicle, machine formats print the stop as it is. Several vehicles, flags that choose vehicles, and no vehicle at all add vehicle,
driver and place, which --fields accepts for one vehicle too. place names only a geofence that the vehicle stands in; nearestPlace and
nearestPlaceDistanceM tell the nearest one. driver lists who drove to the stop and who was identified during it. A stop over midnight is in the lists of both
days: whole in the second, as open in the first. With --clip each day has its part. The parts add up, unless a
vehicle is silent for more than an hour after midnight.
${periodHelp}`,
    )
    .action((vehicles: readonly string[], flags: StopFlags) => list(open(), vehicles, flags));
};

async function list(context: Context, names: readonly string[], flags: StopFlags): Promise<void> {
  const minMs = minOf(flags);
  const stops: ActivityList<Stop, StopRow> = {
    noun: 'stop',
    view: stopView,
    fleetView: fleetStopView,
    places: placeFields,
    placesIn: ({ position }, places) => fieldsOfPlace(places.at(positionIn(position))),
    stream: (client, period, call) =>
      'vehicleId' in period
        ? client.streamStops(period, { minMs, ...call })
        : client.streamStops(period, { minMs, ...call }),
  };
  await listActivities(context, names, flags, stops);
}

function minOf({ min }: StopFlags): number {
  if (min === undefined) return SHORTEST_STOP_MS;
  const minMs = parseDuration(min, 's');
  if (minMs === null) throw refusal(`--min "${min}" is not a duration.`, { hint: 'Write it as 20m or 1h.' });
  if (minMs >= SHORTEST_STOP_MS) return minMs;
  throw refusal(`--min ${min} is less than five minutes, the shortest stop.`, {
    hint: 'Give 5m or more: shorter halts are traffic lights and jams.',
  });
}
