// Every program in examples/ compiles, stays short, and works against the reference service over
// real HTTP. Programs with a database run in nightly-own-database.heavy.test.ts and
// nightly-bullmq.nightly.test.ts.
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FleetClient } from 'fleet-telematics';
import { createMockService, type Listening } from 'fleet-telematics/mock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadSqlite } from '../../packages/sync/src/sqlite/database.js';
import { clock } from '../moment.js';
import { isFullRun } from '../runs.js';
import { root } from './markdown.js';
import { check } from './program.js';
import { libraryNames, openWorkshop, type Workshop } from './workshop.js';

const files = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.mjs'));
const textOf = (file: string) => readFileSync(join(root, 'examples', file), 'utf8');
const mostLines = (file: string) =>
  ({ 'live-tracker.mjs': 50, 'nightly-own-database.mjs': 55, 'nightly-bullmq.mjs': 130 })[file] ?? 40;
const needsLibrary = (file: string) => libraryNames.some((name) => textOf(file).includes(`'${name}'`));
const exec = promisify(execFile);

const service = createMockService({ vehicles: 2, clock });
const clean = service.snapshot();
const login = { username: 'demo', password: 'demo' };
let workshop: Workshop;
let server: Listening;

beforeAll(async () => {
  workshop = await openWorkshop({ withLibraries: isFullRun });
  server = await service.listen();
  for (const file of files) copyFileSync(join(root, 'examples', file), join(workshop.folder, file));
});
beforeEach(() => {
  service.restore(clean);
  service.faults.clear();
});
afterAll(async () => {
  await server.close();
  await workshop.close();
});

function run(file: string, ...argsAndEnv: readonly (string | Readonly<Record<string, string>>)[]) {
  const args = argsAndEnv.filter((one) => typeof one === 'string');
  return exec(process.execPath, [file, ...args], {
    cwd: workshop.folder,
    env: {
      ...workshop.env,
      FLEET_BASE_URL: server.url,
      FLEET_USERNAME: login.username,
      FLEET_PASSWORD: login.password,
      ...Object.assign({}, ...argsAndEnv.filter((one) => typeof one !== 'string')),
    },
  });
}

const client = () =>
  new FleetClient({ baseUrl: 'http://fleet.test', credentials: login, fetch: service.fetch, clock: service.clock });

test.each(files)('%s is short', (file) => {
  expect(textOf(file).trimEnd().split('\n').length).toBeLessThanOrEqual(mostLines(file));
});

test('they compile, those with a library of test/docs/libraries at night', { timeout: 120_000 }, () => {
  const compiled = isFullRun ? files : files.filter((file) => !needsLibrary(file));
  const programs = compiled.map((file) => join(workshop.folder, file));
  expect(check(programs, workshop)).toEqual([]);
});

test('nightly-trips writes the trips of a day, each once', async () => {
  await run('nightly-trips.mjs', '2026-02-27');
  const [header, ...rows] = readFileSync(join(workshop.folder, 'trips-2026-02-27.csv'), 'utf8').trimEnd().split('\n');
  expect(header).toMatch(/^"vehicle","plate","drivers","id","startedAt","endedAt",/);

  const fleet = client();
  const expected: string[] = [];
  for (const { id } of await fleet.getVehicles()) {
    const period = { vehicleId: id ?? '', from: '2026-02-26T00:00:00Z', to: '2026-03-01T00:00:00Z' };
    for await (const trip of fleet.streamTrips(period))
      if (trip.endedAt?.startsWith('2026-02-27')) expected.push(trip.id);
  }
  expect(expected.length).toBeGreaterThan(0);
  expect(rows.map((row) => row.split('","')[3])).toEqual(expected);
});

test('live-board draws every active vehicle', async () => {
  const { stdout } = await run('live-board.mjs', '1');
  const active = await client().getActiveVehicles();
  for (const { name } of active) expect(stdout).toContain(name);
  // The program uses the real clock, for which a service of March is long offline.
  expect(
    stdout.split('\n').filter((line) => /^(moving|idling|stopped|stale|offline|unknown) /.test(line)),
  ).toHaveLength(active.length);
});

test('webhook posts the events signed, again when the receiver fails', async () => {
  const received: { readonly signature: unknown; readonly body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      received.push({ signature: request.headers['x-signature'], body });
      response.writeHead(received.length === 1 ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = Object(receiver.address());
  service.clearRequests();
  const ended = run('webhook.mjs', '0.05', '1', { WEBHOOK_URL: `http://127.0.0.1:${port}/`, WEBHOOK_SECRET: 'shared' });
  const moves = setInterval(() => service.clock.advance(1_000), 10);
  const { stdout } = await ended.finally(() => {
    clearInterval(moves);
    receiver.close();
    service.reset();
  });
  expect(stdout).toMatch(/^(moved|statusChanged|updated)\t204\n$/);
  const [failed, again] = received;
  expect(received).toHaveLength(2);
  expect(again).toEqual(failed);
  expect(again?.signature).toBe(
    createHmac('sha256', 'shared')
      .update(again?.body ?? '')
      .digest('hex'),
  );
  expect(JSON.parse(again?.body ?? '')).toMatchObject({
    type: stdout.split('\t')[0],
    vehicle: { status: expect.any(String) },
  });
});

async function* eventsOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly type: string; readonly data: unknown }> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of stream) {
    rest += decoder.decode(part, { stream: true });
    const whole = rest.split('\n\n');
    rest = whole.pop() ?? '';
    for (const text of whole) {
      const [, type = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? [];
      yield { type, data: JSON.parse(data) };
    }
  }
}

