// Makes a release: `npm run release -- 1.2.0` checks that everything is ready, sets the version, dates the CHANGELOG entry, commits,
// tags, and shows what would be published. Nothing leaves this machine without --publish.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changelogFor, compareVersions } from './release-notes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const [version = ''] = words.filter((word) => !word.startsWith('--'));
const publish = words.includes('--publish');
const skipCheck = words.includes('--skip-check');

/** @param {string} problem @returns {never} */
function stop(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
/** @param {string} command @param {string[]} args @returns {string} */
const read = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
/** @param {string} command @param {string[]} args */
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });

const unknown = words.filter((word) => word.startsWith('--') && !['--publish', '--skip-check'].includes(word));
if (unknown.length > 0) stop(`No option is called ${unknown.join(', ')}. There are --publish and --skip-check.`);
if (!/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i.test(version)) {
  stop('Say which version: `npm run release -- 1.2.0`. docs/versioning.md says which one it is.');
}
const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// The first release may be the version that is written already.
const isTagged = read('git', 'tag', '--list', `v${current}`) !== '';
const order = compareVersions(version, current);
if (order < 0 || (order === 0 && isTagged)) stop(`${version} does not follow ${current}.`);
if (read('git', 'status', '--porcelain') !== '') stop('The work tree holds changes. Commit them first.');
if (read('git', 'tag', '--list', `v${version}`) !== '') stop(`The tag v${version} is there already.`);

const changelog = changelogFor(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, new Date());
if (changelog === null) stop('CHANGELOG.md has nothing under "## Unreleased". Say what users should know of.');

if (!skipCheck) run('npm', 'run', 'check');

writeFileSync(join(root, 'CHANGELOG.md'), changelog);
if (order !== 0) run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
// Its head names the version.
run('npm', 'run', 'build');
run('npm', 'run', 'docs:cli');
run('git', 'commit', '--all', '--message', `Release ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`);

const channel = version.includes('-') ? 'next' : 'latest';
run('npm', 'publish', '--tag', channel, ...(publish ? [] : ['--dry-run']));
process.stdout.write(
  publish
    ? `\n${version} is published. Now \`git push --follow-tags\`.\n`
    : `\nNothing was published. \`npm publish --tag ${channel}\` and \`git push --follow-tags\` do it, or take it back with \`git tag -d v${version} && git reset --keep HEAD~1\`.\n`,
);
