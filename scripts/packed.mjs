// Packs the package as `npm pack` does, in a copy: other processes read package.json while tests pack. A release also gets links to its repository.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedManifest, textOf } from './manifest.mjs';
import { npmCommand } from './npm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What `npm pack` says of a tarball.
 * @typedef {{ readonly filename: string, readonly size: number, readonly unpackedSize: number, readonly files: readonly { readonly path: string, readonly size: number }[] }} Report
 */

/**
 * Writes the tarball into the folder. Uses dist/ as it is, so build first. With FLEET_TARBALL it is that file: a release is tested as it
 * will be published.
 * @param {string} folder
 * @param {Origin} [origin] where the project lives; a clone does not know it
 * @returns {Report & { readonly tarball: string }}
 */
export function packInto(folder, origin) {
  mkdirSync(folder, { recursive: true });
  const given = process.env.FLEET_TARBALL;
  if (given !== undefined && origin === undefined) {
    const tarball = join(folder, basename(given));
    copyFileSync(given, tarball);
    return { ...pack(folder, ['--dry-run', tarball]), tarball };
  }
  const staging = mkdtempSync(join(tmpdir(), 'fleet-pack-'));
  try {
    const paths = pack(root, ['--dry-run']).files.map(({ path }) => path);
    for (const path of paths) cpSync(join(root, path), join(staging, path));
    writeFileSync(join(staging, 'package.json'), textOf({ ...publishedManifest(), ...linksTo(origin) }));
    if (origin !== undefined) makeLinksAbsolute(staging, paths, origin);
    const report = pack(staging, ['--pack-destination', folder]);
    return { ...report, tarball: join(folder, report.filename) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Where the project lives: its page in a browser, and the tag of the version.
 * @typedef {{ readonly page: string, readonly tag: string }} Origin
 */

/** The members of the manifest that lead to the project. @param {Origin | undefined} origin */
function linksTo(origin) {
  if (origin === undefined) return {};
  const { page } = origin;
  return {
    repository: { type: 'git', url: `git+${page}.git` },
    bugs: `${page}/issues`,
    homepage: `${page}#readme`,
  };
}

/**
 * npm's page shows the README alone, so all its links lead to the repository. The other documents are read where they are installed; their
 * links lead to the repository where the package does not hold the file.
 * @param {string} folder @param {readonly string[]} paths @param {Origin} origin
 */
function makeLinksAbsolute(folder, paths, { page, tag }) {
  for (const path of paths.filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(join(folder, path), 'utf8');
    const absolute = text.replace(
      /(!?)(\[[^\]]*\])\((?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)/g,
      (link, ...found) => {
        const [picture, label, target, anchor = ''] = found;
        const file = posix.join(posix.dirname(path), target);
        if (path !== 'README.md' && paths.includes(file)) return link;
        // GitHub serves drawings as text without this word.
        const query = file.endsWith('.svg') ? '?sanitize=true' : '';
        return `${picture}${label}(${page}/${picture === '' ? 'blob' : 'raw'}/${tag}/${file}${query}${anchor})`;
      },
    );
    writeFileSync(join(folder, path), absolute);
  }
}

/** @param {string} cwd @param {readonly string[]} args @returns {Report} */
function pack(cwd, args) {
  const report = execFileSync(...npmCommand('pack', '--ignore-scripts', '--json', ...args), {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** @type {Report[]} */
  const [packed] = JSON.parse(report);
  if (!packed) throw new Error('npm pack reported nothing');
  return packed;
}
