// Packs the packages as `npm pack` does, in a copy: other processes read package.json during tests.
// A release also gets links to its repository.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { packageFolders, packageNames, publishedManifestOf, textOf } from './manifest.mjs';
import { npmCommand } from './npm.mjs';
import { root } from './source-files.mjs';

/**
 * The report of `npm pack` on a tarball.
 * @typedef {{ readonly filename: string, readonly size: number, readonly unpackedSize: number,
 * readonly files: readonly { readonly path: string, readonly size: number }[] }} Report
 */

/** @typedef {Report & { readonly tarball: string }} Packed */

/**
 * Writes the tarballs into the folder, each with the name of its package and no version. Uses dist/
 * unchanged, so build first. With FLEET_TARBALLS, it copies the tarballs of that folder: a release
 * is tested as it will be published.
 * @param {string} folder
 * @param {Origin} [origin] location of the project; unknown in a clone
 * @returns {Readonly<Record<import('./manifest.mjs').PackageName, Packed>>} in the order of
 * publication
 */
export function packInto(folder, origin) {
  mkdirSync(folder, { recursive: true });
  const tarballFolder = process.env.FLEET_TARBALLS;
  const packed = packageNames.map((name) => {
    const tarball = join(folder, `${name}.tgz`);
    if (tarballFolder === undefined || origin !== undefined)
      return [name, { ...packOne(name, tarball, origin), tarball }];
    copyFileSync(join(tarballFolder, `${name}.tgz`), tarball);
    return [name, { ...pack(folder, ['--dry-run', tarball]), tarball }];
  });
  return Object.fromEntries(packed);
}

/**
 * @param {import('./manifest.mjs').PackageName} name
 * @param {string} tarball
 * @param {Origin | undefined} origin
 */
function packOne(name, tarball, origin) {
  const folder = join(root, packageFolders[name]);
  const staging = mkdtempSync(join(tmpdir(), 'fleet-pack-'));
  try {
    const paths = pack(folder, ['--dry-run']).files.map(({ path }) => path);
    for (const path of paths) cpSync(join(folder, path), join(staging, path));
    const links = linksTo(origin, packageFolders[name]);
    writeFileSync(join(staging, 'package.json'), textOf({ ...publishedManifestOf(name), ...links }));
    if (origin !== undefined) makeLinksAbsolute(staging, packageFolders[name], paths, origin);
    const report = pack(staging, ['--pack-destination', staging]);
    renameSync(join(staging, report.filename), tarball);
    return report;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * The location of the project: its web page, and the tag of the version.
 * @typedef {{ readonly page: string, readonly tag: string }} Origin
 */

/**
 * Returns the manifest's links to the project.
 * @param {Origin | undefined} origin
 * @param {string} directory of the package in the project
 */
function linksTo(origin, directory) {
  if (origin === undefined) return {};
  const { page, tag } = origin;
  const isRoot = directory === '.';
  return {
    repository: { type: 'git', url: `git+${page}.git`, ...(isRoot ? {} : { directory }) },
    bugs: `${page}/issues`,
    homepage: isRoot ? `${page}#readme` : `${page}/tree/${tag}/${directory}#readme`,
  };
}

/**
 * npm's page shows the README alone, so all its links lead to the repository. Other documents are
 * read from the installed package; their links lead to the repository for files that the package
 * lacks.
 * @param {string} folder
 * @param {string} directory of the package in the project
 * @param {readonly string[]} paths
 * @param {Origin} origin
 */
function makeLinksAbsolute(folder, directory, paths, { page, tag }) {
  for (const path of paths.filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(join(folder, path), 'utf8');
    const absolute = text.replace(
      /(!?)(\[[^\]]*\])\((?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)/g,
      (link, ...found) => {
        const [picture, label, target, anchor = ''] = found;
        const inPackage = posix.join(posix.dirname(path), target);
        if (path !== 'README.md' && paths.includes(inPackage)) return link;
        const file = posix.join(directory, inPackage);
        // GitHub serves SVG files as text without this parameter.
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
