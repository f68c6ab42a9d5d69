// Loaded into every Node process of a run under a faked time, for what libfaketime does not reach:
// - Tests give the processes they start an environment of their own. The faked time and its time zone go along all the same.
// - Node asks the kernel for a file's times past the C library, so that a new file would have the real time.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const names = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'TZ', 'ANY_DAY_OFFSET_MS', 'NODE_OPTIONS'];
/** @type {Record<string, string>} */
const carried = Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
const offsetMs = Number(carried.ANY_DAY_OFFSET_MS);

// Node's Stats assigns its times as plain members, so a setter on the prototype sees each of them. 0 is a time that is not known.
for (const name of ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs']) {
  Object.defineProperty(fs.Stats.prototype, name, {
    configurable: true,
    set(real) {
      const value = real === 0 ? real : real + offsetMs;
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}
const { utimesSync } = fs;
/** @param {fs.TimeLike} time */
const realTime = (time) => new Date((time instanceof Date ? time.getTime() : Number(time) * 1000) - offsetMs);
fs.utimesSync = (path, atime, mtime) => utimesSync(path, realTime(atime), realTime(mtime));

// What the tests start carries this on to what it starts in turn. So only the tests' own process needs it, and a test can look at which
// of Node's modules a process loads.
if (process.env.ANY_DAY_CHILD === undefined) {
  // Patched from outside, Node's own types say nothing of it.
  const children = /** @type {any} */ (require('node:child_process'));
  /** @param {Record<string, string | undefined>} env */
  const faked = (env) => {
    // What inherits the environment has it all, but for what must not be inherited further.
    if ('ANY_DAY_OFFSET_MS' in env) return env;
    const options = [carried.NODE_OPTIONS, env.NODE_OPTIONS].filter(Boolean).join(' ');
    return { ...carried, ...env, NODE_OPTIONS: options, ANY_DAY_CHILD: '1' };
  };
  const { spawn } = children.ChildProcess.prototype;
  /** @param {{ envPairs?: string[] }} options */
  children.ChildProcess.prototype.spawn = function (options) {
    const pairs = (options.envPairs ?? []).map((pair) => /^(.[^=]*)=(.*)$/s.exec(pair)?.slice(1) ?? [pair, '']);
    const env = faked(Object.fromEntries(pairs));
    return spawn.call(this, { ...options, envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`) });
  };
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const start = children[name];
    /** @param {any[]} args */
    children[name] = (...args) => {
      const last = args.at(-1);
      return last?.env ? start(...args.slice(0, -1), { ...last, env: faked(last.env) }) : start(...args);
    };
  }
}
syncBuiltinESMExports();
