// Packs the package as npm would publish it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The tarball in that folder, and the paths of what it holds. Takes dist/ as it is: build first.
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
