// Plain JavaScript: every entry of the package over real HTTP, without the optional peer msw.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import manifest from 'fleet-telematics/package.json' with { type: 'json' };

const server = await createMockService({ vehicles: 3 }).listen();
const fleet = new FleetClient({ baseUrl: server.url, credentials: { username: 'demo', password: 'demo' } });
try {
  assert.equal((await fleet.getVehicles()).length, 3);
} finally {
  await fleet.close();
  await server.close();
}

assert.match(manifest.version, /^\d+\.\d+\.\d+/);
const contract = await readFile(fileURLToPath(import.meta.resolve('fleet-telematics/schema.graphql')), 'utf8');
assert.match(contract, /^type Query/m);

await assert.rejects(import('fleet-telematics/mock/msw'), {
  code: 'ERR_MODULE_NOT_FOUND',
  message: /^Cannot find package 'msw' imported from .*fleet-telematics/,
});
// Other files cannot be imported: those below dist/ may change in any release.
await assert.rejects(import('fleet-telematics/dist/esm/sdk/index.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
