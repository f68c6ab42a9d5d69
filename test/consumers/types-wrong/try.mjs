// Checks the tarballs with publint and Are The Types Wrong.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const run = (script, ...args) =>
  spawnSync(process.execPath, [`node_modules/${script}`, ...args], { encoding: 'utf8' }).stdout;
/** Number of entries with types. Others are a text, or internal to the packages. */
const typed = { 'fleet-telematics': 8, 'fleet-telematics-sync': 2 };
const untyped = ['./schema.graphql', './kit/command', './command', './copy'];

for (const [name, file] of Object.entries(dependencies)) {
  const tarball = file.replace(/^file:/, '');
  assert.match(run('publint/src/cli.js', 'run', tarball, '--strict'), /All good!/);
  if (!(name in typed)) continue;
  // Includes resolution without `exports` (node10).
  const options = ['--exclude-entrypoints', ...untyped, '--format', 'ascii', '--no-emoji'];
  const found = run('@arethetypeswrong/cli/dist/index.js', tarball, ...options);
  for (const result of [
    /node10: OK *$/,
    /node16 \(from CJS\): OK \(CJS\)/,
    /node16 \(from ESM\): OK \(ESM\)/,
    /bundler: OK *$/,
  ])
    assert.equal(found.match(new RegExp(result, 'gm'))?.length, typed[name], found);
}
