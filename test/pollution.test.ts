// No JSON from outside changes Object.prototype: flags, files, the service, the network.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FleetClient } from '../src/client.js';
import { createMockService } from '../src/mock/service.js';
import { baseUrl, clock, service, shell, shellOf } from './cli/harness.js';

/** The three known attacks; each would leave a mark on every object. */
const poison = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}';
const someId = '3f0c4b7e-1d2a-4a5b-8c6d-7e8f9a0b1c2d';

let before: readonly PropertyKey[] = [];
const marks = () => [Object.prototype, Array.prototype, Function.prototype, Map.prototype].flatMap(Reflect.ownKeys);
beforeEach(() => {
  before = marks();
});
afterEach(() => {
  expect(marks()).toEqual(before);
  expect(Object(Object.create({})).polluted).toBeUndefined();
});

test.each([
  ['an input', ['groups', 'create'], `{"name":"x",${poison}}`],
  ['an input within an input', ['people', 'create'], `{"firstName":"x","customFields":[{${poison}}],${poison}}`],
  [
    'a report',
    ['reports', 'run', 'trips'],
    `{"period":{"from":"2026-03-01T00:00:00Z","to":"2026-03-02T00:00:00Z",${poison}},${poison}}`,
  ],
])('%s of the command line', async (_, words, input) => {
  const fleet = shellOf('demo', service().fetch);
  for (const more of words[0] === 'reports' ? [[]] : [[], ['--dry-run']]) {
    const { code } = await fleet([...words, '--input', '-', ...more], { input });
    // 10: a dry run finds something to change.
    expect([0, 6, 10]).toContain(code);
  }
});

test('a file of records', async () => {
  const fleet = shellOf('demo', service().fetch);
  const input = `[{"name":"x",${poison}},{"name":"y",${poison}}]`;
  // 6: the service refuses unknown members.
  for (const [flag, exitCode] of [
    ['--dry-run', 10],
    ['--yes', 6],
  ] as const) {
    expect((await fleet(['groups', 'apply', '-', flag], { input })).code).toBe(exitCode);
  }
});

test('variables of a document', async () => {
  const fleet = shellOf('demo', service().fetch);
  const document = 'mutation ($input: CreateGroupInput!) { createGroup(createGroupInput: $input) { id } }';
  await fleet(['api', document, '-v', `input={"name":"x",${poison}}`]);
  await fleet(['api', document, '-v', `__proto__={${poison}}`, '-v', 'constructor=1', '-v', 'input={"name":"x"}']);
});

test('a filter, fields and a sort by names that every object has', async () => {
  const fleet = shellOf('demo', service().fetch);
  for (const name of ['__proto__', 'constructor', '__proto__.polluted', 'lastData.__proto__.polluted']) {
    for (const flags of [
      ['--filter', `${name}=1`],
      ['--fields', name],
      ['--sort', name],
    ]) {
      const { code } = await fleet(['vehicles', 'list', '-o', 'json', ...flags]);
      expect([0, 2]).toContain(code);
    }
  }
});

test('a map', async () => {
  const fleet = shellOf('demo', service().fetch);
  const geometry = `{"type":"Polygon","coordinates":[[[1,1],[1,2],[2,2],[1,1]]],${poison}}`;
  const map = `{"type":"FeatureCollection",${poison},"features":[{"type":"Feature",${poison},"properties":{"name":"x",${poison}},"geometry":${geometry}}]}`;
  const file = join(fleet.folder, 'map.geojson');
  writeFileSync(file, map);
  expect((await fleet(['geofences', 'import', file, '--yes'])).code).toBe(0);
  await fleet(['geofences', 'create', '--name', 'x', '--geojson', file]);
});

test('the configuration and a kept session', async () => {
  const fleet = shell(service().fetch);
  const profile = `{"baseUrl":"${baseUrl}","username":"demo",${poison}}`;
  writeFileSync(
    join(fleet.folder, 'config.json'),
    `{"profile":"__proto__","profiles":{"__proto__":${profile},"constructor":${profile},"default":${profile}},${poison}}`,
  );
  for (const name of ['__proto__', 'constructor', 'default']) await fleet(['status', '--profile', name]);
  await fleet(['profiles', 'list']);
  await fleet(['profiles', 'use', '__proto__']);
  await fleet(['profiles', 'remove', '__proto__', '--yes']);
  const env = { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
  mkdirSync(join(fleet.folder, 'sessions'), { recursive: true });
  await fleet(['login', '--profile', '__proto__', '--username', 'demo', '--password-stdin'], { env, input: 'demo' });
  await fleet(['vehicles', 'list'], { env });
});

test('what the service answers: login, users, data, errors, alone and merged', async () => {
  const real = createMockService({ vehicles: 3, clock });
  const poisoned: typeof globalThis.fetch = async (input, init) => {
    const answer = await real.fetch(input, init);
    const text = (await answer.text())
      .replaceAll('{"', `{${poison},"`)
      .replace(/^\{/, `{"errors":[{"message":"x","path":["__proto__"],${poison}}],`);
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
  const fleet = new FleetClient({
    baseUrl: 'http://fleet.example',
    credentials: { username: 'demo', password: 'demo' },
    fetch: poisoned,
  });
  await Promise.allSettled([
    fleet.getVehicles({}, { partial: true }),
    fleet.getGroups(),
    fleet.getRoles({}, { partial: true, select: { name: true } }),
    fleet.getVehicleById({ id: someId }),
  ]);
  await Promise.allSettled([fleet.request('{ __proto__: getRoles { constructor: name } }', {}, { partial: true })]);
  const period = { vehicleId: someId, from: new Date(0), to: new Date(60_000) };
  await Promise.allSettled([
    (async () => {
      for await (const _ of fleet.streamSnapshots(period));
    })(),
  ]);
  await fleet.close();
});

test('what the reference service is sent', async () => {
  const { fetch } = createMockService({ vehicles: 3, clock });
  const send = (path: string, method: string, body: string) =>
    fetch(`http://fleet.example${path}`, { method, body, headers: { 'content-type': 'application/json' } });
  for (const [path, method] of [
    ['/__mock/clock', 'POST'],
    ['/__mock/faults', 'POST'],
    ['/__mock/snapshot', 'PUT'],
    ['/graphql', 'POST'],
  ] as const) {
    const { status } = await send(path, method, `{${poison}}`);
    expect(status, path).toBeGreaterThanOrEqual(400);
  }
  const snapshotText: string = await (await fetch('http://fleet.example/__mock/snapshot')).text();
  await send('/__mock/snapshot', 'PUT', snapshotText.replaceAll('{"', `{${poison},"`));

  const fleet = shellOf('demo', fetch);
  const { stdout } = await fleet(['vehicles', 'list', '-o', 'json', '--fields', 'id']);
  const [{ id = '' } = {}]: { id?: string }[] = JSON.parse(stdout);
  await fleet(['vehicles', 'set-field', id, '__proto__', 'polluted']);
  await fleet(['vehicles', 'set-field', id, 'constructor.prototype.polluted', '1']);
});
