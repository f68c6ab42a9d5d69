// Sets the version of a release for all packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, packageNames, textOf } from './manifest.mjs';

/** @typedef {{ version: string, peerDependencies?: Record<string, string> }} Manifest */

/**
 * Writes the version into the manifests, their peers of the project, the lock file and the program.
 * @param {string} root of the project
 * @param {string} version
 */
export function writeVersion(root, version) {
  for (const folder of Object.values(packageFolders)) {
    rewrite(join(root, folder, 'package.json'), (manifest) => setVersion(manifest, version));
  }
  rewrite(join(root, 'package-lock.json'), (lock) => {
    lock.version = version;
    // The lock file has a copy of each manifest; that of the root has an empty key.
    for (const folder of Object.values(packageFolders)) {
      const manifest = lock.packages[folder.replace('.', '')];
      if (!manifest) throw new Error(`package-lock.json does not know ${folder}: run \`npm install\`.`);
      setVersion(manifest, version);
    }
  });
  const program = join(root, 'src/core/version.ts');
  writeFileSync(program, readFileSync(program, 'utf8').replace(/version = '[^']+'/, `version = '${version}'`));
}

/** @param {Manifest} manifest @param {string} version */
function setVersion(manifest, version) {
  manifest.version = version;
  const { peerDependencies = {} } = manifest;
  for (const name of packageNames) if (name in peerDependencies) peerDependencies[name] = version;
}

/**
 * @param {string} file
 * @param {(content: Manifest & { packages: Record<string, Manifest> }) => void} change
 */
function rewrite(file, change) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  change(content);
  writeFileSync(file, textOf(content));
}
