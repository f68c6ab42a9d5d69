#!/usr/bin/env node
// Starts `fleet mcp` with the words of this program.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const manifest = require.resolve('fleet-telematics/package.json');
process.argv.splice(2, 0, 'mcp');
require(join(dirname(manifest), require(manifest).bin.fleet));
