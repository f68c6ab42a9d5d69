// `fleet snapshots list`: prints all snapshots of vehicles over a period as they arrive.
import type { Command } from 'commander';
import { joinTrees } from '../../../contract/selection/tree.js';
import type { Snapshot } from '../../../index.js';
import { CurrentDriver, driverSelection } from '../../../telemetry/current-driver.js';
import { despiteFailures } from '../../../telemetry/streams/despite-failures.js';
import { connect } from '../../connection/connect.js';
import type { Context, Run, ServiceRun } from '../../context/context.js';
import { examples } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import { type DriverFlag, driverOption, findDriverId, isDriver } from '../../find/driver.js';
import { findId } from '../../find/record.js';
import {
  addVehicleFlags,
  onlyVehicle,
  type VehicleFlags,
  vehicleChoice,
  vehiclesArgument,
} from '../../find/vehicles.js';
import {
  expandPeriodFlags,
  type PeriodExpression,
  type PeriodFlags,
  periodHelp,
  readPeriodExpression,
  timestamp,
} from '../../parse/time.js';
import { type DriversAndPlaces, readDriversAndPlaces } from '../../places/drivers-and-places.js';
import { positionIn } from '../../places/places.js';
import { showsPlaces } from '../../places/shows-places.js';
import { vehicleKind } from '../../records/vehicle.js';
import { isFieldNamed } from '../../shape/named-fields.js';
import { fieldsOfPlace } from '../../views/place.js';
import { fleetSnapshotView, type SnapshotRow, snapshotView } from '../../views/snapshot.js';
import { snapshotShape } from './snapshot-shape.js';
import { SnapshotStreamProgress } from './stream-progress.js';

interface ListFlags extends PeriodFlags, VehicleFlags, DriverFlag {}

export function defineSnapshotList(noun: Command, open: () => Context): void {
  const command = noun
    .command('list')
    .description('list the snapshots of vehicles over a period, streamed (getSnapshots)')
    .argument(...vehiclesArgument)
    .option('--from <time>', 'start of the period')
    .option('--to <time>', 'end of the period, exclusive: 2026-11 for all of October (default: now)')
    .option('--on <day>', 'in place of both: a whole day, week or month, such as yesterday or "last week"')
    .option(...driverOption('snapshots'));
  addVehicleFlags(command)
    .addHelpText(
      'after',
      `${examples(
        ['fleet snapshots list "Truck 07" --from -2h', ''],
        ['fleet snapshots list --group "Long haul" --from -1h -o csv > hour.csv', 'of several vehicles'],
        [
          'fleet snapshots list "Truck 07" --from -1h --fields timestamp,place,nearestPlace,nearestPlaceDistanceM',
          'with the geofence it is in, and the nearest one',
        ],
        ['fleet snapshots list "Truck 07" --on yesterday -o ndjson', 'all fields, a line per row'],
        ['fleet snapshots list "Truck 07" --from 2026-03-01 --to 2026-04-01 -o csv > march.csv', ''],
        ['fleet snapshots list "Truck 07" --from -1d --fields timestamp,gps.speed --filter "gps.speed>90"', ''],
      )}

- With several vehicles, rows have the fields vehicle and driverName too.
- Rows are printed as they arrive. Rows of one vehicle are in the order of time, rows of several are
  mixed. --sort vehicle,timestamp orders them, and holds all of them in memory.
- PLACE is the geofence of the position, or the distance and direction from the nearest one.
- The field place is only a geofence that contains the position. nearestPlace,
  nearestPlaceDistanceM and nearestPlaceDirection describe the nearest geofence.
- timestamp and ordinal are the key of a row of a vehicle.
- With --driver there are the rows from the identification of the driver on, until another one is
  identified or the engine is started.
- When some vehicles fail, the others are printed, and the exit code is 6.${periodHelp}`,
    )
    .action((vehicles: readonly string[], flags: ListFlags) => list(open(), vehicles, flags));
}

