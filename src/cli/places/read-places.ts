// Reads the geofences that name positions. Calls of the same moment are sent in one request.
import type { CallOptions, FleetClient } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { refusalReason } from '../connection/refusal-reason.js';
import type { ReportingRun } from '../context/context.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import { Places } from './places.js';

/** Returns no geofences, with a warning, when the service refuses them. */
export async function readPlaces(run: ReportingRun, client: FleetClient, options: CallOptions = {}): Promise<Places> {
  const select = { id: true, name: true, geojson: true, isDeleted: true } as const;
  try {
    const geofences = await allowPartial(run, (partial) =>
      call(client, 'getGeofences', {}, { ...partial, ...options, select }),
    );
    return new Places(geofences.filter((geofence) => !isMarkedDeleted(geofence)));
  } catch (error) {
    run.report.warn(`Geofences could not be read, so places are not named: ${refusalReason(run, error)}`);
    return new Places([]);
  }
}

export const noPlaces = new Places([]);
