// The built command line over real HTTP: `fleet mock` in one process, users in others.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { held } from '../held.js';
import { moment } from '../moment.js';
import { until } from '../until.js';

const script = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
const folders = mkdtempSync(join(tmpdir(), 'fleet-e2e-'));
let mock: ChildProcess;
let url: string;
let folder: string;

beforeAll(async () => {
  mock = start(['mock', '--port', '0', '--time', moment]);
  url = await firstMatch(mock, /http:\/\/127\.0\.0\.1:\d+/);
});
beforeEach(() => {
  folder = mkdtempSync(join(folders, 'config-'));
});
afterAll(async () => {
  mock.kill('SIGINT');
  expect((await once(mock, 'exit'))[0]).toBe(0);
  rmSync(folders, { recursive: true, force: true });
});

/** Starts a command with the given environment only: no login of the test runner. */
function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const { PATH = '', SystemRoot = '' } = process.env;
  return spawn(process.execPath, [script, ...words], { env: { PATH, SystemRoot, HOME: folders, ...env } });
}

async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  let said = '';
  for await (const chunk of child.stderr ?? []) {
    said += chunk;
    const match = pattern.exec(said)?.[0];
    if (match !== undefined) return match;
  }
  throw new Error(`It ended, having said: ${said}`);
}

async function finished(child: ChildProcess, input = '') {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin?.end(input);
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

const fleet = (words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') =>
  finished(start(words, { FLEET_BASE_URL: url, FLEET_CONFIG_DIR: folder, ...env }), input);

const logIn = (name = 'demo') => fleet(['login', '--username', name, '--password-stdin'], {}, `${name}\n`);
const documentOfTheReadme = '{ getVehicles { id vin latestData { gps { latitude longitude } } } }';

describe('an operator', () => {
  test('logs in with a password on stdin and works with the kept session', async () => {
    expect(await logIn()).toMatchObject({ code: 0, stdout: '' });

    const users = await fleet(['users', 'list']);
    expect(users).toMatchObject({ code: 0, stderr: '' });
    expect(users.stdout).toMatch(/^userName\tuserId\tfleetName\tfleetId\ndemo\t[0-9a-f-]{36}\tDemo Fleet\t/);

    const list = await fleet(['vehicles', 'list', '-o', 'json']);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    const vehicles: { id: string; name: string; vin: string }[] = JSON.parse(list.stdout);
    expect(vehicles).toHaveLength(25);

    const expectedVehicle = vehicles[3];
    const found = await fleet(['vehicles', 'get', expectedVehicle?.name ?? '', '-o', 'json']);
    expect(JSON.parse(found.stdout)).toMatchObject({ id: expectedVehicle?.id, vin: expectedVehicle?.vin });

    const answer = await fleet(['api', documentOfTheReadme]);
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    const { getVehicles } = JSON.parse(answer.stdout);
    expect(getVehicles.map(({ id, vin }: { id: string; vin: string }) => ({ id, vin }))).toEqual(
      vehicles.map(({ id, vin }) => ({ id, vin })),
    );
    const positions = getVehicles.filter((vehicle: { latestData: { gps: unknown } | null }) => vehicle.latestData?.gps);
    expect(positions.length).toBeGreaterThan(0);

    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
    expect(files).toHaveLength(2);

    expect((await fleet(['logout'])).code).toBe(0);
    expect((await fleet(['status'])).code).toBe(4);
  });

  test('gets an exit code and the next step for what goes wrong', async () => {
    const nobody = await fleet(['vehicles', 'list']);
    expect(nobody).toMatchObject({ code: 4, stdout: '' });
    expect(nobody.stderr).toContain('fleet login');
    expect(await fleet(['vehicles', 'list', '--activ'])).toMatchObject({ code: 2, stdout: '' });
    expect(await fleet(['vehicles', 'list'], { FLEET_BASE_URL: '' })).toMatchObject({ code: 3, stdout: '' });

    const login = { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
    expect(await fleet(['vehicles', 'get', 'no such thing'], login)).toMatchObject({ code: 5, stdout: '' });
    expect(await fleet(['api', '{ nope }'], login)).toMatchObject({ code: 6, stdout: '' });
    const nowhere = { ...login, FLEET_BASE_URL: 'http://127.0.0.1:1' };
    expect(await fleet(['vehicles', 'list', '--timeout', '300ms'], nowhere)).toMatchObject({ code: 8, stdout: '' });
    expect(await fleet(['login'], { ...login, FLEET_PASSWORD: 'wrong' })).toMatchObject({
      code: 4,
      stdout: '',
    });
  });

  test('sees no escape codes in a pipe', async () => {
    const { stdout, stderr } = await fleet(['vehicles', 'get', 'Van', '-o', 'table', '--demo']);
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
  });
});

test('--demo works with no configuration and leaves none behind', async () => {
  const home = join(folder, 'untouched');
  const { code, stdout, stderr } = await fleet(['vehicles', 'list', '--demo'], { FLEET_CONFIG_DIR: home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toHaveLength(26);
  expect(existsSync(home)).toBe(false);
});

test('a reader that goes away is not a failure', async () => {
  const child = start(['vehicles', 'list', '--demo', '-o', 'json']);
  child.stdout?.destroy();
  expect(await finished(child)).toMatchObject({ code: 0, stderr: '' });
});

test('SIGINT is 130 while a request waits', async () => {
  await logIn();
  await fetch(`${url}/__mock/faults`, {
    method: 'POST',
    body: JSON.stringify({ ...held, operation: 'getVehicles' }),
  });
  const child = start(['vehicles', 'list', '--verbose'], { FLEET_BASE_URL: url, FLEET_CONFIG_DIR: folder });
  const closed = once(child, 'close');
  await firstMatch(child, /> getVehicles/);
  child.kill('SIGINT');
  expect((await closed)[0]).toBe(130);
  await fetch(`${url}/__mock/reset`, { method: 'POST' });
});

test.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a watch with %i', async (signal, code) => {
  await logIn();
  const env = { FLEET_BASE_URL: url, FLEET_CONFIG_DIR: folder };
  const child = start(['watch', '--on', 'silent', '--state', join(folder, `watch-${signal}`)], env);
  const closed = once(child, 'close');
  await firstMatch(child, /Watching \d+ vehicles/);
  child.kill(signal);
  expect((await closed)[0]).toBe(code);
});

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  '%s while the session is refreshed: the new tokens are stored before the process ends',
  async (signal) => {
    const env = { FLEET_BASE_URL: url, FLEET_CONFIG_DIR: folder };
    await logIn();
    const [name = ''] = readdirSync(join(folder, 'sessions')).filter((file) => file.endsWith('.json'));
    const file = join(folder, 'sessions', name);
    const before = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...before, accessIssuedAt: before.accessIssuedAt - 301_000 }));
    await fetch(`${url}/__mock/faults`, {
      method: 'POST',
      body: JSON.stringify({ ...held, path: '/login/refresh' }),
    });
    const child = start(['vehicles', 'list', '--verbose'], env);
    const closed = once(child, 'close');
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await until(() => said.includes('> refresh'));
    child.kill(signal);
    // After the time limit of other interrupted commands.
    await until(() => said.includes('Waiting for new tokens'));
    await fetch(`${url}/__mock/faults`, { method: 'DELETE' });
    expect((await closed)[0]).toBe(signal === 'SIGTERM' ? 143 : 130);
    const after = JSON.parse(readFileSync(file, 'utf8'));
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshSentAt).toBeUndefined();
    await fetch(`${url}/__mock/reset`, { method: 'POST' });
  },
);

