// `fleet vehicles near`: lists the vehicles around a geofence or a position, the nearest first.
import type { Command } from 'commander';
import type { FleetClient, Geofence } from '../../../index.js';
import { isAhead } from '../../../telemetry/latest.js';
import { type LiveSnapshot, liveStatus } from '../../../telemetry/live-status.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import type { TripPosition } from '../../../telemetry/trips/trip.js';
import { LONGEST_LOOK_BACK_DAYS, positionSelection } from '../../../telemetry/visits/past-positions.js';
import { type Shape, shapeOf } from '../../../telemetry/watch/geofence-shape.js';
import { nearestPointOf } from '../../../telemetry/watch/nearest-point.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { type Context, note, type ReportingRun, serviceNow } from '../../context/context.js';
import { examples } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import type { FailedVehicles } from '../../errors/failed-vehicles.js';
import { findEachIn } from '../../find/choose-record.js';
import { addVehicleFlags, type ChosenVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import { deviceClocks } from '../../live/fleet-status.js';
import { distance } from '../../parse/distance.js';
import { parsePosition } from '../../parse/position.js';
import { pastMoment } from '../../parse/time.js';
import { addressFieldOf, addressHelp, addressReader } from '../../places/addresses.js';
import { Places, placeOf, positionIn } from '../../places/places.js';
import { readPlaces } from '../../places/read-places.js';
import { showsPlaces } from '../../places/shows-places.js';
import { geofenceKind } from '../../records/geofence.js';
import { isMarkedDeleted } from '../../shape/deleted.js';
import { listShape } from '../../shape/list-shape.js';
import { localTime } from '../../time/format-time.js';
import { isUnusable, locatedAt, type NearRow, nearView, pastNearView } from '../../views/near.js';
import { distanceText, fieldsOfPlace } from '../../views/place.js';
import { pastTime, positionsAt } from './past-positions.js';

interface NearFlags extends VehicleFlags {
  readonly radius?: number;
  readonly at?: string;
}

export function defineNear(noun: Command, open: () => Context): void {
  const near = noun
    .command('near')
    .description(
      'list the vehicles around a geofence or a position, the nearest first, now or at a time in the past (getVehicles, getGeofences; with --at: getSnapshots)',
    )
    .argument('<place>', 'a geofence by id, name or, on a terminal, a unique part of a name; or latitude,longitude')
    .option(
      '--radius <distance>',
      'only those within this distance, such as 500m, 5km or 3mi; in metres without a unit',
      distance,
    )
    .option('--at <time>', 'where the vehicles were at this time, such as "yesterday 09:00" or -2h (default: now)');
  addVehicleFlags(near)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles near "Depot Tartu" --radius 20km', ''],
        ['fleet vehicles near 58.38,26.72 --limit 3', 'the three nearest to a customer'],
        ['fleet vehicles near "Depot Tartu" --radius 25km --at "yesterday 09:00"', 'who was there then'],
        ['fleet vehicles near "Depot Tartu" --radius 20km --vehicle-filter "name=Van*"', 'only vans'],
        ['fleet vehicles near -- -33.92,18.42', 'a latitude in the south, after --'],
      )}

- DISTANCE is a straight line, not by road, from the edge of the geofence. It is 0 inside. DIRECTION
  is from the place to the vehicle.
- Deactivated and silent vehicles (stale, offline, unknown) come last.
- SEEN is the age of the position, by locationTimestamp or else by timestamp. The vehicle may have
  moved since.
- ${addressHelp}
- With --at, a vehicle is at its last position before that time. STATUS is its status then, and AGE
  (ageSeconds) the age of the position at that time.
