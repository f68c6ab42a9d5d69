// Reads names of vehicles for rows with their ids.
import type { FleetClient } from '../../index.js';
import type { ReportingRun } from '../context/context.js';
import { call } from './call.js';

/** Returns names by id; empty when they cannot be read. */
export async function vehicleNames(run: ReportingRun, client: FleetClient): Promise<ReadonlyMap<string, string>> {
  const select = { id: true, name: true, licensePlate: true } as const;
  const vehicles = await call(client, 'getVehicles', {}, { signal: run.io.signal, select }).catch(() => {
    run.report.warn('The names of vehicles could not be read.');
    return [];
  });
  return new Map(vehicles.map(({ id, name, licensePlate }) => [id ?? '', name || licensePlate || '']));
}
