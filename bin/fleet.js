#!/usr/bin/env node
// Starts the command line. It is CommonJS, because Node's ES module loader takes longer than most
// commands.
const { existsSync, mkdirSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');

const bundle = join(__dirname, '../dist/cli/bundle/main.cjs');
if (existsSync(bundle)) {
  require.extensions['.cjs'] = loadFile;
  require(bundle).main(process);
} else {
  const isInstalled = existsSync(join(__dirname, '../node_modules/typescript'));
  const todo = isInstalled
    ? 'Run `npm run build` first.'
    : 'Run `npm ci` first, which installs its packages and builds.';
  process.stderr.write(`fleet: this clone of the project has not been built: there is no dist/. ${todo}\n`);
  process.exitCode = 1;
}

/** Loads the first file of the bundle normally, others with cached compiled code, if possible. */
function loadFile(module, filename) {
  if (filename === bundle) return require.extensions['.js'](module, filename);
  require.extensions['.cjs'] = require.extensions['.js'];
  const folder = process.env.NODE_DISABLE_COMPILE_CACHE ? null : cacheFolder();
  if (folder !== null) require('./compiled-code.js').keepCompiledCode(dirname(bundle), folder);
  return require.extensions['.cjs'](module, filename);
}

/** Returns our folder in the user's cache folder; null when it cannot be created. */
function cacheFolder() {
  try {
    const folder = join(userCacheFolder(), 'fleet-telematics');
    if (!isAbsolute(folder)) return null;
    if (!existsSync(folder)) {
      // Not recursive: a missing home folder is not created, and Node 22 never returns from a
      // recursive mkdir in /proc.
      if (!existsSync(dirname(folder))) mkdirSync(dirname(folder), { mode: 0o700 });
      mkdirSync(folder, { mode: 0o700 });
    }
    return folder;
  } catch {
    return null;
  }
}

function userCacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData/Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches');
  // The XDG specification says to ignore a relative path.
  return XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache');
}
