// The exact output and the exit codes of `fleet schema`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contractText } from '../../src/generated/contract-text.js';
import type { Fetch } from '../../src/index.js';
import { service, shellOf } from './harness.js';
import { withoutTotal } from './without-total.js';

const golden = (name: string) => `golden/${name}.txt`;

/** Returns the reference service with another schema, or without introspection. */
function moved(change: ((sdl: string) => string) | null): Fetch {
  const { fetch } = service();
  return (url, init) => {
    if (!String(init.body).includes('__schema')) return fetch(url, init);
    if (change === null) return Promise.resolve(Response.json({ errors: [{ message: 'Introspection is disabled' }] }));
    const schema = buildSchema(change(contractText), { assumeValidSDL: true });
    return Promise.resolve(Response.json({ data: introspectionFromSchema(schema) }));
  };
}

const altered = (sdl: string) =>
  sdl
    .replace('\n  licensePlate: String\n', '\n')
    .replace('getVehicles: [Vehicle]', 'getVehicles(filter: String): [Vehicle]')
    .replace('  year: Int\n', '  year: String\n')
    .replace(/type LatestValue[\s\S]*?\n {2}value: Float/, 'type LatestValue {\n  amount: Float');

describe('schema check', () => {
  test('of the unchanged service', async () => {
    const fleet = shellOf('demo', service().fetch);
    const people = await fleet(['schema', 'check'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(people).toMatchObject({ code: 0, stderr: '' });
    await expect(withoutTotal(people.stdout)).toMatchFileSnapshot(golden('schema-check.same'));
    const { stdout } = await fleet(['schema', 'check', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ source: 'introspection', changes: [] });
  });

  test('of a changed service: names the changes, and ends with 6', async () => {
    const fleet = shellOf('demo', moved(altered));
    const people = await fleet(['schema', 'check'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(people.code).toBe(6);
    await expect(withoutTotal(people.stdout)).toMatchFileSnapshot(golden('schema-check.moved'));
    await expect(withoutTotal(people.stderr)).toMatchFileSnapshot(golden('schema-check.moved.stderr'));
    const pipe = await fleet(['schema', 'check', '--filter', 'status!=works', '--filter', 'status!=confirmed']);
    expect(pipe.code).toBe(6);
    await expect(pipe.stdout).toMatchFileSnapshot(golden('schema-check.moved.tsv'));
    const json = await fleet(['schema', 'check', '-o', 'json']);
    expect(JSON.parse(json.stdout).changes).toHaveLength(3);
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'GRAPHQL', exitCode: 6 });
  });

  test('of a service that does not describe itself', async () => {
    const { code, stdout } = await shellOf('demo', moved(null))(['schema', 'check'], {
      terminal: 80,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(0);
    await expect(withoutTotal(stdout)).toMatchFileSnapshot(golden('schema-check.silent'));
  });
});

describe('schema pull', () => {
  test('prints or saves the live schema', async () => {
    const fleet = shellOf('demo', moved(altered));
    const { code, stdout } = await fleet(['schema', 'pull']);
    expect(code).toBe(0);
    expect(stdout).toContain('getVehicles(filter: String): [Vehicle]');
    const folder = mkdtempSync(join(tmpdir(), 'fleet-schema-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'live.graphql');
    expect(await fleet(['schema', 'pull', '--out', file])).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe(stdout);
    const refused = await fleet(['schema', 'pull', '--out', join(folder, 'no', 'such', 'folder')]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('ENOENT');
  });

  test('gives a hint when the service does not describe itself', async () => {
    const { code, stdout, stderr } = await shellOf('demo', moved(null))(['schema', 'pull']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain('introspection is disabled');
    expect(stderr).toContain('`fleet schema check`');
  });
});

test('schema print prints the contract or its assumptions, and sends nothing', async () => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  expect(await fleet(['schema', 'print'])).toEqual({ code: 0, stdout: contractText, stderr: '' });
  const { stdout } = await fleet(['schema', 'print', '--assumed', '--filter', 'part=INPUT', '-o', 'csv']);
  await expect(stdout).toMatchFileSnapshot(golden('schema-print.assumed.csv'));
  const people = await fleet(['schema', 'print', '--assumed', '--limit', '3'], {
    terminal: 80,
    env: { NO_COLOR: '1' },
  });
  await expect(people.stdout).toMatchFileSnapshot(golden('schema-print.assumed.terminal-80'));
  expect(mock.requests).toEqual([]);
});
