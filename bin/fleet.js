#!/usr/bin/env node
// Starts the command line. CommonJS, as bin/package.json says: Node's loader of ES modules would take longer than most commands.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');

const bundle = join(__dirname, '../dist/cli/bundle/main.cjs');
if (existsSync(bundle)) {
  // Node 22.8 and newer keep what they have compiled; an older Node compiles again each time.
  const folder = enableCompileCache && cacheFolder();
  if (folder) enableCompileCache(join(folder, 'fleet-telematics'));
  require(bundle).main(process);
} else {
  process.stderr.write(
    'fleet: the command line has not been built yet. In a clone of the project, run `npm ci` first.\n',
  );
  process.exitCode = 1;
}

/** The folder for what programs can make again; null when the system names none. Node ignores one that cannot be written. */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const named = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  if (named && isAbsolute(named)) return named;
  try {
    const folders = { win32: 'AppData/Local', darwin: 'Library/Caches' };
    const folder = join(homedir(), folders[process.platform] ?? '.cache');
    return isAbsolute(folder) ? folder : null;
  } catch {
    // A user without a home folder.
    return null;
  }
}
