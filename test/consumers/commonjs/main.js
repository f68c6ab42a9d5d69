// CommonJS: every supported Node can `require()` the package, which has no top-level await.
const assert = require('node:assert/strict');
const { FleetClient, FleetError } = require('fleet-telematics');
const { createMockService } = require('fleet-telematics/mock');

async function main() {
  const service = createMockService({ vehicles: 3 });
  const fleet = new FleetClient({
    baseUrl: 'http://fleet.example',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
  });
  assert.equal((await fleet.getVehicles()).length, 3);
  await fleet.close();
  // One copy for import and require: `instanceof` works across them.
  assert.equal((await import('fleet-telematics')).FleetError, FleetError);
}

main();
