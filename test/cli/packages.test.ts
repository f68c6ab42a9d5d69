// Commands that are separate packages, when their package is missing or has another version.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installCommand } from '../../src/cli/packages/load-package.js';
import { sdkVersion } from '../../src/core/version.js';
import { service, shellOf } from './harness.js';
import { packages } from './packages.js';

const fleet = (version: string | null) => {
  const run = shellOf('demo', service().fetch);
  return (words: readonly string[]) => run(words, { packages: { ...packages, versionOf: () => version } });
};

const commands = [
  ['map', []],
  ['sync', ['fleet.db']],
  ['mcp', []],
] as const;

describe.each(commands)('fleet %s', (noun, words) => {
  test.each([
    ['command', words],
    ['help', ['--help']],
  ])('without its package: the %s ends with code 3 and how to install it', async (_, more) => {
    const { code, stdout, stderr } = await fleet(null)([noun, ...more]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe(
      `error: \`fleet ${noun}\` is in the package fleet-telematics-${noun}, which is not installed.\nhint: Run: npm ci\n`,
    );
  });

  test('with a package of another version: code 3, and both versions', async () => {
    const { code, stderr } = await fleet('0.0.9')([noun, ...words]);
    expect(code).toBe(3);
    expect(stderr).toContain(
      `The package fleet-telematics-${noun} 0.0.9 does not fit fleet-telematics ${sdkVersion}: both need the same version.`,
    );
  });

  test('is in the help and in the completion without its package', async () => {
    const run = fleet(null);
    expect((await run(['--help'])).stdout).toContain(`\n  ${noun} `);
    const { code, stdout, stderr } = await run(['__complete', '--', noun.slice(0, 2)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${noun}\\b`, 'm'));
    // The flags are unknown, and completion never fails.
    expect(await run(['__complete', '--', noun, '--'])).toMatchObject({ code: 0, stderr: '' });
  });
});

test('a damaged package: code 3, and how to install it again', async () => {
  const run = shellOf('demo', service().fetch);
  const load = async () => Promise.reject(new Error('no such file'));
  const { code, stderr } = await run(['map'], { packages: { ...packages, load } });
  expect(code).toBe(3);
  expect(stderr).toBe('error: The package fleet-telematics-map is damaged: it cannot be loaded.\nhint: Run: npm ci\n');
});

test('fleet mcp --copy needs the package of copies', async () => {
  const run = shellOf('demo', service().fetch);
  const source = { ...packages, versionOf: (name: string) => (name === 'fleet-telematics-sync' ? null : sdkVersion) };
  const { code, stderr } = await run(['mcp', '--copy', 'fleet.db'], { packages: source, input: '' });
  expect(code).toBe(3);
  expect(stderr).toContain('`fleet mcp --copy` is in the package fleet-telematics-sync, which is not installed.');
});

test('fleet doctor names the packages, and how to correct one of another version', async () => {
  const checkOf = async (version: string | null) => {
    const { stdout } = await fleet(version)(['doctor', '--demo', '-o', 'json']);
    const checks: readonly { check: string }[] = JSON.parse(stdout);
    return checks.find(({ check }) => check === 'packages');
  };
  expect(await checkOf(null)).toEqual({
    check: 'packages',
    status: 'ok',
    detail: `fleet-telematics ${sdkVersion}, fleet-telematics-map is not installed, fleet-telematics-sync is not installed, fleet-telematics-mcp is not installed`,
    next: null,
  });
  expect(await checkOf('0.0.9')).toMatchObject({ status: 'warn', next: 'Run: npm ci' });
});

describe('the command that installs a package', () => {
  const packageSpec = `fleet-telematics-map@${sdkVersion}`;
  const project = (lock?: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-project-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'package.json'), '{}');
    if (lock !== undefined) writeFileSync(join(folder, lock), '');
    return folder;
  };
  const inside = (folder: string, ...more: string[]) =>
    join(folder, 'node_modules', ...more, 'fleet-telematics', 'dist', 'cli', 'bundle', 'run.cjs');
  const of = (program: string) => installCommand('fleet-telematics-map', program, 'fleet map');

  test('in a project of npm, Yarn and pnpm', () => {
    expect(of(inside(project()))).toBe(`npm install ${packageSpec}`);
    expect(of(inside(project('yarn.lock')))).toBe(`yarn add ${packageSpec}`);
    const pnpm = ['.pnpm', 'fleet-telematics@0.1.0', 'node_modules'];
    expect(of(inside(project('pnpm-lock.yaml'), ...pnpm))).toBe(`pnpm add ${packageSpec}`);
  });

  test('is that of the project, by its lock file', () => {
    expect(of(inside(project('pnpm-lock.yaml')))).toBe(`pnpm add ${packageSpec}`);
    expect(of(inside(project('bun.lock')))).toBe(`bun add ${packageSpec}`);
  });

  test('of a global installation', () => {
    const prefix = mkdtempSync(join(tmpdir(), 'fleet-prefix-'));
    onTestFinished(() => rmSync(prefix, { recursive: true, force: true }));
    mkdirSync(join(prefix, 'lib', 'node_modules'), { recursive: true });
    expect(of(inside(join(prefix, 'lib')))).toBe(`npm install --global ${packageSpec}`);
  });

  test('of npx, for one command', () => {
    const cache = join(tmpdir(), '_npx', '0123456789abcdef');
    expect(of(inside(cache))).toBe(`npx --package fleet-telematics@${sdkVersion} --package ${packageSpec} fleet map`);
  });

  test('of npx names the package of the command beside the one that it needs', () => {
    const program = inside(join(tmpdir(), '_npx', '0123456789abcdef'));
    const names = ['', '-mcp', '-sync'].map((end) => `--package fleet-telematics${end}@${sdkVersion}`);
    expect(installCommand('fleet-telematics-sync', program, 'fleet mcp --copy')).toBe(
      `npx ${names.join(' ')} fleet mcp --copy`,
    );
  });

  test('in a clone', () => {
    expect(of(join(tmpdir(), 'clone', 'dist', 'cli', 'bundle', 'run.cjs'))).toBe('npm ci');
  });
});
