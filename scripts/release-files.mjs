// Writes the files of a release: the tarballs to test and publish, their software bill of materials
// (SBOM), and the change log entry. The workflow "Release", which knows the repository, runs
// `node scripts/release-files.mjs <folder>`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolders, packageNames, publishedManifestOf } from './manifest.mjs';
import { npmCommand } from './npm.mjs';
import { packInto } from './packed.mjs';
import { entryOf } from './release-notes.mjs';
import { root } from './source-files.mjs';

/**
 * @typedef {{
 *   readonly type: 'library', readonly 'bom-ref': string, readonly name: string,
 *   readonly version?: string, readonly purl?: string, readonly licenses?: readonly unknown[]
 * }} Component
 */

/**
 * @param {string} folder @param {string} version @param {import('./packed.mjs').Origin} [origin]
 */
export function writeReleaseFiles(folder, version, origin) {
  const packages = packInto(folder, origin);
  const components = writeSbom(join(folder, 'sbom.cdx.json'));
  const notes = entryOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  if (notes !== null) writeFileSync(join(folder, 'notes.md'), `${notes}\n`);
  return { packages, components, notes };
}

/**
 * Writes the CycloneDX list: the installed dependencies of all packages as npm finds them, and the
 * bundled ones from the licence lists.
 * @param {string} file
 * @returns {readonly Component[]}
 */
function writeSbom(file) {
  const scratch = mkdtempSync(join(tmpdir(), 'fleet-sbom-'));
  try {
    // npm names the list after the folder.
    const cwd = join(scratch, 'fleet-telematics');
    mkdirSync(cwd);
    const manifests = packageNames.map(publishedManifestOf);
    const dependencies = Object.assign({}, ...manifests.map(({ dependencies: its }) => its));
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ ...manifests[0], dependencies }));
    /** @param {string[]} words */
    const npm = (...words) =>
      execFileSync(...npmCommand(...words, '--package-lock-only'), {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    npm('install', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
    /** @type {{ components: Component[] }} */
    const sbom = JSON.parse(npm('sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=library'));
    const componentKeys = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`));
    for (const component of compiledIn()) {
      const ref = `${component.name}@${component.version}`;
      if (!componentKeys.has(ref)) sbom.components.push(component);
      componentKeys.add(ref);
    }
    writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
    return sbom.components;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @returns {Component[]} */
function compiledIn() {
  return Object.values(packageFolders).flatMap((folder) => compiledInto(join(root, folder, 'dist')));
}

/** @param {string} dist @returns {Component[]} */
function compiledInto(dist) {
  const lists = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => /licenses\.txt$/.test(path));
  return lists.flatMap((list) =>
    [
      ...readFileSync(join(dist, list), 'utf8').matchAll(
        /(?:^|\n-{80}\n\n|\nCompiled into \S+: )(\S+)(?: (\d\S*))? \(([^)]+)\)/g,
      ),
    ].map(([, name = '', version, license = '']) => ({
      type: 'library',
      'bom-ref': `compiled-in:${name}@${version ?? ''}`,
      name,
      ...(version === undefined ? {} : { version }),
      licenses: [{ expression: license }],
    })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY = '', GITHUB_REF_NAME = '' } = process.env;
  const [folder = ''] = process.argv.slice(2);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const problem =
    folder === ''
      ? 'The folder is missing: `node scripts/release-files.mjs <folder>`.'
      : !/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY)
        ? 'This script runs in a GitHub workflow: GITHUB_REPOSITORY is missing. `npm run release -- --dry-run` shows the same on this machine.'
        : GITHUB_REF_NAME !== `v${version}`
          ? `The tag ${GITHUB_REF_NAME} is not that of version ${version}: v${version}. \`npm run release\` makes it.`
          : null;
  if (problem !== null) {
    process.stderr.write(`${problem}\n`);
    process.exit(1);
  }
  const origin = { page: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`, tag: GITHUB_REF_NAME };
  const { notes } = writeReleaseFiles(folder, version, origin);
  if (notes === null) {
    process.stderr.write(`CHANGELOG.md has no entry for ${version}. \`npm run release\` writes it.\n`);
    process.exit(1);
  }
}
