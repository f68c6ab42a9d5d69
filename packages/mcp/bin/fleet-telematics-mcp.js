#!/usr/bin/env node
// Runs `fleet mcp` with the arguments of this program.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
let manifest;
try {
  manifest = require.resolve('fleet-telematics/package.json');
} catch {
  const { version } = require('../package.json');
  process.stderr.write(
    `error: fleet-telematics is not installed beside fleet-telematics-mcp.\nhint: Install fleet-telematics@${version} where fleet-telematics-mcp is.\n`,
  );
  process.exitCode = 3;
}
if (manifest !== undefined) {
  process.argv.splice(2, 0, 'mcp');
  require(join(dirname(manifest), require(manifest).bin.fleet));
}
