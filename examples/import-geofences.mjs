// @ts-check
// Creates a geofence for every feature of a GeoJSON file, named by the property `name`. If a geofence of that name exists, it is
// updated instead, so you can run the import again: `node import-geofences.mjs depots.geojson`.
import { readFile } from 'node:fs/promises';
import { FleetClient, FleetError } from 'fleet-telematics';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;

const fleet = new FleetClient({
  baseUrl: FLEET_BASE_URL,
  credentials: { username: FLEET_USERNAME, password: FLEET_PASSWORD },
  share: 'machine',
});

const { features } = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
const known = new Map((await fleet.getGeofences()).map(({ id, name }) => [name, id]));

for (const { geometry, properties } of features) {
  const { name, description, color } = properties ?? {};
  if (typeof name !== 'string' || name === '') {
    process.stderr.write('A feature without a name was left out.\n');
    continue;
  }
  const geofence = { name, geojson: geometry, ...(description && { description }), ...(color && { color }) };
  const id = known.get(name);
  try {
    // Updating twice does no harm, so the client may retry it. Creating twice would, so it does not retry that.
    if (id) await fleet.updateGeofence({ geofenceId: id, geofenceInput: geofence }, { idempotent: true });
    else known.set(name, (await fleet.createGeofence({ geofenceInput: geofence }))?.id ?? null);
    process.stdout.write(`${id ? 'changed' : 'made'}\t${name.replace(/\p{Cc}/gu, '?')}\n`);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    process.stderr.write(`${name.replace(/\p{Cc}/gu, '?')}: ${error.code} ${error.message}\n`);
    process.exitCode = 1;
  }
}

await fleet.close();
