// A clone of the project: the output of `npm pack`, and commands before `npm ci`.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { packageFolders, packageNames, publishedManifestOf } from '../../scripts/manifest.mjs';
import { npmCommand } from '../../scripts/npm.mjs';
import { packInto } from '../../scripts/packed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'fleet-clone-'));
const clone = join(scratch, 'clone');
const own = readFileSync(join(root, 'package.json'), 'utf8');
const inputs = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const notCopied = ['dist', 'node_modules'];
const manifests = Object.values(packageFolders).map((folder) => join(folder, 'package.json'));
const npm = (...words: readonly string[]) => {
  const env = { ...process.env, npm_config_cache: join(scratch, 'npm') };
  return spawnSync(...npmCommand(...words, '--offline'), { cwd: clone, encoding: 'utf8', env });
};
const packageJson = () => readFileSync(join(clone, 'package.json'), 'utf8');
const allManifests = (folder: string) => manifests.map((path) => readFileSync(join(folder, path), 'utf8'));

beforeAll(() => {
  for (const name of [
    ...inputs,
    ...manifest.files,
    'src',
    'packages',
    'operations',
    'scripts',
    'LICENSE',
    'README.md',
  ]) {
    if (/[*!]/.test(name) || notCopied.includes(name)) continue;
    const filter = (path: string) => !notCopied.includes(basename(path));
    cpSync(join(root, name), join(clone, name), { recursive: true, filter });
  }
  cpSync(join(root, 'docs'), join(clone, 'docs'), { recursive: true });
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('before `npm ci` the command line says what to do, also by npx, whose cache stays whole', () => {
  const todo = 'fleet: this clone of the project has not been built: there is no dist/. Run `npm ci` first';
  const started = spawnSync(process.execPath, ['bin/fleet.js', '--version'], { cwd: clone, encoding: 'utf8' });
  expect(started).toMatchObject({ status: 1, stderr: expect.stringContaining(todo) });
  // npx runs `prepare` first. A folder without package.json would break every later start.
  for (const _ of [1, 2]) {
    expect(npm('exec', '--', 'fleet', '--version')).toMatchObject({ status: 1, stderr: expect.stringContaining(todo) });
    const [folder = ''] = readdirSync(join(scratch, 'npm/_npx'));
    expect(existsSync(join(scratch, 'npm/_npx', folder, 'package.json'))).toBe(true);
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
  const unbuilt = spawnSync(process.execPath, ['bin/fleet.js'], { cwd: clone, encoding: 'utf8' });
  expect(unbuilt.stderr).toContain('Run `npm run build` first.');
});

test('npm pack writes what is published, and restores every package.json', { timeout: 180_000 }, () => {
  for (const folder of Object.values(packageFolders))
    cpSync(join(root, folder, 'dist'), join(clone, folder, 'dist'), { recursive: true });
  const target = mkdtempSync(join(scratch, 'packed-'));
  const words = ['--workspaces', '--include-workspace-root', '--pack-destination', target];
  expect(npm('pack', ...words)).toMatchObject({ status: 0 });
  expect(allManifests(clone)).toEqual(allManifests(root));
  const expected = packInto(join(scratch, 'expected'));
  for (const name of packageNames) {
    const folder = join(target, name);
    mkdirSync(folder);
    execFileSync('tar', ['xzf', join(target, `${name}-${manifest.version}.tgz`)], { cwd: folder });
    expect(JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))).toEqual(publishedManifestOf(name));
    const paths = readdirSync(join(folder, 'package'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'package/').length).replaceAll('\\', '/'));
    expect(paths.sort()).toEqual(expected[name].files.map(({ path }) => path).sort());
  }

  // npm reads the manifest again after `postpack`. No server listens at this address.
  const registry = ['--registry', 'http://127.0.0.1:9/', '--//127.0.0.1:9/:_authToken=none'];
  expect(npm('publish', '--force', ...registry)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/EPRIVATE/),
  });
  expect(packageJson()).toBe(own);
});

test('after an interrupted npm pack the build restores package.json, unless somebody has changed it', () => {
  const run = (...words: readonly string[]) => execFileSync(process.execPath, words, { cwd: clone });
  run('scripts/manifest.mjs', 'replace');
  expect(JSON.parse(packageJson())).toEqual(publishedManifestOf('fleet-telematics'));
  run('scripts/build.mjs');
  expect(packageJson()).toBe(own);

  // Restored by hand, and changed.
  run('scripts/manifest.mjs', 'replace');
  const changed = own.replace('"devDependencies"', '"keywords": [], "devDependencies"');
  writeFileSync(join(clone, 'package.json'), changed);
  run('scripts/manifest.mjs', 'restore');
  expect(packageJson()).toBe(changed);
  expect(readdirSync(clone)).not.toContain('package.json.original');

  // Changed without its scripts: they are only in the original, which stays.
  writeFileSync(join(clone, 'package.json'), own);
  run('scripts/manifest.mjs', 'replace');
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }\n');
  expect(() => run('scripts/manifest.mjs', 'restore')).toThrow('package.json.original');
  expect(readFileSync(join(clone, 'package.json.original'), 'utf8')).toBe(own);
  writeFileSync(join(clone, 'package.json'), own);
  run('scripts/manifest.mjs', 'restore');
});
