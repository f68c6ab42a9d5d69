// The packages of commands from their sources, for tests of the command line from its sources.
import type { Io } from '../../src/cli/io/io.js';
import { sdkVersion } from '../../src/core/version.js';

const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  'fleet-telematics-map/command': () => import('../../packages/map/src/command.js'),
  'fleet-telematics-sync/command': () => import('../../packages/sync/src/command.js'),
  'fleet-telematics-sync/copy': () => import('../../packages/sync/src/copy.js'),
  'fleet-telematics-mcp/command': () => import('../../packages/mcp/src/command.js'),
};

export const packages: NonNullable<Io['packages']> = {
  versionOf: () => sdkVersion,
  load: async (name, entry) => modules[`${name}/${entry}`]?.(),
};
