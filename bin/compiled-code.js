// Caches the compiled code of the command line for the next run, in the user's cache folder. If
// that is not possible, the code is compiled as usual. Node's `module.enableCompileCache` (22.8 and
// newer) caches only code compiled at load, not functions compiled on their first call, and never
// adds to it: with it, a list takes an eighth longer.
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

/** From Node's loaded module loader; node:module would load more. */
const { wrap } = module.constructor;

/** Number of runs that add code: each command compiles other functions. Later runs only read. */
const MOST_WRITES = 4;
/** Most cached installations and Node versions, 3 to 5 MB each. Others compile every time. */
const MOST_FOLDERS = 5;
/** Smaller files are compiled faster than another file is read. */
const SMALLEST = 50_000;

/**
 * Loads the files of `folder` with the compiled code in `cache`, a folder of the user, from now on.
 * @param {string} folder with the bundle: files of ASCII text, and `build-id`, which names their
 * content
 * @param {string} cache
 */
function cacheCompiledCode(folder, cache) {
  const load = require.extensions['.cjs'] ?? require.extensions['.js'];
  // V8 itself refuses the code of another V8 version or other flags, but not of another source of
  // equal length. Runs with other flags have their own folder: in one folder they would replace
  // each other's code.
  const flags = fingerprint(`${process.execArgv} ${process.env.NODE_OPTIONS}`);
  const owner = `${process.version}-${process.arch}-${fingerprint(process.execPath)}-${fingerprint(folder)}-${flags}`;
  const codeFolder = join(cache, `${owner}-${readFileSync(join(folder, 'build-id'), 'latin1')}`);
  require.extensions['.cjs'] = (module, filename) => {
    const source = dirname(filename) === folder ? readFileSync(filename, 'latin1') : '';
    if (source.length < SMALLEST) return load(module, filename);
    const file = join(codeFolder, basename(filename, '.cjs'));
    const { code, writes } = read(file);
    const script = new Script(wrap(source), { filename, cachedData: code });
    const isTaken = script.cachedDataRejected === false;
    if (!isTaken || writes < MOST_WRITES) {
      process.once('exit', () => {
        if (!existsSync(codeFolder)) beginFolder(codeFolder, `${owner}-`, [process.execPath, folder]);
        write(file, script.createCachedData(), isTaken ? writes + 1 : 1);
      });
    }
    const { exports } = module;
    const requireFrom = (/** @type {string} */ id) => module.require(id);
    script.runInThisContext().call(exports, exports, requireFrom, module, filename, folder);
  };
}

/** @param {string} text all from the user, so the hash need not be secure */
function fingerprint(text) {
  let hash = 5381;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 33) ^ text.charCodeAt(index)) >>> 0;
  return hash.toString(36);
}

/**
 * Returns the code in a file and its number of writes, from the last byte. The file has two copies
 * of the code, because V8 runs damaged code, and comparing is faster than any checksum. Code of
 * another user is not run: root may have the cache folder of somebody else.
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
 * Creates the folder, records its owners, and removes code of removed installations, earlier
 * builds, and beyond the limit.
 * @param {string} codeFolder
 * @param {string} owner
 * @param {readonly string[]} owners the Node and the bundle
 */
function beginFolder(codeFolder, owner, owners) {
  try {
    mkdirSync(codeFolder, { recursive: true, mode: 0o700 });
    writeFileSync(join(codeFolder, 'made-for'), owners.join('\n'), { mode: 0o600 });
    const cache = dirname(codeFolder);
    // Only these: the folder also holds the cached names for completion.
    const others = readdirSync(cache).filter((name) => /^v\d+\./.test(name) && name !== basename(codeFolder));
    const used = others.filter((name) => !name.startsWith(owner) && isUsed(join(cache, name)));
    const age = new Map(used.map((name) => [name, statSync(join(cache, name)).mtimeMs]));
    used.sort((one, other) => (age.get(other) ?? 0) - (age.get(one) ?? 0));
    const staying = used.slice(0, MOST_FOLDERS - 1);
    for (const name of others) if (!staying.includes(name)) rmSync(join(cache, name), { recursive: true, force: true });
  } catch {
    // Another process may have removed the same folder.
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

/**
 * Writes atomically, because other processes use the file too.
 * @param {string} file
 * @param {Buffer} code
 * @param {number} writes
 */
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
      // A read-only folder costs time only.
    }
  }
}

module.exports = { keepCompiledCode: cacheCompiledCode };
