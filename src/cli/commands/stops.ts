// `fleet stops`: lists where vehicles stood, computed from their snapshots.
import type { Stop } from '../../index.js';
import { SHORTEST_STOP_MS } from '../../telemetry/stops/stop.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { refusal } from '../errors/cli-error.js';
import { isDriver } from '../find/driver.js';
import { addVehicleFlags, vehiclesArgument } from '../find/vehicles.js';
import { parseDuration } from '../parse/duration.js';
import { periodHelp } from '../parse/time.js';
import { positionIn } from '../places/places.js';
import { fieldsOfPlace, placeFields } from '../views/place.js';
import { fleetStopView, type StopRow, stopView } from '../views/stop.js';
import { cutBounds } from './shared/cut-bounds.js';
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

Stops:
- A stop lasts at least five minutes, with speed 0 or within 50 m.
- IDLE is the part with the engine on. It is empty where the device does not report the engine.
- A trip ends when the engine is off for two minutes. A stop with the engine on is part of a trip. A
  shorter stand with the engine off may separate two trips, but is no stop.
- A gap without snapshots is part of a stop if the vehicle is in the same place afterwards.
- A stop in progress is open. It lasts until the end of the period or now. lastSeenAt is the time of
  its last snapshot.
- A stop over midnight is in the lists of both days: as open in the first, whole in the second.
- With --clip each day has its part. The parts add up, unless a vehicle is silent for more than an
  hour after midnight.

Output:
- With one vehicle, machine formats print the stop as it is. With several they add vehicle, driver
  and place. --fields accepts these for one vehicle too.
- startedAt is the first snapshot of the stop, and endedAt the last one. For a parked vehicle that is
  silent until it leaves, endedAt is the next snapshot, at most 2 km away.
- ≥ before a duration: the stop may have begun before the seven days that are read. See isStartKnown.
- unseenSeconds have the engine on and no snapshot for more than 15 minutes. They are not idle time.
- place is only a geofence that contains the vehicle. nearestPlace and nearestPlaceDistanceM describe
  the nearest geofence.
- driver lists who drove to the stop and who was identified during it.
- With --driver a stop with several drivers is cut: a part begins when its driver is identified, and
  may be short.${periodHelp}`,
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
    stream(client, period, call, withSegments) {
      const all = { minMs, withSegments, ...call };
      return 'vehicleId' in period ? client.streamStops(period, all) : client.streamStops(period, all);
    },
    partsOf: partsOfStop,
  };
  await listActivities(context, names, flags, stops);
}

/** Cuts a stop to the parts of a driver. `driverId`: in lower case. */
function partsOfStop({ segments = [], ...stop }: Stop, driverId: string): readonly Stop[] {
  const own = segments.filter((segment) => isDriver(segment.driverId, driverId));
  return own.map(({ driverId: id, startedAt, endedAt, ...times }) => {
    return { ...stop, ...times, ...cutBounds(stop, startedAt, endedAt), driverIds: [id] };
  });
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
