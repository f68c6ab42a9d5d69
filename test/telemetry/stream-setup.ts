// Reads streams to their end and compares the results, for the tests of streams of many vehicles.
import { createHash } from 'node:crypto';
import type { FleetClient, Trip, TripOptions } from '../../src/index.js';
import { START } from '../request/setup.js';

export const HOUR = 3_600_000;

/** Returns the last `ms` of the world's time. */
export const period = (ms: number) => ({ from: new Date(START - ms), to: new Date(START) });

export async function read<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

export function byVehicle<Row extends { readonly vehicleId?: string | null }>(
  rows: readonly Row[],
): Map<unknown, Row[]> {
  const found = new Map<unknown, Row[]>();
  for (const row of rows) {
    const own = found.get(row.vehicleId);
    if (own) own.push(row);
    else found.set(row.vehicleId, [row]);
  }
  return found;
}

/** Returns the snapshots of each vehicle that has some, from a separate stream each. */
export async function snapshotsAlone(
  fleet: FleetClient,
  vehicleIds: readonly string[],
  ms: number,
): Promise<Map<unknown, unknown[]>> {
  const found = new Map<unknown, unknown[]>();
  for (const vehicleId of vehicleIds) {
    const rows = await read(fleet.streamSnapshots({ vehicleId, ...period(ms) }));
    if (rows.length > 0) found.set(vehicleId, rows);
  }
  return found;
}

/** Returns the trips of each vehicle, from a separate stream each. */
export async function tripsAlone(
  fleet: FleetClient,
  vehicleIds: readonly string[],
  time: { readonly from: Date; readonly to: Date },
  options: TripOptions = {},
): Promise<Trip[]> {
  const trips: Trip[] = [];
  for (const vehicleId of vehicleIds) trips.push(...(await read(fleet.streamTrips({ vehicleId, ...time }, options))));
  return trips;
}

export const hashOf = (rows: unknown) => createHash('sha256').update(JSON.stringify(rows)).digest('hex');
export const inAnyOrder = (rows: readonly unknown[]) => hashOf(rows.map((row) => JSON.stringify(row)).sort());
