// Becomes dist/cli/main.cjs: loads the files of the bundle. Node's own loader looks for each file in several places and compiles it anew;
// here its place is known, and what it was compiled to before lies beside it, for the very executable that built it. Any other compiles
// it: one of the same V8 version but another build may take what is not for it, and crash.
'use strict';
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** @typedef {{ readonly exports: Record<string, any>, readonly script: import('node:vm').Script }} Chunk */

const folder = join(__dirname, 'chunks');
/** @type {Map<string, Chunk>} */
const chunks = new Map();
const before = '(function(exports,module,require,loadChunk,__filename){';
const after = '\n})';

/** @param {string} name @returns {Record<string, any>} what the file exports */
function loadChunk(name) {
  const known = chunks.get(name);
  if (known) return known.exports;
  const filename = join(folder, `${name}.cjs`);
  const text = before + readFileSync(filename, 'utf8') + after;
  const script = new Script(text, { filename, columnOffset: -before.length, cachedData: compiled(name) });
  const chunk = { exports: {}, script };
  chunks.set(name, chunk);
  script.runInThisContext()(chunk.exports, chunk, require, loadChunk, filename);
  return chunk.exports;
}

/** @type {string | undefined} */
let ending;

/** What the name of a compiled file ends with: says for which executable it is. */
function compiledEnding() {
  if (ending === undefined) {
    const { size, mtimeMs } = statSync(process.execPath);
    ending = `${process.version}-${process.arch}-${size}-${Math.trunc(mtimeMs)}.v8`;
  }
  return ending;
}

/** @param {string} name */
function compiled(name) {
  try {
    return readFileSync(join(folder, `${name}.${compiledEnding()}`));
  } catch {
    return undefined;
  }
}

exports.loadChunk = loadChunk;
exports.chunks = chunks;
exports.compiledEnding = compiledEnding;
/** @param {NodeJS.Process} process */
exports.main = (process) => loadChunk('start').main(process);
