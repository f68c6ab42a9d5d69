// Packs the package as `npm publish` does.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes the tarball into the folder; returns its path and the paths of the files in it. Uses dist/ as it is, so build first.
 * @param {string} folder
 * @returns {{ tarball: string, files: string[] }}
 */
export function packInto(folder) {
  const report = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** @type {{ filename: string, files: { path: string }[] }[]} */
  const [packed] = JSON.parse(report);
  if (!packed) throw new Error('npm pack reported nothing');
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}
