// The published manifests: each package.json without its development-only parts. `prepack` replaces
// package.json with it, and `postpack` restores the original, so that `npm pack` in a clone writes
// the published form. In the original, `prepare` builds a clone, which npm would take for an
// install script, and `private` prevents a bare `npm publish`.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './source-files.mjs';

/** The folder of each package, in the order of publication. */
export const packageFolders = {
  'fleet-telematics': '.',
  'fleet-telematics-sync': 'packages/sync',
  'fleet-telematics-map': 'packages/map',
  'fleet-telematics-mcp': 'packages/mcp',
};

/** @typedef {keyof typeof packageFolders} PackageName */

export const packageNames = /** @type {PackageName[]} */ (Object.keys(packageFolders));

/**
 * Returns the published manifest.
 * @param {string} text of the original
 * @returns {Record<string, unknown>}
 */
export function publishedManifest(text) {
  const {
    private: _private,
    workspaces: _workspaces,
    scripts: _scripts,
    devDependencies: _devDependencies,
    overrides: _overrides,
    allowScripts: _allowScripts,
    ...published
  } = JSON.parse(text);
  return published;
}

/** @param {PackageName} name */
export const publishedManifestOf = (name) =>
  publishedManifest(readFileSync(join(root, packageFolders[name], 'package.json'), 'utf8'));

/** Returns the text of a package.json. @param {Record<string, unknown>} content */
export const textOf = (content) => `${JSON.stringify(content, null, 2)}\n`;

/** @param {string} folder of a package */
function replaceManifest(folder) {
  restoreManifest(folder);
  const manifest = join(folder, 'package.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(`${manifest}.original`, text);
  writeFileSync(manifest, textOf(publishedManifest(text)));
}

export function restoreManifests() {
  for (const folder of Object.values(packageFolders)) restoreManifest(join(root, folder));
}

/**
 * Restores package.json after packing, unless it has been restored already.
 * @param {string} folder of a package
 * @throws {Error} when the packed manifest was edited: only its original has the scripts and
 * devDependencies.
 */
function restoreManifest(folder) {
  const manifest = join(folder, 'package.json');
  const original = `${manifest}.original`;
  if (!existsSync(original)) return;
  const text = readFileSync(manifest, 'utf8');
  if (text === textOf(publishedManifest(readFileSync(original, 'utf8')))) renameSync(original, manifest);
  else if ('devDependencies' in JSON.parse(text)) rmSync(original);
  else {
    throw new Error(
      `${manifest} is the one that an interrupted \`npm pack\` has left, and was edited since. Make the same changes in ${original}, then rename it to package.json.`,
    );
  }
}

// npm runs the scripts of a package in its folder.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'replace') replaceManifest(process.cwd());
  else restoreManifest(process.cwd());
}
