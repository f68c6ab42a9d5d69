// Keeps the compiled code of the command line for the next run. Each user compiles for himself: the first run of an executable writes what it
// compiled to the user's cache folder. If the folder cannot be written or holds something else, the code is compiled as ever.
// Node's own `module.enableCompileCache` (22.8 and newer) keeps only what is compiled when a file is loaded, not the functions that are
// compiled when they are called, and never adds to it: with it, a list takes an eighth longer.
const {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
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
/** So many installations and versions of Node have their code here, 3 to 5 MB each. Who is left out compiles again. */
const MOST_FOLDERS = 5;
/** Smaller files are compiled faster than another file is read. */
const SMALLEST = 50_000;

/**
 * From now on the files of `folder` are loaded with the compiled code that `cache`, a folder of the user, has of them.
 * @param {string} folder with the bundle: files of ASCII text, and `build-id`, which names their content
 * @param {string} cache
 */
function keepCompiledCode(folder, cache) {
  const load = require.extensions['.cjs'] ?? require.extensions['.js'];
  // V8 itself refuses the code of another version of V8 or with other flags, but not of another
  // source of the same length. Runs with other flags have a folder of their own: in one folder each
  // of them would replace the code of the others.
  const flags = fingerprint(`${process.execArgv} ${process.env.NODE_OPTIONS}`);
  const owner = `${process.version}-${process.arch}-${fingerprint(process.execPath)}-${fingerprint(folder)}-${flags}`;
  const kept = join(cache, `${owner}-${readFileSync(join(folder, 'build-id'), 'latin1')}`);
  require.extensions['.cjs'] = (module, filename) => {
    const source = dirname(filename) === folder ? readFileSync(filename, 'latin1') : '';
    if (source.length < SMALLEST) return load(module, filename);
    const file = join(kept, basename(filename, '.cjs'));
    const { code, writes } = read(file);
    const script = new Script(wrap(source), { filename, cachedData: code });
    const isTaken = script.cachedDataRejected === false;
    if (!isTaken || writes < MOST_WRITES) {
      process.once('exit', () => {
        if (!existsSync(kept)) beginFolder(kept, `${owner}-`, [process.execPath, folder]);
        write(file, script.createCachedData(), isTaken ? writes + 1 : 1);
      });
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

/**
 * Makes the folder, names in it what its code belongs to, and removes the code of what is gone, of earlier builds, and what is too much.
 * @param {string} kept @param {string} owner @param {readonly string[]} owners the Node and the bundle
 */
function beginFolder(kept, owner, owners) {
  try {
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    writeFileSync(join(kept, 'made-for'), owners.join('\n'), { mode: 0o600 });
    const cache = dirname(kept);
    // Only these: the names for completion are in the same place.
    const others = readdirSync(cache).filter((name) => /^v\d+\./.test(name) && name !== basename(kept));
    const used = others.filter((name) => !name.startsWith(owner) && isUsed(join(cache, name)));
    const age = new Map(used.map((name) => [name, statSync(join(cache, name)).mtimeMs]));
    used.sort((one, other) => (age.get(other) ?? 0) - (age.get(one) ?? 0));
    const staying = used.slice(0, MOST_FOLDERS - 1);
    for (const name of others) if (!staying.includes(name)) rmSync(join(cache, name), { recursive: true, force: true });
  } catch {
    // Another process may have removed the same.
  }
}

/** @param {string} folder */
function isUsed(folder) {
  try {
    return readFileSync(join(folder, 'made-for'), 'utf8')
      .split('\n')
      .every((path) => existsSync(path));
  } catch {
    return false;
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
