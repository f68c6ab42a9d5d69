// Where `require()` of an ES module is switched off, as it is in older Nodes, the message says what to do instead.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');

const { status, stderr } = spawnSync(
  process.execPath,
  ['--no-experimental-require-module', '-e', "require('fleet-telematics')"],
  { cwd: __dirname, encoding: 'utf8' },
);
assert.equal(status, 1);
assert.match(stderr, /ERR_REQUIRE_ESM/);
assert.match(stderr, /require\(\) of ES Module .*fleet-telematics/);
assert.match(stderr, /dynamic import\(\)/);
