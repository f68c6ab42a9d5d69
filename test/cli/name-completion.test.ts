// Completion of record names: their source and cache, and that it never prompts, prints or waits.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { namesFolder } from '../../src/cli/completion/name-cache.js';
import type { Fetch } from '../../src/core/ports.js';
import { clock, moment, type Place, type Shell, service, shell, shellOf } from './harness.js';

/** Disables the time limit of completion, because test machines can be slow. */
const forever = () => new Promise<void>(() => undefined);

async function offered(fleet: Shell, words: readonly string[], place: Place = {}): Promise<readonly string[]> {
  const { code, stdout, stderr } = await fleet(['__complete', '--', ...words], { sleep: forever, ...place });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');
}

function counted(login = 'demo') {
  const world = service();
  const fetch = vi.fn<Fetch>((...request) => world.fetch(...request));
  return { fleet: shellOf(login, fetch), fetch };
}
const later = (minutes: number): Place => ({ clock: { now: () => moment + minutes * 60_000 } });

test.each([
  ['vehicle', ['vehicles', 'get', 'Van'], 'Van 01'],
  ['vehicle of a list', ['vehicles', 'move', 'Van 01', 'Truck'], 'Truck 01'],
  ['vehicle of a flag', ['drivers', 'assignments', '--vehicle', 'Van'], 'Van 01'],
  ['driver', ['drivers', 'assign', 'Van 01', ''], 'Jonas Nowak'],
  ['person', ['people', 'get', 'Jonas'], 'Jonas Nowak'],
  ['group', ['groups', 'update', 'Win'], 'Winter roster'],
  ['group of a flag behind =', ['vehicles', 'move', 'Van 01', '--to=Win'], '--to=Winter roster'],
  ['geofence', ['geofences', 'get', 'Depot'], 'Depot Vilnius'],
  ['report', ['reports', 'run', 'vehicle-t'], 'vehicle-trips'],
  ['user', ['--user', 'Demo'], 'Demo Fleet'],
  ['role', ['people', 'set-roles', 'Jonas Nowak', ''], 'Driver'],
])('the names of each %s are offered', async (_what, words, name) => {
  const names = await offered(counted().fleet, words);
  expect(names).toContain(name);
});

test('drivers only where a driver is wanted', async () => {
  const { fleet } = counted();
  const people = await offered(fleet, ['people', 'get', '']);
  const drivers = await offered(fleet, ['drivers', 'assign', 'Van 01', '']);
  expect(drivers.length).toBeLessThan(people.length);
});

describe('the cache', () => {
  const words = ['vehicles', 'get', ''];

  test('is used for five minutes, and then filled again', async () => {
    const { fleet, fetch } = counted();
    const names = await offered(fleet, words);
    expect(names.length).toBe(6);
    const requests = fetch.mock.calls.length;
    expect(await offered(fleet, words, later(4))).toEqual(names);
    expect(fetch).toHaveBeenCalledTimes(requests);
    await offered(fleet, words, later(6));
    expect(fetch.mock.calls.length).toBeGreaterThan(requests);
  });

  test('can be read by its owner only, and holds one file per user and kind', async () => {
    const { fleet } = counted('multi');
    await offered(fleet, ['--user', 'North Fleet', ...words]);
    await offered(fleet, ['--user', 'South Fleet', ...words]);
    await offered(fleet, ['--user', 'South Fleet', 'groups', 'update', '']);
    const folder = namesFolder({ FLEET_CONFIG_DIR: fleet.folder });
    expect(readdirSync(folder)).toHaveLength(3);
    if (process.platform === 'win32') return;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  test('is enough without a network, however old', async () => {
    const { fleet, fetch } = counted();
    const names = await offered(fleet, words);
    fetch.mockImplementation(() => Promise.reject(new TypeError('fetch failed')));
    expect(await offered(fleet, words, { ...later(600), sleep: () => Promise.resolve() })).toEqual(names);
  });

  test('is deleted by logout', async () => {
    const { fleet } = counted();
    await offered(fleet, words);
    expect(existsSync(namesFolder({ FLEET_CONFIG_DIR: fleet.folder }))).toBe(true);
    await fleet(['logout']);
    expect(existsSync(namesFolder({ FLEET_CONFIG_DIR: fleet.folder }))).toBe(false);
  });

  test('lies in the cache folder of the system', () => {
    expect(namesFolder({}, 'linux', '/home/me')).toBe('/home/me/.cache/fleet-telematics/names');
    expect(namesFolder({ XDG_CACHE_HOME: '/c' }, 'linux', '/home/me')).toBe('/c/fleet-telematics/names');
    expect(namesFolder({ XDG_CACHE_HOME: 'c' }, 'linux', '/home/me')).toBe('/home/me/.cache/fleet-telematics/names');
    expect(namesFolder({}, 'darwin', '/Users/me')).toBe('/Users/me/Library/Caches/fleet-telematics/names');
  });
});

describe('a Tab', () => {
  test('gives up on a service that does not answer', async () => {
    const fetch: Fetch = () => new Promise(() => undefined);
    const sleep = vi.fn(() => Promise.resolve());
    expect(await offered(shellOf('demo', fetch), ['vehicles', 'get', ''], { sleep })).toEqual([]);
    expect(sleep).toHaveBeenCalledWith(1_000, expect.anything());
  });

  test('asks for no login, and sends nothing without one', async () => {
    const fetch = vi.fn<Fetch>();
    const fleet = shell(fetch);
    const place = { terminal: 80, answers: [] };
    expect(await offered(fleet, ['vehicles', 'get', ''], place)).toEqual([]);
    expect(await offered(shell(fetch, {}), ['vehicles', 'get', ''], place)).toEqual([]);
    expect(fetch).not.toHaveBeenCalled();
  });

  test('prints no warning and no error of the service', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', operation: 'getVehicles', times: 9 });
    expect(await offered(shellOf('demo', world.fetch), ['vehicles', 'get', ''], { clock })).toEqual([]);
  });

  test('needs no account with --demo, and keeps nothing of it', async () => {
    const fleet = shell(() => Promise.reject(new TypeError('not asked')), {});
    expect(await offered(fleet, ['--demo', 'vehicles', 'get', 'Truck 1'])).toEqual(['Truck 10']);
    expect(existsSync(namesFolder({ FLEET_CONFIG_DIR: fleet.folder }))).toBe(false);
  });
});