async function list(context: Context, names: readonly string[], flags: ListFlags): Promise<void> {
  const only = onlyVehicle(names, flags);
  const period = periodOf(context, expandPeriodFlags(context, flags));
  const traits = formatOf(context);
  const shape = snapshotShape(context, only === null ? fleetSnapshotView : snapshotView, 'getSnapshots', traits);
  const needs = snapshotNeeds(context, only === null);
  const { select } = shape.options;
  const cutBy = flags.driver === undefined ? {} : { ...driverSelection, vehicleId: true };
  const options = {
    partial: true,
    signal: context.io.signal,
    // A selection made at run time has no static type. Progress needs the timestamp.
    ...(select === undefined ? {} : { select: joinTrees(joinTrees(select, { timestamp: true }), cutBy) as never }),
  };
  const choose = only === null || needs.vehicle ? vehicleChoice(context, names, flags) : null;
  const client = await connect(context);
  const [vehicles, onlyId, lookups, driverId] = await Promise.all([
    choose?.(client) ?? null,
    only === null || choose !== null ? null : findId(context, client, vehicleKind, only, { substring: true }),
    readDriversAndPlaces(context, client, needs),
    findDriverId(context, client, flags.driver),
  ]);
  const nameById = new Map(vehicles?.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => nameById.get(id) ?? id;
  const ids = vehicles?.map(({ id }) => id) ?? [];
  const vehicleId = onlyId ?? (only === null ? null : (ids[0] ?? null));
  if (vehicleId === null && ids.length === 0) return printRows(context, [], shape.view, 'There is no such vehicle.');
  const { from, to } = await period.span(context, client);
  const span = { from: timestamp(from), to: timestamp(to) };
  const failed = new FailedVehicles('getSnapshots', nameOf);
  const progress = new SnapshotStreamProgress(context, from, to, vehicleId === null ? ids.length : 1);
  const stream: AsyncIterable<Snapshot> =
    vehicleId === null
      ? despiteFailures(
          client.streamSnapshots(
            { vehicleIds: ids, ...span },
            {
              ...options,
              onEvent(event) {
                if (event.type === 'error') failed.addOfStream(event);
                if (event.type === 'error' || event.type === 'complete') progress.finish(event.vehicleId);
              },
            },
          ),
        )
      : client.streamSnapshots({ vehicleId, ...span }, options);
  const followed = progress.follow(stream);
  const own = driverId === null ? followed : snapshotsOfDriver(followed, driverId);
  const rows = completeSnapshots(own, lookups, needs, nameOf);
  try {
    await printRows(context, shape.rows(rows), shape.view, 'There is no snapshot in this period.');
    failed.report(context.report);
  } catch (error) {
    throw vehicleId === null ? progress.explainMany(error, ids.length) : progress.explain(error);
  } finally {
    progress.clear();
  }
}

/** Yields the rows in which the driver is the current one. `driverId`: in lower case. */
async function* snapshotsOfDriver(
  rows: AsyncIterable<Snapshot>,
  driverId: string,
): AsyncGenerator<Snapshot, void, undefined> {
  const drivers = new Map<string, CurrentDriver>();
  for await (const row of rows) {
    const driver = drivers.get(row.vehicleId ?? '') ?? new CurrentDriver();
    drivers.set(row.vehicleId ?? '', driver);
    driver.take(row);
    if (isDriver(driver.driverId, driverId)) yield row;
  }
}

function periodOf(run: ServiceRun, { from, to }: ListFlags): PeriodExpression {
  if (from === undefined) {
    throw new CliError('USAGE', '--on or --from is missing.', {
      hint: 'Which period? For example `fleet snapshots list "Truck 07" --from -2h`, or `--from 2026-03-01 --to 2026-04-01`.',
    });
  }
  return readPeriodExpression(
    run,
    from,
    to,
    (span) =>
      new CliError(
        'USAGE',
        `The period ends before it begins: ${timestamp(span.from)} is after ${timestamp(span.to)}.`,
        {
          hint: to === undefined ? 'Give a --from in the past.' : 'Swap --from and --to.',
        },
      ),
  );
}

interface SnapshotNeeds {
  readonly vehicle: boolean;
  readonly driver: boolean;
  readonly places: boolean;
}

/** Adds names by default for several vehicles, places in tables, and everything in --fields. */
function snapshotNeeds(run: Run, ofSeveral: boolean): SnapshotNeeds {
  const byDefault = run.globals.fields === undefined;
  return {
    // A map labels each track by its vehicle.
    vehicle: (ofSeveral && byDefault) || formatOf(run).map !== null || isFieldNamed(run, ['vehicle']),
    driver: (ofSeveral && byDefault) || isFieldNamed(run, ['driverName']),
    places: showsPlaces(run),
  };
}

/** Adds names of vehicles and drivers, and places. */
async function* completeSnapshots(
  rows: AsyncIterable<Snapshot>,
  { names, places }: DriversAndPlaces,
  needs: SnapshotNeeds,
  nameOf: (vehicleId: string) => string,
): AsyncGenerator<SnapshotRow, void, undefined> {
  if (!needs.vehicle && !needs.driver && !needs.places) {
    yield* rows;
    return;
  }
  for await (const row of rows) {
    const driverId = row.driver?.driverId ?? '';
    yield {
      ...(needs.vehicle ? { vehicle: nameOf(row.vehicleId ?? '') } : {}),
      ...(needs.driver ? { driverName: names.get(driverId) ?? driverId } : {}),
      ...row,
      ...(needs.places ? fieldsOfPlace(places.at(positionIn(row.gps))) : {}),
    };
  }
}
