// Makes a release: `npm run release -- 1.2.0` runs all checks, sets the version, dates the CHANGELOG entry, commits, tags, and shows what
// would be published. It publishes only with --publish.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packInto } from './packed.mjs';
import { changelogFor, compareVersions } from './release-notes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const [version = ''] = words.filter((word) => !word.startsWith('--'));
const publish = words.includes('--publish');
const skipCheck = words.includes('--skip-check');

/** @param {string} problem @returns {never} */
function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
/** @param {string} command @param {string[]} args @returns {string} */
const read = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
/** @param {string} command @param {string[]} args */
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });

const unknown = words.filter((word) => word.startsWith('--') && !['--publish', '--skip-check'].includes(word));
if (unknown.length > 0) fail(`Unknown option: ${unknown.join(', ')}. The options are --publish and --skip-check.`);
if (!/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i.test(version)) {
  fail('The version is missing: `npm run release -- 1.2.0`. docs/versioning.md says how to choose it.');
}
const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// The first release may have the version that package.json has already.
const isTagged = read('git', 'tag', '--list', `v${current}`) !== '';
const order = compareVersions(version, current);
if (order < 0 || (order === 0 && isTagged)) fail(`${version} is not later than ${current}.`);
if (read('git', 'status', '--porcelain') !== '') fail('The work tree has changes. Commit them first.');
if (read('git', 'tag', '--list', `v${version}`) !== '') fail(`The tag v${version} exists already.`);

const changelog = changelogFor(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, new Date());
if (changelog === null) fail('CHANGELOG.md has nothing under "## Unreleased". Write down what changes for users.');

if (!skipCheck) run('npm', 'run', 'check');

writeFileSync(join(root, 'CHANGELOG.md'), changelog);
if (order !== 0) run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
const versionFile = join(root, 'src/core/version.ts');
writeFileSync(
  versionFile,
  readFileSync(versionFile, 'utf8').replace(`version = '${current}'`, `version = '${version}'`),
);
// The head of the man page contains the version.
run('npm', 'run', 'build');
run('npm', 'run', 'docs:cli');
run('git', 'commit', '--all', '--message', `Release ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`);

const channel = version.includes('-') ? 'next' : 'latest';
const folder = mkdtempSync(join(tmpdir(), 'fleet-release-'));
const { tarball } = packInto(folder);
run('npm', 'publish', tarball, '--tag', channel, ...(publish ? [] : ['--dry-run']));
if (publish) rmSync(folder, { recursive: true });
process.stdout.write(
  publish
    ? `\n${version} is published. Now \`git push --follow-tags\`.\n`
    : `\nNothing was published. To publish with provenance, run \`git push --follow-tags\`: the tag starts the workflow "Release". To publish from here, run \`npm publish ${tarball} --tag ${channel}\`. To undo, run \`git tag -d v${version} && git reset --keep HEAD~1\`.\n`,
);
