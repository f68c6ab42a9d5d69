// The manifest that is published: package.json without what only developers of the project use. `prepack` puts it in place of package.json, and
// `postpack` restores the original, so `npm pack` in a clone writes what is published. In the original, `prepare` builds a clone, which npm would
// take for a script that runs at install, and `private` keeps a bare `npm publish` from publishing something else.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = join(root, 'package.json');
const original = join(root, 'package.json.original');

/**
 * Returns the manifest that is published.
 * @param {string} text of the original
 * @returns {Record<string, unknown>}
 */
export function publishedManifest(text = readFileSync(manifest, 'utf8')) {
  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _devDependencies,
    overrides: _overrides,
    allowScripts: _allowScripts,
    ...published
  } = JSON.parse(text);
  return published;
}

/** Returns the text of a package.json. @param {Record<string, unknown>} content */
export const textOf = (content) => `${JSON.stringify(content, null, 2)}\n`;

function replaceManifest() {
  restoreManifest();
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(original, text);
  writeFileSync(manifest, textOf(publishedManifest(text)));
}

/**
 * Restores package.json after packing. A manifest that somebody has restored since then is left as it is.
 * @throws {Error} when somebody has edited the manifest that was being packed: only its original has the scripts and devDependencies.
 */
export function restoreManifest() {
  if (!existsSync(original)) return;
  const text = readFileSync(manifest, 'utf8');
  if (text === textOf(publishedManifest(readFileSync(original, 'utf8')))) renameSync(original, manifest);
  else if ('devDependencies' in JSON.parse(text)) rmSync(original);
  else {
    throw new Error(
      'package.json is the one that an interrupted `npm pack` has left, and was edited since. Make the same changes in package.json.original, then rename it to package.json.',
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'replace') replaceManifest();
  else restoreManifest();
}
