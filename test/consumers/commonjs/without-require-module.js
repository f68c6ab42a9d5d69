// If `require()` of ES modules is disabled, the package is loaded as CommonJS.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');

const program = `
  const { FleetClient } = require('fleet-telematics');
  const { createMockService } = require('fleet-telematics/mock');
  const { fetch } = createMockService({ vehicles: 3 });
  const options = { baseUrl: 'http://fleet.example', credentials: { username: 'demo', password: 'demo' }, fetch };
  new FleetClient(options).getVehicles().then(({ length }) => console.log(length));`;
const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-experimental-require-module', '-e', program], {
  cwd: __dirname,
  encoding: 'utf8',
});
assert.equal(stderr, '');
assert.equal(stdout, '3\n');
assert.equal(status, 0);
