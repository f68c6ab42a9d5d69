// One version for all packages: a release writes it into manifests, lock file and program.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolders } from '../scripts/manifest.mjs';
import { npmCommand } from '../scripts/npm.mjs';
import { writeVersion } from '../scripts/write-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifests = Object.values(packageFolders).map((folder) => join(folder, 'package.json'));

test('a release sets one version everywhere, and npm finds the lock file in order', () => {
  const copy = mkdtempSync(join(tmpdir(), 'fleet-version-'));
  const copied = [...manifests, 'package-lock.json', 'src/core/version.ts'];
  for (const file of copied) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const { version: before } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeVersion(copy, '7.8.9-rc.1');

  for (const file of copied) {
    const text = readFileSync(join(root, file), 'utf8');
    const ours = new RegExp(`("version": |"fleet-telematics[a-z-]*": |version = )(["'])${before}\\2`, 'g');
    const expected =
      file === 'package-lock.json' ? null : text.replace(ours, (_, key, quote) => `${key}${quote}7.8.9-rc.1${quote}`);
    expect(expected).not.toBe(text);
    if (expected !== null) expect(readFileSync(join(copy, file), 'utf8')).toBe(expected);
  }
  // npm would correct a lock file whose versions differ from the manifests.
  const lock = readFileSync(join(copy, 'package-lock.json'), 'utf8');
  const words = ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
  expect(spawnSync(...npmCommand(...words), { cwd: copy, encoding: 'utf8' })).toMatchObject({ status: 0 });
  expect(readFileSync(join(copy, 'package-lock.json'), 'utf8')).toBe(lock);
  rmSync(copy, { recursive: true });
});
