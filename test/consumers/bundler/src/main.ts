// SDK and service in one file: a client over HTTP to the first argument, and one in this process.
import { inspect } from 'node:util';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

const [, , baseUrl = ''] = process.argv;
const credentials = { username: 'demo', password: 'demo' };

async function main(): Promise<void> {
  const overHttp = new FleetClient({ baseUrl, credentials });
  const inProcess = new FleetClient({
    baseUrl: 'http://fleet.example',
    credentials,
    fetch: createMockService({ vehicles: 2 }).fetch,
  });
  const [there, here] = await Promise.all([overHttp.getVehicles(), inProcess.getVehicles()]);
  process.stdout.write(`${there.length} ${here.length}\n`);
  await Promise.all([overHttp.close(), inProcess.close()]);
}

main().catch((error: unknown) => {
  process.exitCode = 1;
  process.stderr.write(`${inspect(error)}\n`);
});
