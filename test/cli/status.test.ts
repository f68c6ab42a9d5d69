// The output of `fleet vehicles status` without --watch, in one request.
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { type Outcome, type Place, service, shellOf } from './harness.js';

const golden = (name: string) => `golden/${name}.txt`;
const plain = { NO_COLOR: '1' };

function status(words: readonly string[] = [], place: Place = {}): Promise<Outcome> {
  return shellOf('demo', service({ vehicles: 12 }).fetch)(['vehicles', 'status', ...words], place);
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly driverId: string | null;
  readonly identifiedDriverId: string | null;
  readonly identifiedDriver: string | null;
  readonly driver: string | null;
}

const parsed = ({ stdout }: Outcome): readonly Row[] => JSON.parse(stdout);

describe('vehicles status', () => {
  test.each([80, 160])('on a terminal of %i columns', async (columns) => {
    const { code, stdout, stderr } = await status([], { terminal: columns, env: plain });
    expect(code).toBe(0);
    await expect(`${stdout}--\n${stderr}`).toMatchFileSnapshot(golden(`vehicles-status.terminal-${columns}`));
    for (const line of stdout.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test.each(['tsv', 'json'])('in a pipe as %s', async (format) => {
    const { code, stdout, stderr } = await status(['-o', format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(golden(`vehicles-status.${format}`));
  });

  test('as a map: a point per vehicle, with its status', async () => {
    const { code, stdout, stderr } = await status(['-o', 'geojson', '--filter', 'status=moving', '--limit', '1']);
    expect(code).toBe(0);
    await expect(`${stdout}--\n${stderr}`).toMatchFileSnapshot(golden('vehicles-status.geojson'));
    expect((await status(['-o', 'gpx'])).stdout).toMatch(/<wpt lat="58.503568" lon="26.710325">/);
  });

  test('is one request with the names of drivers, and one for the assignments of all vehicles', async () => {
    const fleet = service({ vehicles: 12 });
    const { stdout } = await shellOf('demo', fleet.fetch)(['vehicles', 'status', '-o', 'json']);
    const sentRequests = fleet.requests.filter(({ path }) => path === '/graphql');
    expect(sentRequests.map(({ operations }) => operations)).toEqual([
      ['getVehicles', 'getPeople', 'getGeofences'],
      ['getDriverAssignments'],
    ]);
    const driven = (JSON.parse(stdout) as readonly Row[]).filter(({ driverId }) => driverId !== null);
    expect(driven.length).toBeGreaterThan(0);
    for (const { driver } of driven) expect(driver).toMatch(/^\S+ \S+/);
  });

  test('requests people and assignments only when they are needed', async () => {
    for (const [fields, operations] of [
      ['name,status,identifiedDriverId', ['getVehicles']],
      ['name,identifiedDriver', ['getPeople', 'getVehicles']],
      ['name,driverId', ['getDriverAssignments', 'getVehicles']],
      ['name,driver', ['getDriverAssignments', 'getPeople', 'getVehicles']],
    ] as const) {
      const fleet = service({ vehicles: 3 });
      await shellOf('demo', fleet.fetch)(['vehicles', 'status', '--fields', fields]);
      const sentRequests = fleet.requests.filter(({ path }) => path === '/graphql');
      expect([...new Set(sentRequests.flatMap((request) => request.operations))].sort()).toEqual(operations);
      expect(sentRequests.length).toBeLessThanOrEqual(2);
    }
  });

  test('shows drivers by id to a user who may not see people', async () => {
    const { fetch } = service({ vehicles: 12 });
    const refusing: Fetch = (url, init) => {
      if (!/getPeople/.test(init.body ?? '')) return fetch(url, init);
      if (!/getVehicles/.test(init.body ?? '')) {
        const errors = [{ message: 'Not allowed.', path: ['getPeople'], extensions: { classification: 'FORBIDDEN' } }];
        return Promise.resolve(Response.json({ data: { getPeople: null }, errors }));
      }
      // This service refuses the whole document, so the client requests each field alone.
      return Promise.resolve(Response.json({ data: null, errors: [{ message: 'Not allowed.' }] }));
    };
    const outcome = await shellOf('demo', refusing)(['vehicles', 'status', '-o', 'json']);
    expect(outcome.code).toBe(6);
    expect(outcome.stderr).toContain('The names of people could not be read, so drivers are shown by id: Not allowed.');
    const driven = parsed(outcome).filter(({ driverId }) => driverId !== null);
    expect(driven.length).toBeGreaterThan(0);
    expect(driven.every(({ driver }) => driver === null)).toBe(true);
  });

  test('shows the assigned driver, and beside it the one of the last snapshot', async () => {
    const { fetch } = service({ vehicles: 2 });
    const other = 'fabf53dc-8622-5c6a-a842-1b319eadfc17';
    const identifying: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!/getVehicles/.test(init.body ?? '')) return response;
      const text = (await response.text()).replaceAll(/"driverId":"[0-9a-f-]+"/g, `"driverId":"${other}"`);
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    };
    const before = parsed(await shellOf('demo', fetch)(['vehicles', 'status', '-o', 'json']));
    const rows = parsed(await shellOf('demo', identifying)(['vehicles', 'status', '-o', 'json']));
    expect(rows.map(({ driver }) => driver)).toEqual(before.map(({ driver }) => driver));
    expect(rows.find(({ identifiedDriverId }) => identifiedDriverId === other)?.identifiedDriver).toBe('Liis Tamm');
    const place = { terminal: 160, env: { NO_COLOR: '1' } };
    expect((await shellOf('demo', identifying)(['vehicles', 'status'], place)).stdout).toContain('IDENTIFIED');
    expect((await shellOf('demo', fetch)(['vehicles', 'status'], place)).stdout).not.toContain('IDENTIFIED');
  });

  test('shows the same status as the table of all vehicles', async () => {
    const fleet = shellOf('demo', service({ vehicles: 12 }).fetch);
    const wide = { terminal: 250, env: plain };
    const words = (table: string) => {
      const [head = '', ...lines] = table.trimEnd().split('\n');
      const at = head.indexOf('STATUS');
      return lines.map((line) => line.slice(at).split(' ')[0]);
    };
    const { stdout } = await fleet(['vehicles', 'status'], wide);
    expect(words(stdout)).toEqual(words((await fleet(['vehicles', 'list'], wide)).stdout));
    expect(new Set(words(stdout)).size).toBeGreaterThan(2);
  });

  test('filters, sorts and limits, and counts all vehicles', async () => {
    const all = parsed(await status(['-o', 'json']));
    const stopped = parsed(await status(['--filter', 'status=stopped', '-o', 'json']));
    expect(stopped).toEqual(all.filter((row) => row.status === 'stopped'));
    const people = await status(['--filter', 'status=moving', '--limit', '1', '--sort', '-speed'], {
      terminal: 100,
      env: plain,
    });
    expect(people.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(people.stderr).toMatch(/\n12 vehicles: /);
    const none = await status(['--filter', 'status=offline', '--filter', 'name=x'], { terminal: 80, env: plain });
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toMatch(/^No row matches the filter\.\n12 vehicles: /);
  });

  test('sorts by the status in the order of the map, not of the alphabet', async () => {
    const statuses = async (key: string) => {
      const { stdout } = await status(['--sort', key, '--fields', 'status'], {});
      return [...new Set(stdout.trim().split('\n').slice(1))];
    };
    const order = ['moving', 'idling', 'stopped', 'stale', 'offline', 'unknown'];
    const found = await statuses('status');
    expect(found.length).toBeGreaterThan(2);
    expect(found).toEqual(order.filter((one) => found.includes(one)));
    expect(await statuses('-status')).toEqual([...found].reverse());
  });

  test('accepts other thresholds, in any unit', async () => {
    const counts = async (...words: string[]) => {
      const rows = parsed(await status([...words, '-o', 'json']));
      return (word: string) => rows.filter((row) => row.status === word).length;
    };
    const usual = await counts();
    const strict = await counts('--stale', '1s', '--offline', '1d');
    expect(usual('stale')).toBeLessThan(strict('stale'));
    expect(strict('stopped') + strict('moving') + strict('idling')).toBeLessThan(3);
    expect((await counts('--stale', '1', '--offline', '1s'))('offline')).toBeGreaterThan(8);
  });

  test.each([
    [['--stale', '7h'], '--offline is shorter than --stale.'],
    [['--offline', '1h'], '--offline is shorter than --stale.'],
    [['--stale', 'soon'], "Option '--stale <duration>' argument 'soon' is invalid."],
    [['--filter', 'state=moving'], '--filter: there is no field "state".'],
  ])('%s is refused before anything is sent', async (words, message) => {
    const fleet = service();
    const { code, stdout, stderr } = await shellOf('demo', fleet.fetch)(['vehicles', 'status', ...words]);
    expect({ code, stdout, sent: fleet.requests.length }).toEqual({ code: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(message);
  });

  test('leaves out deactivated vehicles with --active, and says when there are none', async () => {
    const fleet = shellOf('demo', service({ vehicles: 25 }).fetch);
    const all = parsed(await fleet(['vehicles', 'status', '-o', 'json']));
    expect(parsed(await fleet(['vehicles', 'status', '--active', '-o', 'json'])).length).toBeLessThan(all.length);
    const empty = await shellOf('demo', service({ vehicles: 0 }).fetch)(['vehicles', 'status'], { terminal: 80 });
    expect(empty).toEqual({ code: 0, stdout: '', stderr: 'No vehicle is visible to this user.\n' });
  });

  test('shows the named vehicles alone, by any of their names, with one list of vehicles', async () => {
    const mock = service({ vehicles: 12 });
    const { code, stdout } = await shellOf(
      'demo',
      mock.fetch,
    )([...['vehicles', 'status', 'truck 1', '481-mhe', '-o', 'json', '--fields', 'name,place', '--sort', 'name']]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'Truck 01' }, { name: 'Van 02' }]);
    const lists = mock.requests.flatMap(({ operations }) => operations).filter((name) => name === 'getVehicles');
    expect(lists).toHaveLength(1);
  });

  test.each([
    [['Lorry'], 5, 'There is no vehicle "Lorry".'],
    [['Truck'], 2, '"Truck" matches 5 vehicles.'],
    [['0a2e62a9-bfd3-5ed7-96fd-d8baa1317d83'], 5, 'There is no vehicle with the id 0a2e62a9'],
    [['Truck 01', '--group', 'Long haul'], 2, 'Give either vehicles, or --group'],
    [['--at', 'yesterday'], 2, '--at "yesterday" is a period, not a point in time.'],
    [['--at', '2h'], 2, '--at'],
    [['--at', '-2h', '--watch'], 2, '--watch shows the present'],
  ])('refuses %j', async (words, exitCode, message) => {
    const { code, stdout, stderr } = await status(words);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('takes ids in any letter case', async () => {
    const [row] = JSON.parse((await status(['Truck 01', '-o', 'json'])).stdout);
    const again = JSON.parse((await status([row.id.toUpperCase(), '-o', 'json'])).stdout);
    expect(again).toEqual([row]);
  });

  test('a named vehicle that is deactivated is no unknown one with --active', async () => {
    const { code, stdout, stderr } = await status(['Van 04', '--active'], { terminal: 120, env: plain });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('The named vehicles are deactivated: leave out --active.');
  });

  test('with --at shows the last positions before that time, without the current drivers', async () => {
    const words = ['Truck 01', 'Van 02', '--at', 'yesterday 09:00'];
    const { code, stdout, stderr } = await status(words, { terminal: 120, env: plain });
    expect(code).toBe(0);
    await expect(`${stdout}--\n${stderr}`).toMatchFileSnapshot(golden('vehicles-status-at.terminal-120'));
    const rows = JSON.parse((await status([...words, '-o', 'json'])).stdout);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(Date.parse(row.timestamp)).toBeLessThanOrEqual(Date.parse('2026-03-01T09:00:00Z'));
      expect(Object.keys(row)).not.toContain('driver');
    }
  });

  test('with --at names the vehicles with an unknown position', async () => {
    const { code, stdout, stderr } = await status(['Truck 01', 'Van 04', '--at', '-2h', '--fields', 'name,status']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'name\tstatus\nTruck 01\tmoving\nVan 04\tunknown\n' });
    expect(stderr).toContain('The position at that time is unknown for Van 04: none in the 7 days before.');
  });
});
