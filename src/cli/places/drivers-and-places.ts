// Reads the drivers and geofences that trips and snapshots refer to by id or coordinates.
import type { FleetClient } from '../../index.js';
import { driverNames } from '../connection/driver-names.js';
import type { ReportingRun } from '../context/context.js';
import type { Places } from './places.js';
import { noPlaces, readPlaces } from './read-places.js';

export interface DriversAndPlaces {
  readonly names: ReadonlyMap<string, string>;
  readonly places: Places;
}

/** Reads the needed lists in one request, together with other calls of the same moment. */
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
