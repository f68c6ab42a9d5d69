// Commands about several vehicles, by groups, labels and filters, and their partial failures.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { type Outcome, type Place, service, shellOf } from './harness.js';

const golden = (name: string) => `golden/${name}.txt`;
const plain = { NO_COLOR: '1' };
const period = ['--from', '2026-03-02T07:30Z', '--to', '2026-03-02T09:30Z'];
const mock = service();

function fleet(words: readonly string[], place: Place = {}, fetch: Fetch = mock.fetch): Promise<Outcome> {
  return shellOf('demo', fetch)(words, place);
}

async function json(words: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const vehiclesIn = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  [...new Set(rows.map(({ vehicle }) => vehicle))].sort();

describe('trips of several vehicles', () => {
  test.each([80, 160])('of all on a terminal of %i columns', async (columns) => {
    const { code, stdout } = await fleet(['trips', 'list', ...period], { terminal: columns, env: plain });
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(golden(`trips-list.fleet.terminal-${columns}`));
  });

  test.each(['tsv', 'json'])('in a pipe as %s', async (format) => {
    const words = ['trips', 'list', 'Truck 01', 'Van 02', '--from', '2026-03-02T08:30Z', '--to', '2026-03-02T09:30Z'];
    const { code, stdout, stderr } = await fleet([...words, '--sort', 'vehicle,startedAt', '-o', format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(golden(`trips-list.fleet.${format}`));
  });

  test('are those that each has alone, with the names beside the ids', async () => {
    const all = await json(['trips', 'list', ...period]);
    for (const vehicle of vehiclesIn(all)) {
      const alone = await json(['trips', 'list', String(vehicle), ...period]);
      const ofFleet = all.filter((trip) => trip.vehicle === vehicle);
      expect(ofFleet).toMatchObject(alone);
    }
    expect(vehiclesIn(all).length).toBeGreaterThan(1);
  });

  test('need one request for all lists', async () => {
    mock.clearRequests();
    await fleet(['trips', 'list', ...period, '-o', 'ndjson']);
    const [first] = mock.requests.filter(({ path }) => path === '/graphql');
    expect([...(first?.operations ?? [])].sort()).toEqual(['getGeofences', 'getPeople', 'getVehicles']);
  });

  test.each([
    [['--vehicle-filter', 'name=Van*'], /^Van /],
    [['--vehicle-filter', 'vehicleType.name=Truck', '--vehicle-filter', 'name!=Truck 01'], /^Truck 0[^1]/],
  ])('%j chooses vehicles', async (flags, name) => {
    const found = vehiclesIn(await json(['trips', 'list', ...period, ...flags]));
    expect(found.length).toBeGreaterThan(0);
    for (const vehicle of found) expect(vehicle).toMatch(name);
  });

  test('--group takes the groups below it too, and --label combines with it', async () => {
    type Named = { readonly name: string };
    const rows = (await json(['vehicles', 'list'])) as readonly (Named & {
      readonly assignedGroups: readonly Named[];
      readonly assignedLabels: readonly Named[];
    })[];
    const inGroup = (pattern: RegExp) => (row: (typeof rows)[number]) =>
      row.assignedGroups.some(({ name }) => pattern.test(name));
    const names = async (...flags: readonly string[]) =>
      (await json(['vehicles', 'sensors', ...flags, '--fields', 'vehicle'])).map(({ vehicle }) => vehicle);
    const longHaul = rows.filter(inGroup(/^Long haul/)).map(({ name }) => name);
    expect(new Set(await names('--group', 'Long haul'))).toEqual(new Set(longHaul));
    const label = rows.flatMap(({ assignedLabels }) => assignedLabels)[0]?.name ?? '';
    const labelled = rows.filter(({ assignedLabels }) => assignedLabels.some(({ name }) => name === label));
    expect(new Set(await names('--label', label))).toEqual(new Set(labelled.map(({ name }) => name)));
    const both = labelled.filter(inGroup(/deliveries$/)).map(({ name }) => name);
    expect(new Set(await names('--label', label, '--group', 'Deliveries'))).toEqual(new Set(both));
  });

  test.each([
    [['Van 01', '--group', 'Long haul', ...period], 2, 'Give either vehicles, or --group'],
    [['--group', 'No such', ...period], 5, 'There is no group "No such"'],
    [['--label', 'No such', ...period], 5, 'There is no label "No such"'],
    [['Van 01', 'Nobody', ...period], 5, 'There is no vehicle "Nobody"'],
    [['--vehicle-filter', 'colour=red', ...period], 2, 'there is no field "colour"'],
  ])('%j is refused', async (words, exitCode, said) => {
    const { code, stdout, stderr } = await fleet(['trips', 'list', ...words]);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(said);
  });

  test('without a vehicle there is nothing to read', async () => {
    const words = ['trips', 'list', '--vehicle-filter', 'name=Ship*', ...period];
    expect(await fleet([...words, '-o', 'json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('one that fails is named, the others are printed, and the exit code is 6', async () => {
    const [{ id = '' } = {}] = (await json(['vehicles', 'list', '--filter', 'name=Van 01'])) as { id?: string }[];
    const words = ['trips', 'list', ...period];
    const whole = await json(words);
    const failing: Fetch = async (url, init) => {
      const response = await mock.fetch(url, init as RequestInit);
      const { variables } = Object(JSON.parse(url.endsWith('/graphql') ? String(init.body ?? '{}') : '{}'));
      const names = Object.entries(Object(variables)).flatMap(([name, value]) => (value === id ? [name] : []));
      if (names.length === 0) return response;
      const { data } = Object(await response.json());
      const fields = names.map((name) => (name === 'vehicleId' ? 'getSnapshots' : name.replace('vehicleId_', 'q')));
      return Response.json({
        data: { ...data, ...Object.fromEntries(fields.map((field) => [field, null])) },
        errors: fields.map((field) => ({ message: 'The archive is closed', path: [field] })),
      });
    };
    const { code, stdout, stderr } = await fleet([...words, '-o', 'json'], {}, failing);
    expect(code).toBe(6);
    expect(vehiclesIn(JSON.parse(stdout))).toEqual(vehiclesIn(whole).filter((name) => name !== 'Van 01'));
    const said = JSON.parse(stderr);
    expect(said.error.message).toContain('The service could not deliver everything.');
    expect(stderr).toContain('Van 01: The archive is closed');
    const people = await fleet(words, { terminal: 160, env: plain }, failing);
    expect(people.code).toBe(6);
    await expect(people.stderr.slice(people.stderr.indexOf('error:'))).toMatchFileSnapshot(
      golden('trips-list.fleet.failed.stderr'),
    );
  });

  test('Ctrl-C prints what has arrived and says how much is missing', async () => {
    const interrupt = new AbortController();
    let answers = 0;
    const stopping: Fetch = async (url, init) => {
      const isRows = String(init.body ?? '').includes('getSnapshots');
      // The first answer has half of the vehicles.
      if (isRows && ++answers === 2) interrupt.abort();
      return mock.fetch(url, init as RequestInit);
    };
    const words = ['trips', 'list', '--from', '2026-03-02T00:00Z', '--to', '2026-03-02T09:30Z'];
    const place = { terminal: 160, env: plain, signal: interrupt.signal };
    const { code, stdout, stderr } = await fleet(words, place, stopping);
    expect(code).toBe(130);
    expect(stdout).toContain('VEHICLE');
    expect(stderr).toMatch(
      /Interrupted\.[\s\S]*\d+ trips of \d of 6 vehicles had arrived and are printed; the rest is missing\./,
    );
  });
});

describe('snapshots of several vehicles', () => {
  const seconds = ['--from', '2026-03-02T09:29:30Z', '--to', '2026-03-02T09:30Z'];
  const list = ['snapshots', 'list', 'Truck 01', 'Truck 02', ...seconds];

  test.each([80, 160])('on a terminal of %i columns', async (columns) => {
    const { code, stdout } = await fleet(list, { terminal: columns, env: plain });
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(golden(`snapshots-list.fleet.terminal-${columns}`));
  });

  test('in a pipe, with the names beside the ids', async () => {
    const { code, stdout, stderr } = await fleet(list);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(golden('snapshots-list.fleet.tsv'));
    const rows = await json(list);
    expect(vehiclesIn(rows)).toEqual(['Truck 01', 'Truck 02']);
    for (const vehicle of vehiclesIn(rows)) {
      const alone = await json(['snapshots', 'list', String(vehicle), ...seconds]);
      expect(rows.filter((row) => row.vehicle === vehicle)).toMatchObject(alone);
    }
  });

  test('of one keep their fields, and know the others by name', async () => {
    const [row] = await json(['snapshots', 'list', 'Truck 01', ...seconds]);
    expect(row).not.toHaveProperty('vehicle');
    const fields = ['--fields', 'vehicle,driverName,nearestPlace,nearestPlaceDistanceM'];
    const [named] = await json(['snapshots', 'list', 'Truck 01', ...seconds, ...fields]);
    expect(named).toEqual({
      vehicle: 'Truck 01',
      driverName: 'Karl Schmidt',
      nearestPlace: 'Customer Vilnius',
      nearestPlaceDistanceM: expect.any(Number),
    });
  });
});

describe('sensors, fields and groups of several vehicles', () => {
  test.each([['sensors'], ['fields'], ['groups']])('%s are those that each has alone', async (verb) => {
    const rows = await json(['vehicles', verb]);
    expect(vehiclesIn(rows).length).toBeGreaterThan(3);
    const truck = await json(['vehicles', verb, 'Truck 01']);
    expect(truck.length).toBeGreaterThan(0);
    expect(rows.filter(({ vehicle }) => vehicle === 'Truck 01')).toMatchObject(truck);
  });

  test('a vehicle that fails is named', async () => {
    const broken = service();
    broken.faults.add({ kind: 'graphqlError', operation: 'getVehicleMappedSensors', message: 'Sensors are closed' });
    const closed = await fleet(['vehicles', 'sensors', 'Van 01', 'Truck 01'], { terminal: 80 }, broken.fetch);
    expect(closed.code).toBe(6);
    expect(closed.stderr).toContain('Van 01: Sensors are closed');
    expect(closed.stderr).toContain('Truck 01: Sensors are closed');
  });
});
