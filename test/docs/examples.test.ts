// Every program in examples/ compiles, stays short, and does what it says against the reference service over real HTTP.
import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FleetClient } from 'fleet-telematics';
import { createMockService, type Listening } from 'fleet-telematics/mock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clock } from '../moment.js';
import { root } from './markdown.js';
import { check } from './program.js';
import { openWorkshop, type Workshop } from './workshop.js';

const files = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.mjs'));
const mostLines = 40;
const exec = promisify(execFile);

const service = createMockService({ vehicles: 2, clock });
const clean = service.snapshot();
const login = { username: 'demo', password: 'demo' };
let workshop: Workshop;
let server: Listening;

beforeAll(async () => {
  workshop = await openWorkshop();
  server = await service.listen();
  for (const file of files) copyFileSync(join(root, 'examples', file), join(workshop.folder, file));
});
beforeEach(() => service.restore(clean));
afterAll(async () => {
  await server.close();
  await workshop.close();
});

function run(file: string, ...args: readonly string[]) {
  return exec(process.execPath, [file, ...args], {
    cwd: workshop.folder,
    env: {
      ...workshop.env,
      FLEET_BASE_URL: server.url,
      FLEET_USERNAME: login.username,
      FLEET_PASSWORD: login.password,
    },
  });
}

const client = () =>
  new FleetClient({ baseUrl: 'http://fleet.test', credentials: login, fetch: service.fetch, clock: service.clock });

test.each(files)('%s is short', (file) => {
  expect(
    readFileSync(join(root, 'examples', file), 'utf8')
      .trimEnd()
      .split('\n').length,
  ).toBeLessThanOrEqual(mostLines);
});

test('they compile', { timeout: 120_000 }, () => {
  const programs = files.map((file) => join(workshop.folder, file));
  expect(check(programs, workshop)).toEqual([]);
});

test('nightly-trips writes the trips of a day, each once', async () => {
  await run('nightly-trips.mjs', '2026-02-27');
  const [header, ...rows] = readFileSync(join(workshop.folder, 'trips-2026-02-27.csv'), 'utf8').trimEnd().split('\r\n');
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
  // The program goes by its own clock, to which a service of March is long offline.
  expect(
    stdout.split('\n').filter((line) => /^(moving|idling|stopped|stale|offline|unknown) /.test(line)),
  ).toHaveLength(active.length);
});

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
