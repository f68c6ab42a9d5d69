// Packs the package as it is published: the files of the project, with a manifest that holds nothing for its developers. In the
// project's own manifest `prepare` builds a clone; package managers and audits would take it for a script that runs at install.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes the tarball into the folder; returns its path and the paths of the files in it. Uses dist/ as it is, so build first.
 * @param {string} folder
 * @param {Record<string, unknown>} [links] where the project lives, see `linksTo`; a clone does not know it
 * @returns {{ tarball: string, files: string[] }}
 */
export function packInto(folder, links = {}) {
  const staging = mkdtempSync(join(tmpdir(), 'fleet-pack-'));
  try {
    for (const { path } of pack(root, ['--dry-run']).files) cpSync(join(root, path), join(staging, path));
    const manifest = publishedManifest(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`);
    const { filename, files } = pack(staging, ['--pack-destination', folder]);
    return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * The members of a manifest that lead to the project.
 * @param {string} page the repository's address in a browser
 */
export function linksTo(page) {
  return { repository: { type: 'git', url: `git+${page}.git` }, bugs: `${page}/issues`, homepage: `${page}#readme` };
}

/**
 * The manifest without what only developers of the project use.
 * @param {Record<string, unknown>} manifest
 */
function publishedManifest({
  scripts: _scripts,
  devDependencies: _devDependencies,
  overrides: _overrides,
  ...published
}) {
  return published;
}

/**
 * @param {string} cwd @param {string[]} args
 * @returns {{ filename: string, files: { path: string }[] }}
 */
function pack(cwd, args) {
  const report = execFileSync('npm', ['pack', '--ignore-scripts', '--json', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** @type {{ filename: string, files: { path: string }[] }[]} */
  const [packed] = JSON.parse(report);
  if (!packed) throw new Error('npm pack reported nothing');
  return packed;
}