test('goes by the service’s clock when that is not this machine’s', async () => {
  const other = start(['mock', '--port', '0', '--time', '2026-03-02T09:30:00Z']);
  try {
    const there = await firstMatch(other, /http:\/\/127\.0\.0\.1:\d+/);
    const login = { FLEET_BASE_URL: there, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
    const statuses = async () => {
      const { code, stdout } = await fleet(['vehicles', 'status', '-o', 'json'], login);
      expect(code).toBe(0);
      return JSON.parse(stdout).map(({ status }: { status: string }) => status);
    };
    expect(await statuses()).toContain('moving');

    const moved = JSON.stringify({ set: '2027-06-15T09:30:00Z' });
    expect((await fetch(`${there}/__mock/clock`, { method: 'POST', body: moved })).status).toBe(200);
    expect(await statuses()).toContain('moving');

    const rows = await fleet(['snapshots', 'list', 'Van 01', '--from', '-30d', '--limit', '1', '-o', 'json'], login);
    expect(JSON.parse(rows.stdout)[0].timestamp).toMatch(/^2027-0[56]-/);
    expect(JSON.parse((await fleet(['doctor', '-o', 'json'], login)).stdout)).toContainEqual(
      expect.objectContaining({ check: 'clock', status: 'warn' }),
    );
  } finally {
    other.kill('SIGINT');
    await once(other, 'exit');
  }
});

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends an expression of --jq that never ends',
  async (signal) => {
    const child = start(['vehicles', 'list', '--demo', '--verbose', '--jq', 'def f: f; f']);
    const closed = once(child, 'close');
    await firstMatch(child, /< .*getVehicles/);
    child.kill(signal);
    expect((await closed)[0]).toBe(signal === 'SIGTERM' ? 143 : 130);
  },
);

test('the map of a moment is the same page whenever it is made, in every form of --file', async () => {
  const words = ['map', '--on', 'today', '--demo', '--demo-time', moment];
  const { code, stdout } = await fleet([...words, '--file', '-']);
  expect({ code, page: stdout.slice(0, 15) }).toEqual({ code: 0, page: '<!doctype html>' });
  expect((await fleet([...words, '--file=-'])).stdout).toBe(stdout);
});

test('--jq reads megabytes in a moment', async () => {
  const { code, stdout, stderr } = await fleet([
    ...['snapshots', 'list', 'Truck 01', '--from', '-2h', '--demo', '--demo-time', moment],
    ...['--jq', 'length, .[-1].vehicleId == .[0].vehicleId'],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\d{3,}\ntrue\n$/);
});
