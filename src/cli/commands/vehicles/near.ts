// `fleet vehicles near`: the vehicles around a geofence or a position, the nearest first.
import type { Command } from 'commander';
import type { FleetClient, Geofence } from '../../../index.js';
import { liveStatus } from '../../../telemetry/live-status.js';
import type { TripPosition } from '../../../telemetry/trips/trip.js';
import { type Shape, shapeOf } from '../../../telemetry/watch/geofence-shape.js';
import { nearestPointOf } from '../../../telemetry/watch/nearest-point.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { type Context, note, type ReportingRun, serviceNow } from '../../context/context.js';
import { examples } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { geofenceKind } from '../../find/kinds.js';
import { findEachIn } from '../../find/match.js';
import { addVehicleFlags, type ChosenVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import { distance } from '../../parse/distance.js';
import { parsePosition } from '../../parse/position.js';
import { Places, placeOf, positionIn } from '../../places/places.js';
import { readPlaces } from '../../places/read-places.js';
import { showsPlaces } from '../../places/shows-places.js';
import { isMarkedDeleted } from '../../shape/deleted.js';
import { listShape } from '../../shape/list-shape.js';
import { type NearRow, nearView } from '../../views/near.js';
import { distanceText, fieldsOfPlace } from '../../views/place.js';

interface NearFlags extends VehicleFlags {
  readonly radius?: number;
}

export function defineNear(noun: Command, open: () => Context): void {
  const near = noun
    .command('near')
    .description('list the vehicles around a geofence or a position, the nearest first (getVehicles, getGeofences)')
    .argument('<place>', 'a geofence by id, name or unique part of a name; or latitude,longitude')
    .option(
      '--radius <distance>',
      'only those within this distance, such as 500m, 5km or 3mi; in metres without a unit',
      distance,
    );
  addVehicleFlags(near)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles near "Depot Tartu" --radius 15km', ''],
        ['fleet vehicles near 58.38,26.72 --limit 3', 'the three nearest to a customer'],
        ['fleet vehicles near "Depot Tartu" --radius 15km --vehicle-filter "name=Van*"', 'only vans'],
        ['fleet vehicles near -- -33.92,18.42', 'a latitude in the south, after --'],
      )}

