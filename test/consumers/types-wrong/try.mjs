// publint and Are The Types Wrong look at the tarball, and find nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const tarball = dependencies['fleet-telematics'].replace(/^file:/, '');
const run = (script, ...args) =>
  spawnSync(process.execPath, [`node_modules/${script}`, ...args], { encoding: 'utf8' }).stdout;

assert.match(run('publint/src/cli.js', 'run', tarball, '--strict'), /All good!/);

// Resolution as it was before `exports` too (node10). The contract is a text, so it has no types.
const options = ['--exclude-entrypoints', './schema.graphql', '--format', 'ascii', '--no-emoji'];
const found = run('@arethetypeswrong/cli/dist/index.js', tarball, ...options);
for (const result of [
  /node10: OK *$/,
  /node16 \(from CJS\): OK \(CJS\)/,
  /node16 \(from ESM\): OK \(ESM\)/,
  /bundler: OK *$/,
])
  assert.equal(found.match(new RegExp(result, 'gm'))?.length, 7, found);
