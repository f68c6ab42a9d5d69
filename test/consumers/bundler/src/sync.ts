// A copy of the fleet in SQLite, at the path in the first argument.
import { inspect } from 'node:util';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { sqliteTarget, syncFleet } from 'fleet-telematics-sync';

const [, , path = ''] = process.argv;
const fleet = new FleetClient({
  baseUrl: 'http://fleet.example',
  credentials: { username: 'demo', password: 'demo' },
  fetch: createMockService({ vehicles: 2 }).fetch,
});

syncFleet(fleet, sqliteTarget(path), { parts: ['vehicles', 'latest'] })
  .then(({ tables }) =>
    process.stdout.write(`${tables.map(({ table, written }) => `${table} ${written}`).join(', ')}\n`),
  )
  .catch((error: unknown) => {
    process.exitCode = 1;
    process.stderr.write(`${inspect(error)}\n`);
  })
  .finally(() => fleet.close());