test('live-tracker follows 1,000 vehicles with one request per interval, for two browsers at once', async () => {
  const large = createMockService({ vehicles: 1_000, clock });
  const listening = await large.listen();
  const tracker = spawn(process.execPath, ['live-tracker.mjs', '0', '0.05'], {
    cwd: workshop.folder,
    env: {
      ...workshop.env,
      FLEET_CONFIG_DIR: join(workshop.folder, 'tracker'),
      FLEET_BASE_URL: listening.url,
      FLEET_USERNAME: login.username,
      FLEET_PASSWORD: login.password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(tracker, 'exit');
  const moves = setInterval(() => large.clock.advance(1_000), 10);
  try {
    const [address] = await once(tracker.stdout, 'data');
    const { port } = JSON.parse(String(address));
    const browsers = [1, 2].map(async () => {
      const { body } = await fetch(`http://127.0.0.1:${port}/events`);
      if (body === null) throw new Error('the stream of events has no body');
      const types: string[] = [];
      for await (const { type, data } of eventsOf(body)) {
        types.push(type);
        if (type === 'moved') return { first: types[0], data };
      }
      throw new Error(`the stream ended after ${types.join(', ')}`);
    });
    for (const { first, data } of await Promise.all(browsers)) {
      expect(first).toBe('board');
      expect(data).toMatchObject({
        type: 'moved',
        vehicle: { vehicleId: expect.any(String), status: expect.any(String) },
      });
    }
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).json()).toHaveLength(1_000);
    const graphqlRequests = large.requests.filter(({ path }) => path === '/graphql');
    expect(graphqlRequests.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  } finally {
    clearInterval(moves);
    tracker.kill('SIGINT');
    await ended;
    await listening.close();
  }
  expect(await ended).toEqual([0, null]);
});

test('nightly-sync copies the fleet, each row once, and goes on behind a run that failed', async () => {
  const copy = join(workshop.folder, 'fleet.db');
  const fleet = client();
  const vehicles = await fleet.getVehicles();

  await run('nightly-sync.mjs', 'fleet.db', '2026-03-01T18:00:00Z');
  // The second run gets no snapshots; the third reads the missing ones.
  service.faults.add({ kind: 'status', status: 403, times: 1_000, operation: 'getSnapshots' });
  const failed = await run('nightly-sync.mjs', 'fleet.db', '2026-03-01T22:00:00Z').catch(
    (error: { code: number }) => error,
  );
  expect(failed).toMatchObject({ code: 1 });
  service.faults.clear();
  await run('nightly-sync.mjs', 'fleet.db', '2026-03-02T02:00:00Z');

  const database = (await loadSqlite()).open(copy, { readOnly: true });
  expect(database.all('SELECT count(*) FROM vehicles')).toEqual([[vehicles.length]]);
  expect(database.all('SELECT count(*) FROM people')).toEqual([[(await fleet.getPeople()).length]]);
  const expected = new Map<string, string[]>();
  const period = {
    vehicleIds: vehicles.flatMap(({ id }) => id ?? []),
    from: '2026-02-28T18:00:00Z',
    to: '2026-03-02T02:00:00Z',
  };
  for await (const { vehicleId, timestamp } of fleet.streamSnapshots(period, { select: { timestamp: true } })) {
    const times = expected.get(vehicleId) ?? [];
    times.push(new Date(String(timestamp)).toISOString());
    expected.set(vehicleId, times);
  }
  for (const { id } of vehicles) {
    const times = expected.get(id ?? '') ?? [];
    const found = database.all('SELECT recorded_at FROM snapshots WHERE vehicle_id = ?', [id ?? '']).flat();
    expect(times.length).toBeGreaterThan(50);
    expect(found).toEqual(times.sort());
  }
  database.close();
  // Three processes read a day of 25 vehicles each.
}, 180_000);

test('harsh-events counts what the snapshots of the week report', async () => {
  const { stdout } = await run('harsh-events.mjs', '2026-03-02');
  const [header, ...rows] = stdout.trimEnd().split('\n');
  expect(header).toBe('driver\tevent\tcount');

  const fleet = client();
  let expected = 0;
  for (const { id } of await fleet.getVehicles()) {
    const period = { vehicleId: id ?? '', from: '2026-02-23T00:00:00Z', to: '2026-03-02T00:00:00Z' };
    const rows = fleet.streamSnapshots(period, { select: { driverBehaviour: { driverBehaviourType: true } } });
    for await (const row of rows) if (row.driverBehaviour?.driverBehaviourType) expected++;
  }
  expect(expected).toBeGreaterThan(0);
  expect(rows.reduce((sum, row) => sum + Number(row.split('\t')[2]), 0)).toBe(expected);
});

test('import-geofences makes them, changes them when run again, and goes on after one that is refused', async () => {
  const point = (name: string | null, coordinates: readonly unknown[]) => ({
    type: 'Feature',
    properties: { name, color: '#2266aa' },
    geometry: { type: 'Point', coordinates },
  });
  const features = [
    point('Yard', [24.75, 59.43]),
    point(null, [0, 1]),
    point('Broken', ['x']),
    point('Quay', [24.8, 59.44]),
  ];
  writeFileSync(join(workshop.folder, 'depots.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
  const before = (await client().getGeofences()).length;

  const first = await run('import-geofences.mjs', 'depots.geojson').catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  expect(first).toMatchObject({ code: 1, stdout: 'made\tYard\nmade\tQuay\n' });
  expect(first.stderr).toContain('Broken: GRAPHQL');
  const again = await run('import-geofences.mjs', 'depots.geojson').catch((error: { stdout: string }) => error);
  expect(again.stdout).toBe('changed\tYard\nchanged\tQuay\n');

  const geofences = await client().getGeofences();
  expect(geofences).toHaveLength(before + 2);
  expect(geofences.find(({ name }) => name === 'Yard')).toMatchObject({ color: '#2266aa', geojson: { type: 'Point' } });
});
