#!/usr/bin/env node
// Starts the command line. CommonJS, as bin/package.json says: Node's loader of ES modules would take longer than most commands.
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

/** Loads a file of the bundle: the first as ever, the others with compiled code, if the user has a folder for it. */
function loadFile(module, filename) {
  if (filename === bundle) return require.extensions['.js'](module, filename);
  require.extensions['.cjs'] = require.extensions['.js'];
  const folder = process.env.NODE_DISABLE_COMPILE_CACHE ? null : cacheFolder();
  if (folder !== null) require('./compiled-code.js').keepCompiledCode(dirname(bundle), folder);
  return require.extensions['.cjs'](module, filename);
}

/** Our folder in the user's cache folder; null if there is none and it cannot be made. */
function cacheFolder() {
  try {
    const folder = join(userCacheFolder(), 'fleet-telematics');
    if (!isAbsolute(folder)) return null;
    if (!existsSync(folder)) {
      // Not recursive: a home folder that does not exist is not made, and Node 22 never returns from a recursive mkdir in /proc.
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