- A warning names vehicles without a position in the ${LONGEST_LOOK_BACK_DAYS} days before. Their position is unknown.`,
    )
    .action((place: string, flags: NearFlags) => run(open(), place, flags));
}

/** The place from which distances are measured. */
interface Target {
  readonly id: string;
  readonly name: string;
  readonly shape: Shape | null;
  /** Null for a geofence. */
  readonly position: TripPosition | null;
}

/** The target, and the geofences for the place of each vehicle; null when places are not shown. */
interface NearTarget {
  readonly target: Target;
  readonly places: Places | null;
}

async function run(context: Context, text: string, flags: NearFlags): Promise<void> {
  const find = nearSearch(context, text, flags);
  const shape = listShape(context, flags.at === undefined ? nearView : pastNearView, 'view');
  const client = await connect(context);
  const { rows, target, located, past } = await find(client);
  const { position } = target;
  const when =
    past === null ? '' : ` at ${localTime(past.moment, 'minute', { zone: context.zone.name, offset: null })}`;
  await printRows(context, shape.rows(rows), shape.view, emptyText(target, flags.radius, when));
  past?.failed.report(context.report);
  if (formatOf(context).forPeople && rows.length > 0) {
    // Confirms the unit: a number without one is metres.
    const within = flags.radius === undefined ? '' : `Within ${distanceText(flags.radius)} of ${target.name}. `;
    const last = rows.some(isUnusable) && context.globals.sort === undefined;
    note(context, `${within}Distances are straight lines.${last ? ' Silent and deactivated vehicles come last.' : ''}`);
    if (past !== null) note(context, `These are the positions${when}.`);
  }
  if (!formatOf(context).forPeople || rows.length > 0 || position === null) return;
  const swapped = targetAt({ latitude: position.longitude, longitude: position.latitude });
  const others = Math.abs(position.longitude) > 90 ? 0 : rowsNear(located, swapped, flags.radius).length;
  if (others > 0) note(context, `There are ${others} around ${swapped.name}: the latitude comes first.`);
}

function targetAt(position: TripPosition): Target {
  const name = `${position.latitude},${position.longitude}`;
  return { id: name, name, shape: null, position };
}

interface NearSearch {
  readonly rows: readonly NearRow[];
  readonly target: Target;
  /** All vehicles with a position. */
  readonly located: readonly LocatedVehicle[];
  /** Null for the present. */
  readonly past: { readonly moment: number; readonly failed: FailedVehicles } | null;
}

/** Returns the search. Checks the input before anything is sent. */
function nearSearch(context: Context, text: string, flags: NearFlags): (client: FleetClient) => Promise<NearSearch> {
  const namesPlaces = showsPlaces(context);
  if (text.trim() === '') {
    throw new CliError('USAGE', 'The place is empty.', { hint: 'Give the name of a geofence, or latitude,longitude.' });
  }
  const position = parsePosition(text);
  const at = flags.at === undefined ? null : pastTime(context, flags.at);
  const choose = vehicleChoice(context, [], flags);
  return async (client) => {
    const select = { lastData: positionSelection, deactivated: true } as const;
    // The lists are merged into one request.
    const [vehicles, { target, places }, addresses] = await Promise.all([
      choose(client, select),
      position === null
        ? findGeofence(context, client, text, namesPlaces)
        : aroundPosition(context, client, position, namesPlaces),
      at === null ? addressReader(context, client)() : null,
    ]);
    const moment = at === null ? null : await pastMoment(context, client, at, '--at');
    const past = moment === null ? null : await locatedAtTime(context, client, vehicles, moment);
    const located = past?.located ?? (await lastPositions(context, client, vehicles));
    const rows = rowsNear(located, target, flags.radius).map((row) => ({
      ...row,
      ...(places === null ? {} : fieldsOfPlace(places.at(row))),
      // A position before the last one has an age.
      ...addressFieldOf(addresses, row.ageSeconds === undefined ? row.id : null),
    }));
    return { rows, target, located, past };
  };
}

async function aroundPosition(
  run: ReportingRun,
  client: FleetClient,
  position: TripPosition,
  namesPlaces: boolean,
): Promise<NearTarget> {
  return { target: targetAt(position), places: namesPlaces ? await readPlaces(run, client) : null };
}

/** Returns the geofence as the target. Throws CliError when it is missing or has no area. */
async function findGeofence(
  run: ReportingRun,
  client: FleetClient,
  text: string,
  namesPlaces: boolean,
): Promise<NearTarget> {
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
  const places = namesPlaces ? new Places(geofences.filter((geofence) => !isMarkedDeleted(geofence))) : null;
  if (shape) return { target: { id: found.id, name, shape, position: null }, places };
  throw new CliError('PROTOCOL', `The geofence "${name}" has no area that distances can be measured from.`, {
    hint: '`fleet geofences update --geojson` replaces its shape; or give a position as latitude,longitude.',
  });
}

/** A vehicle with a position. */
type LocatedVehicle = Omit<NearRow, 'distanceM' | 'direction'>;

/** Selected here, but not in the static type of a vehicle. */
type Times = Partial<Pick<NearRow, 'timestamp' | 'locationTimestamp'>>;

function locatedVehicle(
  { id, row }: ChosenVehicle,
  snapshot: LiveSnapshot & Times,
  position: TripPosition,
  now: number,
) {
  const { timestamp = null, locationTimestamp = null } = snapshot;
  const { name = null, licensePlate = null, deactivated } = row ?? {};
  const { latitude, longitude } = position;
  return {
    id,
    name,
    licensePlate,
    status: liveStatus(snapshot, { now }),
    timestamp,
    locationTimestamp,
    latitude,
    longitude,
    deactivated: deactivated === true,
  };
}

/** Returns the last positions. A last row in the future is replaced by the one before it. */
async function lastPositions(
  context: Context,
  client: FleetClient,
  vehicles: readonly ChosenVehicle[],
): Promise<readonly LocatedVehicle[]> {
  const now = serviceNow(context);
  const clocks = deviceClocks(context);
  for (const { id, row } of vehicles) clocks.take('getVehicles', id, row?.lastData, row?.name ?? id);
  const ahead = vehicles.filter(({ row }) => isAhead(timestampMs(row?.lastData?.timestamp), now));
  const others = vehicles.flatMap((vehicle) => {
    const snapshot = vehicle.row?.lastData ?? null;
    const position = positionIn(snapshot?.gps);
    if (snapshot === null || position === null || ahead.includes(vehicle)) return [];
    return [locatedVehicle(vehicle, snapshot, position, now)];
  });
  if (ahead.length === 0) return others;
  const { located, failed } = await locatedAtTime(context, client, ahead, now);
  failed.report(context.report);
  return [...others, ...located];
}

/** Returns the vehicles with a position at that time. */
async function locatedAtTime(
  context: Context,
  client: FleetClient,
  vehicles: readonly ChosenVehicle[],
  moment: number,
) {
  const { positions, failed } = await positionsAt(context, client, vehicles, moment);
  const located = vehicles.flatMap((vehicle): readonly LocatedVehicle[] => {
    const found = positions.get(vehicle.id);
    if (found === undefined) return [];
    const row = locatedVehicle(vehicle, found.row, found.fix, moment);
    const ageSeconds = Math.max(0, Math.round((moment - (timestampMs(locatedAt(row)) ?? found.fix.time)) / 1000));
    return [{ ...row, ageSeconds }];
  });
  return { moment, located, failed };
}

function rowsNear(vehicles: readonly LocatedVehicle[], target: Target, radius: number | undefined): readonly NearRow[] {
  const shape = target.shape ?? { polygons: [], buffers: [{ path: [vertexOf(target)], radiusMetres: 0 }] };
  const rows = vehicles.flatMap((vehicle) => {
    const nearest = nearestPointOf(shape, vehicle, radius ?? Number.POSITIVE_INFINITY);
    if (!nearest) return [];
    const { distanceM, direction } = placeOf(target, nearest, vehicle);
    const { id, name, licensePlate, ...rest } = vehicle;
    return [{ id, name, licensePlate, distanceM, direction, ...rest }];
  });
  return rows
    .sort((a, b) => Number(isUnusable(a)) - Number(isUnusable(b)) || a.distanceM - b.distanceM)
    .map((row) => ({ ...row, distanceM: Math.round(row.distanceM) }));
}

function vertexOf({ position }: Target): readonly [number, number] {
  return [position?.longitude ?? 0, position?.latitude ?? 0];
}

/** `when`: empty for the present. */
function emptyText({ name }: Target, radius: number | undefined, when: string): string {
  const [is, has] = when === '' ? ['is', 'has'] : ['was', 'had'];
  return radius === undefined
    ? `No vehicle ${has} a position${when}.`
    : `No vehicle ${is} within ${distanceText(radius)} of ${name}${when}.`;
}
