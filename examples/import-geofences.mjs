// @ts-check
// Creates or updates a geofence for each feature of a GeoJSON file, by the feature's `name`. It can
// run again: `node import-geofences.mjs depots.geojson`.
import { readFile } from 'node:fs/promises';
import { FleetClient, FleetError } from 'fleet-telematics';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;

const fleet = new FleetClient({
  baseUrl: FLEET_BASE_URL,
  credentials: { username: FLEET_USERNAME, password: FLEET_PASSWORD },
  share: 'machine',
});

const { features } = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
const idsByName = new Map((await fleet.getGeofences()).map(({ id, name }) => [name, id]));
/** @param {unknown} name */
const shown = (name = '') => String(name).replace(/\p{Cc}/gu, '?');
const outcomes = await fleet.each(
  features,
  async ({ geometry, properties }) => {
    const { name, description, color } = properties ?? {};
    if (typeof name !== 'string' || name === '') throw new Error('it has no name');
    const geofence = { name, geojson: geometry, ...(description && { description }), ...(color && { color }) };
    const id = idsByName.get(name);
    // The client may retry an update. A retried creation could make a second geofence.
    if (id) await fleet.updateGeofence({ geofenceId: id, geofenceInput: geofence }, { idempotent: true });
    else idsByName.set(name, (await fleet.createGeofence({ geofenceInput: geofence }))?.id ?? null);
    process.stdout.write(`${id ? 'changed' : 'made'}\t${shown(name)}\n`);
  },
  { stopAfter: 5 },
);
// An `unknown` change may have been made: the next run looks it up by name.
for (const { item, index, error } of [...outcomes.failed, ...outcomes.unknown, ...outcomes.notSent]) {
  const why = error instanceof FleetError ? `${error.code} ${error.message}` : String(error ?? 'not sent');
  process.stderr.write(`${shown(item.properties?.name) || `feature ${index + 1}`}: ${why}\n`);
  process.exitCode = 1;
}

await fleet.close();
