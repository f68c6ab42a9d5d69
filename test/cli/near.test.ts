// `fleet vehicles near`, and the output of other commands when geofences cannot be read.
import { describe, expect, test } from 'vitest';
import { altered, rowsWith } from '../../packages/sync/test/altered.js';
import type { Fetch } from '../../src/core/ports.js';
import { expectGolden } from './golden.js';
import { clock, type Outcome, type Place, service, shellOf } from './harness.js';

const mock = service({ vehicles: 12 });

function fleet(words: readonly string[], place: Place = {}): Promise<Outcome> {
  return shellOf('demo', mock.fetch)(words, place);
}

interface Row {
  readonly name: string;
  readonly distanceM: number;
  readonly direction: string | null;
  readonly status: string;
  readonly deactivated: boolean;
}

const isLast = ({ status, deactivated }: Row) => deactivated || ['stale', 'offline', 'unknown'].includes(status);

/** The order of the rows: usable ones by distance, then the others by distance. */
function inOrder(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => Number(isLast(a)) - Number(isLast(b)) || a.distanceM - b.distanceM);
}

async function near(...words: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout } = await fleet(['vehicles', 'near', ...words, '-o', 'json']);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('vehicles near', () => {
  test('prints them as a table and in a pipe', () =>
    expectGolden('vehicles-near', ['vehicles', 'near', 'Depot Vilnius', '--radius', '900km']));

  test('of a name that is not there', () =>
    expectGolden('vehicles-near.unknown', ['vehicles', 'near', 'Depot Tatru'], { code: 5 }));

  test('lists the nearest first, and those inside with the distance 0', async () => {
    const rows = await near('Depot Madrid');
    expect(rows).toEqual(inOrder(rows));
    expect(rows[0]).toMatchObject({ distanceM: 0, direction: null });
    expect(rows.length).toBeGreaterThan(5);
  });

  test('lists deactivated and silent vehicles last, and marks them', async () => {
    const hoursAgo = (hours: number) => new Date(clock.now() - hours * 3_600_000).toISOString();
    const snapshot = (hours: number | null, metresNorth: number) => ({
      timestamp: hours === null ? null : hoursAgo(hours),
      gps: { state: true, latitude: 58.38 + metresNorth / 111_195, longitude: 26.72, speed: 0 },
      ignition: { engineStatus: false },
    });
    const states = [
      { name: 'deactivated', deactivated: true, lastData: snapshot(0, 100) },
      { name: 'offline', deactivated: false, lastData: snapshot(7, 200) },
      { name: 'far', deactivated: false, lastData: snapshot(1, 5_000) },
      { name: 'stale', deactivated: null, lastData: snapshot(2, 300) },
      { name: 'unknown', deactivated: null, lastData: snapshot(null, 400) },
      { name: 'nearest', deactivated: null, lastData: snapshot(0, 4_000) },
    ];
    const rows = rowsWith('getVehicles', (all) => all.slice(0, 6).map((row, index) => ({ ...row, ...states[index] })));
    const shell = shellOf('demo', altered(mock, rows));
    const words = ['vehicles', 'near', '58.38,26.72'];
    const two = await shell([...words, '--limit', '2', '--fields', 'name', '-o', 'tsv']);
    expect(two.stdout).toBe('name\nnearest\nfar\n');
    const outcome = await shell([...words, '--radius', '9km', '--fields', 'name,distanceM,status,deactivated']);
    expect(outcome.stdout).toBe(
      [
        'name\tdistanceM\tstatus\tdeactivated',
        'nearest\t4000\tstopped\tfalse',
        'far\t5000\tstopped\tfalse',
        'deactivated\t100\tstopped\ttrue',
        'offline\t200\toffline\tfalse',
        'stale\t300\tstale\tfalse',
        'unknown\t400\tunknown\tfalse',
        '',
      ].join('\n'),
    );
    const table = await shell([...words, '--limit', '3'], { terminal: 160, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^deactivated .* 100 m +N +deactivated /m);
    expect(table.stderr).toContain('Distances are straight lines. Silent and deactivated vehicles come last.');
    const byName = await shell([...words, '--sort', 'name'], { terminal: 160 });
    expect(byName.stderr).not.toContain('come last');
  });

  test('takes units, and chooses among vehicles', async () => {
    const all = await near('58.38,26.72');
    const within = (metres: number) => all.filter(({ distanceM }) => distanceM <= metres).map(({ name }) => name);
    expect((await near('58.38,26.72', '--radius', '10km')).map(({ name }) => name)).toEqual(within(10_000));
    expect((await near('58.38, 26.72', '--radius', '10mi')).map(({ name }) => name)).toEqual(within(16_093));
    const vans = await near('58.38,26.72', '--vehicle-filter', 'name=Van*');
    expect(vans.map(({ name }) => name)).toEqual(all.map(({ name }) => name).filter((name) => name.startsWith('Van')));
  });

  test('takes positions with a decimal comma, where something else stands between the two', async () => {
    const rows = await near('58.38,26.72', '--limit', '3');
    for (const written of ['58,38; 26,72', '58,38 26,72', '58,38, 26,72', '58,38;26,72']) {
      expect(await near(written, '--limit', '3'), written).toEqual(rows);
    }
    // Four numbers separated only by commas are ambiguous.
    expect((await fleet(['vehicles', 'near', '58,38,26,72'])).code).toBe(5);
  });

  describe('of a device without a fix, which keeps sending its last position', () => {
    const hoursAgo = (hours: number) => new Date(clock.now() - hours * 3_600_000).toISOString();
    const shell = (locationTimestamp: string | null) =>
      shellOf(
        'demo',
        altered(
          mock,
          rowsWith('getVehicles', (rows) =>
            rows.slice(0, 1).map((row) => ({
              ...row,
              lastData: { ...Object(row.lastData), timestamp: hoursAgo(0), locationTimestamp },
            })),
          ),
        ),
      );

    test('SEEN is the age of the position', async () => {
      const { stdout } = await shell(hoursAgo(5))(['vehicles', 'near', '58.38,26.72'], { terminal: 160 });
      expect(stdout).toMatch(/ 5h /);
      const found = await shell(hoursAgo(5))(['vehicles', 'near', '58.38,26.72', '--filter', 'seen>4h', '-o', 'json']);
      expect(JSON.parse(found.stdout)).toMatchObject([{ timestamp: hoursAgo(0), locationTimestamp: hoursAgo(5) }]);
    });

    test('SEEN is the age of the snapshot where the service says nothing of the position', async () => {
      const { stdout } = await shell(null)(['vehicles', 'near', '58.38,26.72'], { terminal: 160 });
      expect(stdout).toMatch(/ 0s /);
    });
  });

  test('of a device whose clock is ahead takes the row before, and status says that it does not know', async () => {
    const [first, ...others] = await near('58.38,26.72');
    const inTenYears = '2036-03-02T09:30:00Z';
    const shell = shellOf(
      'demo',
      altered(
        mock,
        rowsWith('getVehicles', (rows) =>
          rows.map((row) =>
            row.name === first?.name
              ? {
                  ...row,
                  lastData: {
                    ...Object(row.lastData),
                    timestamp: inTenYears,
                    gps: { latitude: 1, longitude: 1, speed: 9 },
                  },
                }
              : row,
          ),
        ),
      ),
    );
    const warning = `warning: The clock of the device of vehicle ${first?.name} is 3653 d ahead: rows from the future are not its current state`;
    const { code, stdout, stderr } = await shell(['vehicles', 'near', '58.38,26.72', '-o', 'json']);
    expect(code).toBe(0);
    expect(stderr).toContain(warning);
    const [again, ...rest] = JSON.parse(stdout);
    expect(again).toMatchObject({ name: first?.name, distanceM: first?.distanceM });
    expect(rest).toEqual(others);
    const status = await shell(['vehicles', 'status', '--filter', `name=${first?.name}`, '-o', 'json']);
    expect(JSON.parse(status.stdout)).toMatchObject([{ status: 'unknown', latitude: null, speed: null }]);
    expect(status.stderr).toContain(warning);
    expect((await shell(['today', '--filter', `name=${first?.name}`, '-o', 'json'])).stderr).toContain(warning);
    const latest = rowsWith('getLatestSnapshots', (rows) => rows.map((row) => ({ ...row, timestamp: inTenYears })));
    const snapshots = ['snapshots', 'latest', first?.name ?? '', '--fields', 'gps.speed', '-o', 'tsv'];
    expect((await shellOf('demo', altered(mock, latest))(snapshots)).stderr).toContain(warning);
  });

  test.each([
    [['near', '58.38,26.72'], 'locationTimestamp, timestamp'],
    [['status'], 'timestamp'],
    [['list'], 'lastData.timestamp'],
  ])('vehicles %j --fields seen names the field of the column', async (words, fields) => {
    const { code, stderr } = await fleet(['vehicles', ...words, '--fields', 'seen']);
    expect(code).toBe(2);
    expect(stderr).toContain('"seen" is a column of the table, not a field');
    expect(stderr).toContain(`: ${fields}. `);
  });

  test('is one request', async () => {
    mock.clearRequests();
    await near('Depot Madrid');
    const sentOperations = mock.requests.filter(({ path }) => path === '/graphql').map(({ operations }) => operations);
    expect(sentOperations).toEqual([['getVehicles', 'getGeofences']]);
  });

  test.each([
    [['126.72,58.38'], 'a latitude is from -90 to 90', 'The latitude comes first: 58.38,126.72'],
    [['58.38,226.72'], 'a longitude is from -180 to 180', 'such as 58.34,26.73'],
    [[' '], 'The place is empty', 'name of a geofence'],
    [['Depot Tartu', '--radius', '5miles'], 'is invalid', '200m, 1.5km or 3mi'],
  ])('%j is refused before anything is sent', async (words, said, hint) => {
    mock.clearRequests();
    const { code, stderr } = await fleet(['vehicles', 'near', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr).toContain(hint);
    expect(mock.requests).toEqual([]);
  });

  test('says when latitude and longitude are the wrong way round', async () => {
    const words = ['vehicles', 'near', '26.72,58.38', '--radius', '20km'];
    const { code, stderr } = await fleet(words, { terminal: 80 });
    expect(code).toBe(0);
    expect(stderr).toContain('No vehicle is within 20.0 km of 26.72,58.38.');
    expect(stderr).toMatch(/There are \d around 58\.38,26\.72: the latitude comes first\./);
  });
});

describe('vehicles near --at', () => {
  const at = '2026-03-02T06:00Z';

  test('prints them as a table and in a pipe', () =>
    expectGolden('vehicles-near.at', [
      'vehicles',
      'near',
      'Depot Vilnius',
      '--radius',
      '900km',
      '--at',
      'today 06:00',
    ]));

  test('places a vehicle at its last position before that time', async () => {
    const all = ['snapshots', 'list', '--from', '2026-03-02T05:00Z', '--to', at, '-o', 'json'];
    const { stdout } = await fleet([...all, '--fields', 'vehicleId,timestamp,gps,locationTimestamp']);
    const last = new Map<string, readonly [latitude: number, longitude: number]>();
    for (const { vehicleId, gps } of JSON.parse(stdout)) {
      if (gps?.state === true) last.set(vehicleId, [gps.latitude, gps.longitude]);
    }
    const words = ['vehicles', 'near', '58.38,26.72', '--at', at, '-o', 'json'];
    const rows: readonly (Row & { id: string; latitude: number; longitude: number; ageSeconds: number })[] = JSON.parse(
      (await fleet(words)).stdout,
    );
    const young = rows.filter(({ id }) => last.has(id));
    expect(young.length).toBeGreaterThan(7);
    for (const { id, latitude, longitude, ageSeconds } of young) {
      const [north = 0, east = 0] = last.get(id) ?? [];
      // A parked vehicle keeps its position, although its receiver drifts.
      expect(latitude, id).toBeCloseTo(north, 3);
      expect(longitude, id).toBeCloseTo(east, 3);
      expect(ageSeconds).toBeGreaterThanOrEqual(0);
      expect(ageSeconds).toBeLessThan(5_400);
    }
    // By the status at that time.
    expect(rows).toEqual(inOrder(rows));
  });

  test('takes few requests, and fewer for vehicles that have sent nothing since', async () => {
    const operations = async (time: string) => {
      mock.clearRequests();
      expect((await fleet(['vehicles', 'near', 'Depot Madrid', '--at', time])).code).toBe(0);
      return mock.requests.filter(({ path }) => path === '/graphql').map(({ operations }) => operations.join());
    };
    const sentOperations = await operations('yesterday 09:00');
    expect(sentOperations[0]).toBe('getVehicles,getGeofences');
    expect(sentOperations.slice(1).every((names) => names === 'getSnapshots')).toBe(true);
    expect(sentOperations.length).toBeLessThanOrEqual(5);
  });

  test('shows the age of a position, and names the vehicles without a known position', async () => {
    const hour = 3_600_000;
    const world = service({ vehicles: 3 });
    const [van, truck, other] = JSON.parse(
      (await shellOf('demo', world.fetch)(['vehicles', 'list', '-o', 'json'])).stdout,
    );
    const row = (hoursBefore: number, state = true) => ({
      at: clock.now() - hoursBefore * hour,
      gps: { state, latitude: 58.38, longitude: 26.72, speed: 0 },
      ignition: false,
    });
    // Five hours before the requested time; nine days before it; only without a fix.
    world.telemetry.script(van.id, [row(30), row(1)]);
    world.telemetry.script(truck.id, [row(241), row(2)]);
    world.telemetry.script(other.id, [row(26, false)]);
    const words = ['vehicles', 'near', '58.38,26.72', '--radius', '1km', '--at', '-25h'];
    const outcome = await shellOf('demo', world.fetch)([...words, '-o', 'json']);
    expect(JSON.parse(outcome.stdout)).toMatchObject([
      { name: van.name, distanceM: 0, status: 'stale', ageSeconds: 5 * 3_600 },
    ]);
    expect(outcome).toMatchObject({
      code: 0,
      stderr: `warning: The position at that time is unknown for ${truck.name}, ${other.name}: none in the 7 days before.\n`,
    });
    const table = await shellOf('demo', world.fetch)(words, { terminal: 160 });
    expect(table.stdout).toMatch(/ 5h /);
    expect(table.stderr).toContain('These are the positions at 2026-03-01 08:30Z.');
  });

  test('reports that no vehicle was there', async () => {
    const { code, stderr } = await fleet(['vehicles', 'near', '10,10', '--radius', '1km', '--at', at], {
      terminal: 80,
    });
    expect(code).toBe(0);
    expect(stderr).toContain('No vehicle was within 1.0 km of 10,10 at 2026-03-02 06:00Z.');
  });

  test('reports a vehicle that fails, and prints the others', async () => {
    const broken: Fetch = (url, init) =>
      String(init.body).includes('getSnapshots')
        ? Promise.resolve(Response.json({ errors: [{ message: 'No such archive' }], data: null }))
        : mock.fetch(url, init);
    const outcome = await shellOf('demo', broken)(['vehicles', 'near', 'Depot Madrid', '--at', at, '-o', 'json']);
    expect(outcome.code).toBe(6);
    expect(outcome.stderr).toContain('No such archive');
  });

  test.each([
    ['yesterday', 'is a period, not a point in time', '--at "yesterday 09:00"'],
    ['last week', 'is a period, not a point in time', '--at "yesterday 09:00"'],
    ['noonish', 'is not a time', 'Write it'],
  ])('%j is refused before anything is sent', async (time, said, hint) => {
    mock.clearRequests();
    const { code, stderr } = await fleet(['vehicles', 'near', 'Depot Madrid', '--at', time]);
    expect([code, mock.requests]).toEqual([2, []]);
    expect(stderr).toContain(said);
    expect(stderr).toContain(hint);
  });

  test('a time in the future is refused', async () => {
    const { code, stderr } = await fleet(['vehicles', 'near', 'Depot Madrid', '--at', 'tomorrow 09:00']);
    expect(code).toBe(2);
    expect(stderr).toContain('--at 2026-03-03 09:00Z is in the future: it is 2026-03-02 09:30Z.');
    expect(stderr).toContain('leave out --at for now');
  });
});

describe('the place of a vehicle', () => {
  const operationsOf = async (words: readonly string[], place: Place = {}) => {
    mock.clearRequests();
    const { code, stdout } = await fleet(['vehicles', ...words], place);
    expect(code).toBe(0);
    const sentOperations = mock.requests
      .filter(({ path }) => path === '/graphql')
      .map(({ operations }) => [...operations].sort());
    return { asked: sentOperations, stdout };
  };
  const terminal = { terminal: 200, env: { NO_COLOR: '1' } };

  test.each([
    [['list'], [['getGeofences', 'getVehicles']]],
    [['list', '--label', 'Leased'], [['getGeofences', 'getLabels', 'getVehicles']]],
    [['get', 'Van 01', 'Van 02'], [['getGeofences', 'getVehicles']]],
    [
      // The day of the vehicle needs the last request.
      ['get', 'Van 01'],
      [['getGeofences', 'getPeople', 'getVehicles'], ['getVehicleById'], ['getSnapshots']],
    ],
    [['near', '58.38,26.72'], [['getGeofences', 'getVehicles']]],
    [['near', 'Depot Tartu'], [['getGeofences', 'getVehicles']]],
  ])('vehicles %j shows it without a request more', async (words, expected) => {
    const { asked: sentOperations, stdout } = await operationsOf(words, terminal);
    expect(sentOperations).toEqual(expected);
    expect(stdout).toMatch(/in Depot|km (N|NE|E|SE|S|SW|W|NW) of /);
  });

  test.each([
    [['list'], {}],
    [['list', '-o', 'json'], {}],
    [['list', '--fields', 'name,lastData.gps'], terminal],
    [['get', 'Van 01', 'Van 02', '-o', 'csv'], {}],
    [['get', 'Van 01', '--fields', 'name'], terminal],
    [['near', '58.38,26.72', '-o', 'csv'], {}],
  ])('vehicles %j reads no geofences', async (words, place) => {
    const { asked: sentOperations } = await operationsOf(words, place);
    expect(sentOperations.flat()).not.toContain('getGeofences');
  });

  test('is a field to show, to filter and to sort by', async () => {
    const { stdout } = await operationsOf(['status', '-o', 'json']);
    const status: { name: string; place: string | null; nearestPlace: string; nearestPlaceDistanceM: number }[] =
      JSON.parse(stdout);
    const expected = status.map(({ name, place, nearestPlaceDistanceM }) => ({ name, place, nearestPlaceDistanceM }));
    const fields = ['--fields', 'name,place,nearestPlaceDistanceM'];
    const lines = (await operationsOf(['list', ...fields, '-o', 'ndjson'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
    expect(JSON.parse((await operationsOf(['get', 'Van 01', ...fields, '-o', 'json'])).stdout)).toEqual(
      expected.find(({ name }) => name === 'Van 01'),
    );
    const names = async (...words: string[]) =>
      JSON.parse((await operationsOf(['list', ...words, '-o', 'json'])).stdout)
        .map(({ name }: { name: string }) => name)
        .sort();
    const near = status.filter(({ nearestPlaceDistanceM: metres }) => metres !== null && metres < 5_000);
    expect(near.length).toBeGreaterThan(0);
    expect(await names('--filter', 'nearestPlaceDistanceM<5000', '--sort', 'nearestPlaceDistanceM')).toEqual(
      near.map(({ name }) => name).sort(),
    );
    // A vehicle next to a place has not visited it.
    const nearby = near.find(({ place }) => place === null);
    expect(nearby).toBeDefined();
    const inside = status.filter(({ place }) => place === nearby?.nearestPlace);
    expect(await names('--filter', `place=${nearby?.nearestPlace}`)).toEqual(inside.map(({ name }) => name).sort());
    for (const { place, nearestPlace, nearestPlaceDistanceM } of status) {
      expect(place).toBe(nearestPlaceDistanceM === 0 ? nearestPlace : null);
    }
  });
});

test('a service that refuses several queries in one document gives the same table, and no warning', async () => {
  const words = ['vehicles', 'list'];
  const place = { terminal: 200, env: { NO_COLOR: '1' } };
  const refusing: Fetch = (url, init) =>
    String(init.body ?? '').includes('q1: ')
      ? Promise.resolve(Response.json({ errors: [{ message: 'One query at a time' }] }, { status: 400 }))
      : mock.fetch(url, init);
  const outcome = await shellOf('demo', refusing)(words, place);
  expect(outcome).toEqual(await fleet(words, place));
  expect((await shellOf('demo', refusing)([...words, '--verbose'], place)).stderr).toContain(
    'the service refuses several queries in one document',
  );
});

describe('without geofences', () => {
  test.each([
    [['vehicles', 'status']],
    [['vehicles', 'list']],
    [['vehicles', 'get', 'Van 01']],
    [['vehicles', 'near', '58.38,26.72']],
    [['snapshots', 'latest']],
    [['snapshots', 'list', 'Van 01', '--from', '-1h']],
    [['trips', 'list', 'Truck 01', '--from', '-2h']],
    [['trips', 'list', 'Truck 01', 'Van 01', '--from', '-2h']],
  ])('%j shows coordinates and warns once', async (words) => {
    mock.faults.add({ kind: 'graphqlError', operation: 'getGeofences', message: 'Geofences are closed today' });
    const { code, stdout, stderr } = await fleet(words, { terminal: 200, env: { NO_COLOR: '1' } });
    mock.faults.clear();
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d\d\.\d{5}, -?\d+\.\d{5}/);
    expect(stdout).not.toMatch(/PLACE| of Depot/);
    expect(stderr.match(/Geofences could not be read/g)).toHaveLength(1);
    expect(stderr).toContain('Geofences are closed today');
  });
});
