// Makes a release of all packages: `npm run release -- 1.2.0` runs all checks, sets the version,
// dates the CHANGELOG entry, commits and tags. It uploads nothing: the pushed tag starts the
// workflow "Release", which alone publishes. With --dry-run it runs the checks, shows the content
// of the release, and changes nothing.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmCommand } from './npm.mjs';
import { writeReleaseFiles } from './release-files.mjs';
import { changelogFor, compareVersions, entryOf } from './release-notes.mjs';
import { root } from './source-files.mjs';
import { writeVersion } from './write-version.mjs';

const words = process.argv.slice(2);
const isTrial = words.includes('--dry-run');
const skipCheck = words.includes('--skip-check');
const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param {string} problem @returns {never} */
function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);
/** @param {string[]} args @returns {string} */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
/** @param {string[]} args */
const npm = (...args) => execFileSync(...npmCommand(...args), { cwd: root, stdio: 'inherit' });
/** @param {string} version */
const isTagged = (version) => git('tag', '--list', `v${version}`) !== '';

const unknown = words.filter((word) => word.startsWith('--') && !['--dry-run', '--skip-check'].includes(word));
if (unknown.length > 0) fail(`Unknown option: ${unknown.join(', ')}. The options are --dry-run and --skip-check.`);
// The first release may have the current version of package.json, and a dry run shows that version.
const [version = isTrial && !isTagged(current) ? current : ''] = words.filter((word) => !word.startsWith('--'));
if (!/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i.test(version)) {
  fail('The version is missing: `npm run release -- 1.2.0`. docs/versioning.md says how to choose it.');
}
const order = compareVersions(version, current);
if (order < 0 || (order === 0 && isTagged(current))) fail(`${version} is not later than ${current}.`);
if (git('status', '--porcelain') !== '') fail('The work tree has changes. Commit them first.');
if (isTagged(version)) fail(`The tag v${version} exists already.`);

const changelog = changelogFor(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, new Date());
if (changelog === null) fail('CHANGELOG.md has nothing under "## Unreleased". Write down what changes for users.');

if (!skipCheck) {
  print('Running all checks first, which takes about 15 minutes.');
  try {
    npm('run', 'check');
  } catch {
    fail('A check failed: see above. Nothing was changed.');
  }
}

if (!isTrial) {
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  writeVersion(root, version);
}
// The head of the man page contains the version.
npm('run', 'build');
if (!isTrial) {
  npm('run', 'docs:cli');
  git('commit', '--all', '--message', `release: set version ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
}

const folder = mkdtempSync(join(tmpdir(), 'fleet-release-'));
try {
  // The workflow writes these files too, with links to the repository.
  const { packages, components } = writeReleaseFiles(folder, version);
  print(order === 0 ? `\nVersion ${version}, which has no tag yet\n` : `\nVersion ${version}, after ${current}\n`);
  print(`The entry of the changelog:\n\n${entryOf(changelog, version)}\n`);
  for (const [name, { files, size, unpackedSize }] of Object.entries(packages)) {
    print(`${name}: ${files.length} files, ${size} bytes packed, ${unpackedSize} bytes unpacked\n`);
    for (const { path, size: bytes } of files) print(`${String(bytes).padStart(9)}  ${path}`);
    print('');
  }
  print(`What is in them, besides the project (sbom.cdx.json):\n`);
  print(components.map(({ name, version: its = '' }) => `${name} ${its}`.trim()).join(', '));
} finally {
  rmSync(folder, { recursive: true });
}
print(
  isTrial
    ? `\nNothing was changed${skipCheck ? ', and nothing was checked' : ''}. \`npm run release -- ${version}\` makes the release.`
    : `\nNothing was published. \`git push --follow-tags\` starts the workflow "Release", which publishes. To undo, run \`git tag -d v${version} && git reset --keep HEAD~1\`.`,
);