DISTANCE is measured from the edge of the geofence, and is 0 inside. DIRECTION is that from the place to the vehicle. SEEN is the age of
the position (locationTimestamp, or timestamp where the service does not send that): a vehicle may be somewhere else by now.`,
    )
    .action((place: string, flags: NearFlags) => run(open(), place, flags));
}

/** What distances are measured from. */
interface Target {
  readonly id: string;
  readonly name: string;
  readonly shape: Shape | null;
  /** The position, where the user gave one. */
  readonly position: TripPosition | null;
}

/** What the command measures from, and the geofences that the vehicles are in; null when nobody sees them. */
interface Around {
  readonly target: Target;
  readonly places: Places | null;
}

async function run(context: Context, text: string, flags: NearFlags): Promise<void> {
  if (text.trim() === '') {
    throw new CliError('USAGE', 'The place is empty.', { hint: 'Give the name of a geofence, or latitude,longitude.' });
  }
  const position = parsePosition(text);
  const choose = vehicleChoice(context, [], flags);
  const shape = listShape(context, nearView, 'view');
  const client = await connect(context);
  const select = {
    lastData: {
      timestamp: true,
      locationTimestamp: true,
      gps: { latitude: true, longitude: true, speed: true },
      ...engine,
    },
  } as const;
  // Both lists are one request.
  const [vehicles, { target, places }] = await Promise.all([
    choose(client, select),
    position === null ? findGeofence(context, client, text) : aroundPosition(context, client, position),
  ]);
  const rows = rowsNear(vehicles, target, flags.radius, serviceNow(context)).map((row) => ({
    ...row,
    ...(places === null ? {} : fieldsOfPlace(places.at(row))),
  }));
  await printRows(context, shape.rows(rows), shape.view, emptyText(target, flags.radius));
  if (!formatOf(context).forPeople || rows.length > 0 || position === null) return;
  const swapped = targetAt({ latitude: position.longitude, longitude: position.latitude });
  const others = Math.abs(position.longitude) > 90 ? 0 : rowsNear(vehicles, swapped, flags.radius, 0).length;
  if (others > 0) note(context, `There are ${others} around ${swapped.name}: the latitude comes first.`);
}

const engine = { ignition: { engineStatus: true }, canBus: { canSpeed: true, canWheelSpeed: true } } as const;

function targetAt(position: TripPosition): Target {
  const name = `${position.latitude},${position.longitude}`;
  return { id: name, name, shape: null, position };
}

async function aroundPosition(run: ReportingRun, client: FleetClient, position: TripPosition): Promise<Around> {
  return { target: targetAt(position), places: showsPlaces(run) ? await readPlaces(run, client) : null };
}

/** @throws CliError when there is no such geofence, or when it has no area */
async function findGeofence(run: ReportingRun, client: FleetClient, text: string): Promise<Around> {
  const select = { ...geofenceKind.identity, geojson: true } as const;
  const geofences: readonly Geofence[] = await allowPartial(run, (options) =>
    call(client, 'getGeofences', {}, { ...options, select }),
  );
  const [id] = findEachIn(run, geofenceKind, geofences, [text.trim()], true);
  if (id instanceof CliError) throw id;
  const found = geofences.find((geofence) => geofence.id === id);
  if (!found?.id) {
    throw new CliError('NOT_FOUND', `There is no geofence with the id ${id}.`, {
      hint: '`fleet geofences list` lists all of them.',
    });
  }
  const name = found.name ?? found.id;
  const shape = shapeOf(found.geojson, undefined);
  const places = showsPlaces(run) ? new Places(geofences.filter((geofence) => !isMarkedDeleted(geofence))) : null;
  if (shape) return { target: { id: found.id, name, shape, position: null }, places };
  throw new CliError('PROTOCOL', `The geofence "${name}" has no area that distances can be measured from.`, {
    hint: '`fleet geofences update --geojson` replaces its shape; or give a position as latitude,longitude.',
  });
}

/** The static type of a vehicle is that of the default selection, without what was selected here. */
type NearTimes = Partial<Pick<NearRow, 'timestamp' | 'locationTimestamp'>>;

function rowsNear(
  vehicles: readonly ChosenVehicle[],
  target: Target,
  radius: number | undefined,
  now: number,
): readonly NearRow[] {
  const shape = target.shape ?? { polygons: [], buffers: [{ path: [vertexOf(target)], radiusMetres: 0 }] };
  const rows = vehicles.flatMap(({ id, row }) => {
    const position = positionIn(row?.lastData?.gps);
    const nearest = position && nearestPointOf(shape, position, radius ?? Number.POSITIVE_INFINITY);
    if (!row || !position || !nearest) return [];
    const { distanceM, direction } = placeOf(target, nearest, position);
    const { name = null, licensePlate = null, lastData } = row;
    const { timestamp = null, locationTimestamp = null }: NearTimes = lastData ?? {};
    const status = liveStatus(lastData, { now });
    return [{ id, name, licensePlate, distanceM, direction, status, timestamp, locationTimestamp, ...position }];
  });
  return rows
    .sort((a, b) => a.distanceM - b.distanceM)
    .map((row) => ({ ...row, distanceM: Math.round(row.distanceM) }));
}

function vertexOf({ position }: Target): readonly [number, number] {
  return [position?.longitude ?? 0, position?.latitude ?? 0];
}

function emptyText({ name }: Target, radius: number | undefined): string {
  return radius === undefined
    ? 'No vehicle has a position.'
    : `No vehicle is within ${distanceText(radius)} of ${name}.`;
}
