// What the map reads from the service beside the live status and the days: geofences, and the roads of a period.
import type { CallOptions, FleetClient } from '../../index.js';
import type { Naming } from '../../map/day.js';
import { Roads } from '../../map/roads.js';
import type { MapGeofence, MapPlace, MapRoads, MapVehicle } from '../../map/shapes.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { fixOf } from '../../telemetry/tracks/fix.js';
import { shapeOf } from '../../telemetry/watch/geofence-shape.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import type { ReportingRun } from '../context/context.js';
import type { Span } from '../parse/time.js';
import { positionIn } from '../places/places.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import { addressText } from '../views/geofence.js';
import { fieldsOfPlace, type PlaceFields } from '../views/place.js';
import type { StatusRow } from '../views/status.js';
import type { StatusAnswer } from '../watch/fleet-status.js';

/** The ids of the vehicles to show; null for all. */
export type ChosenIds = (options: CallOptions) => Promise<ReadonlySet<string> | null>;

/** Names drivers, places and geofences by what is known of the fleet. */
export function namingBy({ names, places }: Pick<StatusAnswer, 'names' | 'places'>): Naming {
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
    at: timestampMs(row.timestamp),
    latitude: row.latitude,
    longitude: row.longitude,
    speed: row.speed,
    heading: row.direction ?? null,
    driver: row.identifiedDriver ?? row.identifiedDriverId ?? null,
    place: mapPlace(row),
  };
}

/** Without those that are points or lines and say no radius: nothing of them can be drawn. */
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

/** A vehicle that fails has no roads. */
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
  for await (const row of client.streamSnapshots(period, { select, signal, onError: () => undefined })) {
    const fix = fixOf(row);
    if (fix !== null) roads.add(row.vehicleId, fix);
  }
  return { to, lines: roads.toShape() };
}
