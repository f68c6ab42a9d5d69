// CommonJS: every supported Node lets `require()` load the package, because no module of it awaits at its top level.
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
  // One copy, whichever way it is loaded: `instanceof` holds across them.
  assert.equal((await import('fleet-telematics')).FleetError, FleetError);
}

main();
