// @ts-check
// Copies vehicles, people, geofences, trips, snapshots and more to a SQLite file, each row once.
// Run `node nightly-sync.mjs fleet.db` every night: it continues after the last run, even a killed
// one. The first run starts a day ago. An end time may follow. Use postgresTarget for PostgreSQL.
import { FleetClient } from 'fleet-telematics';
import { sqliteTarget, syncFleet, syncParts } from 'fleet-telematics-sync';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;
const [file = 'fleet.db', until = new Date().toISOString()] = process.argv.slice(2);
const credentials = { username: FLEET_USERNAME, password: FLEET_PASSWORD };
const fleet = new FleetClient({ baseUrl: FLEET_BASE_URL, credentials, share: 'machine' });

// Ctrl-C stops the sync between two batches.
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
try {
  const { tables, failures } = await syncFleet(fleet, sqliteTarget(file), {
    parts: syncParts,
    since: new Date(Date.parse(until) - 86_400_000),
    until,
    lateMs: 3_600_000,
    signal: stop.signal,
    onChange: ({ type, table, id }) => process.stdout.write(`${type}\t${table}\t${id}\n`),
  });
  for (const { table, written } of tables) process.stdout.write(`${table}\t${written} rows\n`);
  // Parts that failed. docs/sync.md says which of them the next run reads again.
  for (const { part, vehicleId, error } of failures) {
    process.stderr.write(`${part} ${vehicleId ?? ''}: ${error.code}: ${error.message}\n`);
    process.exitCode = 1;
  }
} finally {
  await fleet.close();
}
