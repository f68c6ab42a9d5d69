#!/usr/bin/env node
// CommonJS, as bin/package.json says: Node's loader of ES modules would take longer than most commands.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const bundle = join(__dirname, '../dist/cli/main.cjs');
if (existsSync(bundle)) {
  require(bundle).main(process);
} else {
  process.stderr.write(
    'fleet: the command line has not been built yet. In a clone of the project, run `npm ci` first.\n',
  );
  process.exitCode = 1;
}
