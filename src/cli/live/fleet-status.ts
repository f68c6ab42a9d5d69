// Requests the live status of the fleet: vehicles with snapshots, drivers and places.
import { joinTrees, type SelectionTree } from '../../contract/selection/tree.js';
import type { CallOptions, FleetClient, WatchedVehicle } from '../../index.js';
import { DeviceClocks } from '../../telemetry/device-clocks.js';
import type { VehicleReport } from '../../telemetry/events/snapshot-readings.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import type { Board } from '../../telemetry/watch/board.js';
import {
  vehicleReports,
  type WatchedVehicleRow,
  watchedSnapshotSelection,
} from '../../telemetry/watch/fleet-reader.js';
import { allowPartial, partialAnswerOf } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { driverNames } from '../connection/driver-names.js';
import { type Context, type ReportingRun, type ServiceRun, serviceNow } from '../context/context.js';
import { notFound } from '../find/choose-record.js';
import {
  hasMemberFlags,
  idsIn,
  type MemberFlags,
  type MemberRow,
  memberSelection,
  membership,
} from '../find/membership.js';
import { type Addresses, addressFieldOf, type ReadAddresses } from '../places/addresses.js';
import { type Places, positionIn } from '../places/places.js';
import { noPlaces, readPlaces } from '../places/read-places.js';
import { vehicleKind } from '../records/vehicle.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import { fieldsOfPlace } from '../views/place.js';
import type { StatusRow } from '../views/status.js';
import type { VehicleRow } from '../views/vehicle-row.js';

/** Assignments change a few times a day, and each vehicle needs a call. */
const ASSIGNMENTS_MAX_AGE_MS = 300_000;

export interface StatusAnswer {
  /** Their status at a time in milliseconds. */
  vehicles(now: number): readonly WatchedVehicle[];
  readonly names: ReadonlyMap<string, string>;
  /** Id of the assigned driver by vehicle id. */
  readonly drivers: ReadonlyMap<string, string>;
  readonly places: Places;
  readonly addresses: Addresses;
  readonly deactivated: ReadonlySet<string>;
}

interface StatusNeeds {
  readonly active: boolean;
  readonly names: boolean;
  readonly assignments: boolean;
  readonly places: boolean;
  /** Default: no addresses. Read with each answer, because an address is that of one position. */
  readonly addresses?: ReadAddresses;
  /** Only vehicles of these groups and with these labels. */
  readonly members?: MemberFlags;
  /** Names, plates, VINs or ids of the only vehicles to show; empty for all. */
  readonly vehicles?: readonly string[];
}

const vehicleSelection: SelectionTree = {
  id: true,
  name: true,
  licensePlate: true,
  deactivated: true,
  lastData: watchedSnapshotSelection,
};

interface Deactivation {
  readonly deactivated?: boolean | null;
}

interface CurrentDrivers {
  readonly readAt: number;
  readonly byVehicle: ReadonlyMap<string, string>;
}

/** Returns the request for vehicles and people, and for assignments if they are needed. */
export function statusRequest(
  context: Context,
  client: FleetClient,
  needs: StatusNeeds,
  board: Board,
): (options: CallOptions) => Promise<StatusAnswer> {
  const { vehicles: named = [] } = needs;
  // A named vehicle may be deactivated.
  const operation = needs.active && named.length === 0 ? 'getActiveVehicles' : 'getVehicles';
  const members = needs.members !== undefined && hasMemberFlags(needs.members) ? needs.members : null;
  const identity = named.length === 0 ? {} : vehicleKind.identity;
  const select = joinTrees(joinTrees(vehicleSelection, identity), members === null ? {} : memberSelection);
  // Named vehicles are matched once: one missing from an incomplete answer still exists.
  let ids: ReadonlySet<string> | null = null;
  // Groups and labels are looked up once.
  let isMember: ((vehicle: WatchedVehicleRow & MemberRow) => boolean) | null = members === null ? () => true : null;
  let drivers: CurrentDrivers | null = null;
  const clocks = deviceClocks(context);
  let geofences: { readonly readAt: number; readonly places: Places } | null = null;
  return async (options) => {
    const vehicles = partialAnswerOf(context, (partialOptions) =>
      call(client, operation, {}, { ...partialOptions, ...options, select }),
    );
    const people = needs.names ? driverNames(context, client, options) : new Map<string, string>();
    const cachedPlaces = geofences !== null && !isOld(context, geofences) ? geofences.places : null;
    const [found, isWanted, names, places, addresses] = await Promise.all([
      vehicles,
      isMember ?? membership(context, client, members ?? {}, options),
      people,
      cachedPlaces ?? (needs.places ? readPlaces(context, client, options) : noPlaces),
      needs.addresses?.(options) ?? null,
    ]);
    isMember = isWanted;
    if (cachedPlaces === null) geofences = { readAt: serviceNow(context), places };
    // The static type is that of the default selection, not of this one.
    const listed = found.value as readonly (WatchedVehicleRow & MemberRow & Deactivation)[];
    if (named.length > 0) ids ??= idsOfNamed(context, found.value, named);
    const rows = listed.filter(
      (row) => isWanted(row) && (ids?.has(row.id ?? '') ?? true) && !(needs.active && row.deactivated === true),
    );
    const reports = vehicleReports(rows);
    const deactivated = new Set(rows.flatMap((row) => (row.deactivated === true ? (row.id ?? []) : [])));
    // A vehicle that is missing from an incomplete answer still exists.
    for (const { vehicleId, name, snapshot } of reports) clocks.take(operation, vehicleId, snapshot, name ?? vehicleId);
    board.take({ vehicles: reports, isComplete: found.isWhole }, serviceNow(context));
    if (needs.assignments && (drivers === null || isOld(context, drivers)))
      drivers = await currentDrivers(context, client, reports, options);
    const byVehicle = drivers?.byVehicle ?? new Map();
    return { vehicles: (now) => board.vehicles(now), names, drivers: byVehicle, places, addresses, deactivated };
  };
}

