// Reads geofences and driven roads, and converts status rows for the map.
import type { CallOptions, FleetClient } from 'fleet-telematics';
import { despiteFailures, fixOf, shapeOf, timestampMs } from 'fleet-telematics/kit';
import type { ReportingRun, Span, StatusAnswer, StatusRow } from 'fleet-telematics/kit/command';
import {
  addressText,
  allowPartial,
  call,
  fieldsOfPlace,
  isMarkedDeleted,
  type PlaceFields,
  positionIn,
} from 'fleet-telematics/kit/command';
import type { PlaceNaming } from '../day.js';
import { Roads } from '../roads.js';
import type { MapGeofence, MapPlace, MapRoads, MapVehicle } from '../shapes.js';

/** Resolves to the ids of the vehicles to show; null for all. */
export type ReadChosenIds = (options: CallOptions) => Promise<ReadonlySet<string> | null>;

export function namingBy({ names, places }: Pick<StatusAnswer, 'names' | 'places'>): PlaceNaming {
  return {
    driver: (id) => names.get(id) ?? id,
    place: (position) => mapPlace(fieldsOfPlace(places.at(positionIn(position)))),
    geofencesNear: (positions) => places.near(positions),
  };
}

function mapPlace({ nearestPlace, nearestPlaceDistanceM, nearestPlaceDirection }: PlaceFields): MapPlace | null {
  if (!nearestPlace) return null;
  return { name: nearestPlace, metres: nearestPlaceDistanceM ?? 0, direction: nearestPlaceDirection ?? null };
}

export function mapVehicle(row: StatusRow): MapVehicle {
  return {
    id: row.id ?? '',
    name: row.name,
    plate: row.licensePlate,
    status: row.status,
    ...(row.deactivated ? { deactivated: true } : {}),
    at: timestampMs(row.timestamp),
    latitude: row.latitude,
    longitude: row.longitude,
    speed: row.speed,
    heading: row.direction ?? null,
    driver: row.identifiedDriver ?? row.identifiedDriverId ?? null,
    place: mapPlace(row),
  };
}

/** Leaves out points and lines without a radius, which cannot be drawn. */
export async function readGeofences(run: ReportingRun, client: FleetClient): Promise<readonly MapGeofence[]> {
  const address = { address: true, postalCode: true, city: true, region: true, country: true } as const;
  const select = { id: true, isDeleted: true, name: true, color: true, type: true, address, geojson: true } as const;
  const rows = await allowPartial(run, (partial) => call(client, 'getGeofences', {}, { ...partial, select }));
  return rows.flatMap((row) => {
    const shape = isMarkedDeleted(row) ? null : shapeOf(row.geojson, undefined);
    if (!row.id || shape === null) return [];
    const { id, name = null, color = null, type = null } = row;
    return [{ id, name, color, type, address: addressText(row) || null, ...shape }];
  });
}

/** Returns the roads; a vehicle whose snapshots cannot be read has none. */
export async function readRoads(
  client: FleetClient,
  vehicleIds: readonly string[],
  { from, to }: Span,
  signal: AbortSignal,
): Promise<MapRoads> {
  const roads = new Roads();
  if (vehicleIds.length === 0) return { to, lines: [] };
  const select = { timestamp: true, gps: { state: true, latitude: true, longitude: true } } as const;
  const period = { vehicleIds, from: new Date(from), to: new Date(to) };
  for await (const row of despiteFailures(client.streamSnapshots(period, { select, signal }))) {
    const fix = fixOf(row);
    if (fix !== null) roads.add(row.vehicleId, fix);
  }
  return { to, lines: roads.toShape() };
}
