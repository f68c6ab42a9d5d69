// Loaded into every Node process of a run with a faked time. It covers gaps of libfaketime:
// - Tests start processes with another environment. This file adds the faked time and its time zone
//   to it.
// - Database servers keep the real time, like an installed server: redis-server hangs at its start
//   with libfaketime, because of its memory allocator.
// - Node reads file times without the C library, so a new file would have the real time. This file
//   shifts these times.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const names = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'TZ', 'ANY_DAY_OFFSET_MS', 'NODE_OPTIONS'];
/** @type {Record<string, string>} */
const carried = Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
/** libfaketime adds variables of its own. */
const faking = /^(LD_PRELOAD|FAKETIME.*|ANY_DAY_.*|NODE_OPTIONS)$/;
const offsetMs = Number(carried.ANY_DAY_OFFSET_MS);

// Node assigns these properties to each Stats object, so a prototype setter sees every time. 0:
// unknown.
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

// Only the process that runs the tests needs this patch: its children pass the environment on. A
// child without the patch can be tested for the Node modules that it loads.
if (process.env.ANY_DAY_CHILD === undefined) {
  // Node's types lack ChildProcess.prototype.spawn.
  const children = /** @type {any} */ (require('node:child_process'));
  const isServer = /(^|\/)(initdb|pg_ctl|redis-server)$/;
  /**
   * @param {readonly string[]} words the program and its arguments
   * @param {Record<string, string | undefined>} env
   */
  const timed = (words, env) => {
    if (words.some((word) => isServer.test(word))) {
      return Object.fromEntries(Object.entries(env).filter(([name]) => !faking.test(name)));
    }
    // An inherited environment has these variables already.
    if ('ANY_DAY_OFFSET_MS' in env) return env;
    const options = [carried.NODE_OPTIONS, env.NODE_OPTIONS].filter(Boolean).join(' ');
    return { ...carried, ...env, NODE_OPTIONS: options, ANY_DAY_CHILD: '1' };
  };
  const { spawn } = children.ChildProcess.prototype;
  /** @param {{ file?: string, args?: readonly string[], envPairs?: string[] }} options */
  children.ChildProcess.prototype.spawn = function (options) {
    const pairs = (options.envPairs ?? []).map((pair) => /^(.[^=]*)=(.*)$/s.exec(pair)?.slice(1) ?? [pair, '']);
    const env = timed([options.file ?? '', ...(options.args ?? [])], Object.fromEntries(pairs));
    return spawn.call(this, { ...options, envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`) });
  };
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const start = children[name];
    /** @param {string} program @param {any[]} rest arguments and options; each may be missing */
    children[name] = (program, ...rest) => {
      const args = Array.isArray(rest[0]) ? rest[0] : undefined;
      const options = args === undefined ? rest[0] : rest[1];
      const env = timed([program, ...(args ?? [])], options?.env ?? process.env);
      return start(program, ...(args === undefined ? [] : [args]), { ...options, env });
    };
  }
}
syncBuiltinESMExports();
