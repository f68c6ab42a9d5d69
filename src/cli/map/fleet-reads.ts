// What the map reads from the service beside the live status: geofences, the day of a vehicle, and the roads of the last day.
import type { FleetClient } from '../../index.js';
import { type DaySnapshot, daySelection, mapDay } from '../../map/day.js';
import { Roads } from '../../map/roads.js';
import type { MapDay, MapGeofence, MapRoads, MapVehicle } from '../../map/shapes.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { fixOf } from '../../telemetry/tracks/fix.js';
import { shapeOf } from '../../telemetry/watch/geofence-shape.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import type { Context, ReportingRun } from '../context/context.js';
import type { Span } from '../parse/time.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import type { StatusRow } from '../views/status.js';
import { currentDrivers } from '../watch/fleet-status.js';

/** The name of a driver, or the id when it is unknown. */
export type NameOf = (driverId: string) => string;

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
    heading: row.direction,
    driver: row.identifiedDriver ?? row.identifiedDriverId,
  };
}

/** Without those that are points or lines and say no radius: nothing of them can be drawn. */
export async function readGeofences(run: ReportingRun, client: FleetClient): Promise<readonly MapGeofence[]> {
  const select = { id: true, isDeleted: true, name: true, geojson: true } as const;
  const rows = await allowPartial(run, (partial) => call(client, 'getGeofences', {}, { ...partial, select }));
  return rows.flatMap((row) => {
    const shape = isMarkedDeleted(row) ? null : shapeOf(row.geojson, undefined);
    return row.id && shape !== null ? [{ id: row.id, name: row.name ?? null, ...shape }] : [];
  });
}

export async function readDay(
  context: Context,
  client: FleetClient,
  vehicleId: string,
  { from, to }: Span,
  nameOf: NameOf,
  signal: AbortSignal,
): Promise<MapDay> {
  const period = { vehicleId, from: new Date(from), to: new Date(to) };
  const rows: DaySnapshot[] = [];
  const stream = client.streamSnapshots(period, { select: daySelection, signal, priority: 'normal' });
  const drivers = currentDrivers(context, client, [{ vehicleId }], { signal });
  // Not asked for in vain when the snapshots fail.
  drivers.catch(() => undefined);
  for await (const row of stream) rows.push(row);
  const day = await mapDay(vehicleId, { from, to }, rows, nameOf);
  const assigned = (await drivers).byVehicle.get(vehicleId);
  return { ...day, assigned: assigned === undefined ? null : nameOf(assigned) };
}

/** A vehicle that fails has no roads. */
export async function readRoads(
  client: FleetClient,
  vehicleIds: readonly string[],
  { from, to }: Span,
  signal: AbortSignal,
): Promise<MapRoads> {
  const roads = new Roads();
  if (vehicleIds.length === 0) return roads.toShape();
  const select = { timestamp: true, gps: { state: true, latitude: true, longitude: true } } as const;
  const period = { vehicleIds, from: new Date(from), to: new Date(to) };
  for await (const row of client.streamSnapshots(period, { select, signal, onError: () => undefined })) {
    const fix = fixOf(row);
    if (fix !== null) roads.add(row.vehicleId, fix);
  }
  return roads.toShape();
}
