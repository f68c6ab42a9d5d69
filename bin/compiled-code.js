// Keeps the compiled code of the command line for the next run. Each user compiles for himself: the first run of an executable writes what it
// compiled to the user's cache folder. If the folder cannot be written or holds something else, the code is compiled as ever.
// Node's own `module.enableCompileCache` (22.8 and newer) keeps only what is compiled when a file is loaded, not the functions that are
// compiled when they are called, and never adds to it: with it, a list takes an eighth longer.
const {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** Node has loaded its loader of modules, of which node:module would load more. */
const { wrap } = module.constructor;

/**
 * How many runs add to what is kept: functions are compiled when they are first called, and each command calls others. Later runs only
 * read.
 */
const MOST_WRITES = 4;
/** Smaller files are compiled faster than another file is read. */
const SMALLEST = 50_000;

/**
 * From now on the files of `folder` are loaded with the compiled code that `cache`, a folder of the user, has of them.
 * @param {string} folder with the bundle: files of ASCII text, and `build-id`, which names their content
 * @param {string} cache
 */
function keepCompiledCode(folder, cache) {
  const load = require.extensions['.cjs'] ?? require.extensions['.js'];
  // V8 itself refuses the code of another version of V8 or with other flags, but not of another source of the same length.
  const owner = `${process.version}-${process.arch}-${fingerprint(process.execPath)}-${fingerprint(folder)}`;
  const kept = join(cache, `${owner}-${readFileSync(join(folder, 'build-id'), 'latin1')}`);
  require.extensions['.cjs'] = (module, filename) => {
    const source = dirname(filename) === folder ? readFileSync(filename, 'latin1') : '';
    if (source.length < SMALLEST) return load(module, filename);
    const file = join(kept, basename(filename, '.cjs'));
    const { code, writes } = read(file);
    const script = new Script(wrap(source), { filename, cachedData: code });
    const isUsed = script.cachedDataRejected === false;
    if (!isUsed || writes < MOST_WRITES) {
      process.once('exit', () => write(file, script.createCachedData(), isUsed ? writes + 1 : 1));
    }
    const { exports } = module;
    const requireFrom = (/** @type {string} */ id) => module.require(id);
    script.runInThisContext().call(exports, exports, requireFrom, module, filename, folder);
  };
}

/** Tells paths apart. It need not be secure: everything that goes in belongs to the user. @param {string} text */
function fingerprint(text) {
  let hash = 5381;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 33) ^ text.charCodeAt(index)) >>> 0;
  return hash.toString(36);
}

/**
 * The code in a file, and how often it was written, which the last byte says. The code is in the file twice, because V8 runs damaged code,
 * and comparing is faster than any checksum. Code that another user has written is not run: root may have the cache folder of somebody
 * else.
 * @param {string} file
 */
function read(file) {
  try {
    const opened = openSync(file, 'r');
    try {
      const isOwn = process.getuid === undefined || fstatSync(opened).uid === process.getuid();
      const bytes = isOwn ? readFileSync(opened) : Buffer.alloc(0);
      const half = bytes.length >> 1;
      const code = bytes.subarray(0, half);
      const isWhole = half > 0 && code.equals(bytes.subarray(half, -1));
      return { code: isWhole ? code : undefined, writes: bytes.at(-1) ?? 0 };
    } finally {
      closeSync(opened);
    }
  } catch {
    return { code: undefined, writes: 0 };
  }
}

/** Completely or not at all, because other processes read and write it too. @param {string} file @param {Buffer} code @param {number} writes */
function write(file, code, writes) {
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const opened = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(opened, Buffer.concat([code, code, Buffer.of(writes)]));
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(temporary, file);
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // A folder that cannot be written costs time only.
    }
  }
}

module.exports = { keepCompiledCode };