/** Returns the ids of the named vehicles. Throws CliError NOT_FOUND or AMBIGUOUS_NAME. */
function idsOfNamed(run: ReportingRun, listed: readonly VehicleRow[], names: readonly string[]): ReadonlySet<string> {
  const idsByLowerCase = new Map(listed.map(({ id }) => [id?.toLowerCase(), id]));
  const ids = idsIn(run, vehicleKind, listed, names).map((id) => {
    const own = idsByLowerCase.get(id.toLowerCase());
    if (own) return own;
    throw notFound(vehicleKind, `There is no vehicle with the id ${id}.`);
  });
  return new Set(ids);
}

/** Returns clocks that warn of devices whose clock is ahead of the service's. */
export function deviceClocks(run: ServiceRun & ReportingRun): DeviceClocks {
  return new DeviceClocks(
    () => serviceNow(run),
    ({ message }) => run.report.warn(message),
  );
}

/** Returns true when assignments or geofences must be read again. */
function isOld(run: ServiceRun, { readAt }: { readonly readAt: number }): boolean {
  return serviceNow(run) - readAt >= ASSIGNMENTS_MAX_AGE_MS;
}

/** Returns the current drivers. The calls of all vehicles are sent as few requests. */
export async function currentDrivers(
  context: Context,
  client: FleetClient,
  vehicles: readonly Pick<VehicleReport, 'vehicleId'>[],
  options: CallOptions,
): Promise<CurrentDrivers> {
  const select = { vehicleId: true, driverId: true, startedAt: true, endedAt: true, isDeleted: true } as const;
  const lists = await Promise.all(
    vehicles.map(({ vehicleId }) =>
      allowPartial(context, (partialOptions) =>
        call(client, 'getDriverAssignments', { input: { vehicleId } }, { ...partialOptions, ...options, select }),
      ),
    ),
  );
  const readAt = serviceNow(context);
  const current = lists.flat().filter((row) => {
    const [start, end] = [timestampMs(row.startedAt), timestampMs(row.endedAt)];
    return !isMarkedDeleted(row) && start !== null && start <= readAt && (end === null || readAt < end);
  });
  const byVehicle = current.flatMap(({ vehicleId, driverId }) =>
    vehicleId && driverId ? [[vehicleId, driverId] as const] : [],
  );
  return { readAt, byVehicle: new Map(byVehicle) };
}

export function statusRows(
  { vehicles, names, drivers, places, addresses, deactivated }: StatusAnswer,
  now: number,
): readonly StatusRow[] {
  return vehicles(now).map((vehicle) => {
    const position = positionIn(vehicle.position);
    return {
      ...rowOf(vehicle, drivers.get(vehicle.vehicleId) ?? null, names),
      ...fieldsOfPlace(places.at(position)),
      ...addressFieldOf(addresses, position && vehicle.vehicleId),
      deactivated: deactivated.has(vehicle.vehicleId),
    };
  });
}

function rowOf(
  vehicle: WatchedVehicle,
  driverId: string | null,
  names: ReadonlyMap<string, string>,
): Omit<StatusRow, 'deactivated'> {
  const { vehicleId, name, licensePlate, status, timestamp, driverId: identifiedDriverId } = vehicle;
  const nameOf = (id: string | null) => (id !== null && names.get(id)) || null;
  return {
    id: vehicleId,
    name,
    licensePlate,
    status,
    timestamp,
    speed: vehicle.speedKmh,
    direction: vehicle.direction,
    latitude: vehicle.position?.latitude ?? null,
    longitude: vehicle.position?.longitude ?? null,
    engineStatus: vehicle.engineOn,
    driverId,
    driver: nameOf(driverId),
    identifiedDriverId,
    identifiedDriver: nameOf(identifiedDriverId),
  };
}
