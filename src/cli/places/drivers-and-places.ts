// Reads what trips and snapshots name only by ids and coordinates: the drivers, and the geofences as places.
import type { FleetClient } from '../../index.js';
import { driverNames } from '../connection/driver-names.js';
import type { ReportingRun } from '../context/context.js';
import type { Places } from './places.js';
import { noPlaces, readPlaces } from './read-places.js';

export interface DriversAndPlaces {
  /** Full names by the ids of the drivers. */
  readonly names: ReadonlyMap<string, string>;
  readonly places: Places;
}

/** Reads what is needed. Both lists are sent as one request, with what else is sent at the same time. */
export async function readDriversAndPlaces(
  run: ReportingRun,
  client: FleetClient,
  needs: { readonly driver: boolean; readonly places: boolean },
): Promise<DriversAndPlaces> {
  const [names, places] = await Promise.all([
    needs.driver ? driverNames(run, client) : new Map<string, string>(),
    needs.places ? readPlaces(run, client) : noPlaces,
  ]);
  return { names, places };
}
