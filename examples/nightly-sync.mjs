// @ts-check
// Keeps a copy of the fleet in a SQLite file: vehicles, people, geofences and so on, trips, and every snapshot, each row once. Run
// `node nightly-sync.mjs fleet.db` every night: it goes on where the last run ended, even if that one failed or was killed. The first run
// begins a day ago. `node nightly-sync.mjs fleet.db 2026-03-02T00:00:00Z` ends at that time. For PostgreSQL use postgresTarget.
import { FleetClient } from 'fleet-telematics';
import { sqliteTarget, syncFleet, syncParts } from 'fleet-telematics-sync';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;
const [file = 'fleet.db', until = new Date().toISOString()] = process.argv.slice(2);
const credentials = { username: FLEET_USERNAME, password: FLEET_PASSWORD };
const fleet = new FleetClient({ baseUrl: FLEET_BASE_URL, credentials, share: 'machine' });

// Ctrl-C ends it between two batches.
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
  // What is missing; docs/sync.md says which of it the next run reads.
  for (const { part, vehicleId, error } of failures) {
    process.stderr.write(`${part} ${vehicleId ?? ''}: ${error.code}: ${error.message}\n`);
    process.exitCode = 1;
  }
} finally {
  await fleet.close();
}
