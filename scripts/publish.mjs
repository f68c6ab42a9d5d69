// Publishes the version of this clone from a GitHub workflow, with provenance. The published manifest names the repository that the workflow
// runs in, because npm compares the two. `node scripts/publish.mjs --dry-run` shows what would be published.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linksTo, packInto } from './packed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY = '', GITHUB_REF_NAME = '' } = process.env;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param {string} problem @returns {never} */
function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

if (!/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY))
  fail('This script runs in a GitHub workflow: GITHUB_REPOSITORY is missing.');
if (GITHUB_REF_NAME !== `v${version}`)
  fail(`The tag ${GITHUB_REF_NAME} is not that of version ${version}: v${version}.`);

const folder = mkdtempSync(join(tmpdir(), 'fleet-publish-'));
try {
  const { tarball } = packInto(folder, linksTo(`${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`));
  const channel = version.includes('-') ? 'next' : 'latest';
  const isTrial = process.argv.includes('--dry-run');
  // npm makes a provenance only in a workflow that may ask for an identity.
  const how = isTrial ? ['--dry-run'] : ['--provenance', '--access', 'public'];
  execFileSync('npm', ['publish', tarball, '--tag', channel, ...how], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}
