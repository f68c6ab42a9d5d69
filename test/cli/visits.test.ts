// `fleet geofences visits`: which vehicles were in a geofence, and when, by their positions.
import { describe, expect, onTestFinished, test } from 'vitest';
import { altered, rowsWith } from '../../packages/sync/test/altered.js';
import { FleetClient } from '../../src/client.js';
import type { MockService } from '../../src/mock/service.js';
import { expectGolden } from './golden.js';
import { baseUrl, clock, moment, type Place, service, shellOf } from './harness.js';

/** Returns a time on the day of the tests, in UTC. */
const time = (text: string) => Date.parse(`2026-03-02T${text}:00Z`);
const iso = (text: string) => new Date(time(text)).toISOString();

interface Row {
  readonly geofence: string;
  readonly vehicle: string;
  readonly driver: string;
  readonly enteredAt: string | null;
  readonly leftAt: string | null;
  readonly dwellSeconds: number;
  readonly lastSeenAt: string;
  readonly geofenceId: string;
  readonly vehicleId: string;
}

const yardId = 'aaaaaaaa-0000-4000-8000-000000000001';
/** About 570 m by 560 m; a degree of longitude is 57 km there. */
const ring = [
  [24, 59],
  [24.01, 59],
  [24.01, 59.005],
  [24, 59.005],
  [24, 59],
];
const yard = {
  id: yardId,
  name: 'Yard',
  isDeleted: false,
  geojson: { type: 'Polygon', coordinates: [ring] },
};
const inside = { latitude: 59.002, longitude: 24.005 };
/** 17 m outside: within the error of a receiver. */
const justOutside = { latitude: 59.002, longitude: 24.0103 };
const outside = { latitude: 59.002, longitude: 24.02 };

/** Returns a fleet with one geofence, and a vehicle that sends these positions. */
async function world(
  rows: readonly (readonly [at: string, place: typeof inside, isOn?: boolean])[],
  drivers: ReadonlyMap<string, string> = new Map(),
) {
  const mock = service({ vehicles: 1 });
  const { stdout } = await shellOf('demo', mock.fetch)(['vehicles', 'list', '-o', 'json']);
  const [vehicle] = JSON.parse(stdout);
  mock.telemetry.script(
    vehicle.id,
    rows.map(([at, place, ignition = true]) => ({
      at: time(at),
      gps: { state: true, ...place, speed: ignition ? 20 : 0 },
      ignition,
    })),
  );
  mock.clearRequests();
  const fetch = altered(mock, (name, value) => {
    if (name === 'getGeofences') return [yard];
    if (name !== 'getSnapshots' || !Array.isArray(value)) return value;
    return value.map((row) => ({ ...row, driver: { driverId: drivers.get(row.timestamp) ?? null } }));
  });
  return { mock, fleet: shellOf('demo', fetch) };
}

const period = ['--from', iso('06:00'), '--to', iso('09:00')];

async function visitsOf(
  { fleet }: Awaited<ReturnType<typeof world>>,
  words: readonly string[] = period,
): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await fleet(['geofences', 'visits', 'Yard', ...words, '-o', 'json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe('a stay', () => {
  test('is one row, from the first position inside to the first outside, however the receiver wanders', async () => {
    const rows = await visitsOf(
      await world([
        ['05:50', outside],
        ['07:00', outside],
        ['07:10', inside],
        ['07:20', justOutside],
        ['07:30', inside],
        ['07:40', justOutside],
        ['08:00', outside],
        ['08:30', outside],
      ]),
    );
    expect(rows).toMatchObject([
      {
        geofence: 'Yard',
        geofenceId: yardId,
        enteredAt: iso('07:10'),
        leftAt: iso('08:00'),
        dwellSeconds: 50 * 60,
        lastSeenAt: iso('07:40'),
      },
    ]);
  });

  test('a jump of the receiver is not a visit', async () => {
    const far = { latitude: 12, longitude: 100 };
    const rows = await visitsOf(
      await world([
        ['05:50', outside],
        ['07:10', inside],
        ['07:20', far],
        ['07:30', inside],
        ['08:00', outside],
      ]),
    );
    expect(rows.map(({ enteredAt, leftAt }) => [enteredAt, leftAt])).toEqual([[iso('07:10'), iso('08:00')]]);
  });

  test('two of them are two rows', async () => {
    const rows = await visitsOf(
      await world([
        ['05:50', outside],
        ['06:10', inside],
        ['06:20', outside],
        ['07:10', inside],
        ['07:25', outside],
      ]),
    );
    expect(rows.map(({ dwellSeconds }) => dwellSeconds)).toEqual([600, 900]);
  });

  test('that goes beyond the period is open at its edges, and counts what lies inside', async () => {
    const stay = await world([
      ['05:00', outside],
      ['05:50', inside],
      ['06:40', inside],
      ['07:00', outside],
      ['08:50', inside],
      ['09:10', inside],
    ]);
    expect(await visitsOf(stay)).toMatchObject([
      { enteredAt: null, leftAt: iso('07:00'), dwellSeconds: 3_600, lastSeenAt: iso('06:40') },
      { enteredAt: iso('08:50'), leftAt: null, dwellSeconds: 600, lastSeenAt: iso('08:50') },
    ]);
  });

  test('of a vehicle that is parked and sends nothing in the period is known from before', async () => {
    const parked = await world([['01:00', inside, false]]);
    expect(await visitsOf(parked)).toMatchObject([
      { enteredAt: null, leftAt: null, dwellSeconds: 3 * 3_600, lastSeenAt: iso('01:00') },
    ]);
    // Its newest snapshot is enough.
    expect(parked.mock.requests.flatMap(({ operations }) => operations)).not.toContain('getSnapshots');
    const later = await world([
      ['01:00', inside, false],
      ['09:20', outside],
    ]);
    expect(await visitsOf(later)).toMatchObject([{ enteredAt: null, leftAt: null }]);
  });

  test('that continues is counted until now, not until the end of today', async () => {
    const rows = await visitsOf(
      await world([
        ['08:00', outside],
        ['09:20', inside],
      ]),
      ['--on', 'today'],
    );
    expect(rows).toMatchObject([{ enteredAt: iso('09:20'), leftAt: null, dwellSeconds: 600 }]);
    expect(moment).toBe(time('09:30'));
  });

  test('has the driver who came with the vehicle, and the drivers identified during it', async () => {
    const [anna, karl, liis] = ['anna', 'karl', 'liis'];
    const drivers = new Map([
      [iso('06:10'), liis],
      [iso('06:50'), anna],
      [iso('07:20'), karl],
      [iso('08:10'), liis],
    ]);
    const of = await world(
      [
        ['06:10', outside],
        ['06:30', outside, false],
        ['06:50', outside],
        ['07:10', inside],
        ['07:15', inside, false],
        ['07:20', inside],
        ['08:00', outside],
        ['08:10', outside],
      ],
      drivers,
    );
    expect((await visitsOf(of)).map(({ driver }) => driver)).toEqual(['anna, karl']);
    // No driver has been identified since the engine was started.
    drivers.delete(iso('06:50'));
    expect((await visitsOf(of)).map(({ driver }) => driver)).toEqual(['karl']);
  });
});

const mock = service({ vehicles: 6 });
/** Four hours are enough for most tests. */
const hours = ['--from', '2026-03-02T02:00Z', '--to', '2026-03-02T06:00Z'];
const fleet = (words: readonly string[], place: Place = {}, of: MockService = mock) =>
  shellOf('demo', of.fetch)(['geofences', 'visits', ...words], place);
const demo = async (...words: readonly string[]): Promise<readonly Row[]> => {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

let visits: readonly Row[] | undefined;
const ofHours = async () => {
  visits ??= await demo(...hours);
  return visits;
};

describe('of a fleet', () => {
  test('prints them as a table and in a pipe', () =>
    expectGolden('geofences-visits', ['geofences', 'visits', 'Depot Vilnius', ...hours]));

  test('of all geofences, and a period that includes now', () =>
    expectGolden('geofences-visits.all', ['geofences', 'visits', '--from', '-2h', '--limit', '8']));

  test('of a geofence that is not there', () =>
    expectGolden('geofences-visits.unknown', ['geofences', 'visits', 'Depot Tatru', '--on', 'yesterday'], { code: 5 }));

  test('reports that no vehicle was there', async () => {
    const words = ['Depot Madrid', '--vehicle', 'Van 01', '--from', '2026-03-02T04:00Z', '--to', '2026-03-02T06:00Z'];
    const { code, stderr } = await fleet(words, { terminal: 100 });
    expect(code).toBe(0);
    expect(stderr).toContain('No vehicle was in Depot Madrid between 2026-03-02 04:00Z and 2026-03-02 06:00Z.');
  });

  test('match the trips, at the same times', async () => {
    const client = new FleetClient({
      baseUrl,
      credentials: { username: 'demo', password: 'demo' },
      fetch: mock.fetch,
      clock,
    });
    onTestFinished(() => client.close());
    const geofences = await client.getGeofences();
    const vehicles = await client.getVehicles();
    const [from, to] = [new Date('2026-03-02T05:00:00Z'), new Date('2026-03-02T09:30:00Z')];
    const ofTrips = { enteredAt: new Set<string>(), leftAt: new Set<string>() };
    for await (const trip of client.streamTrips(
      { vehicleIds: vehicles.map(({ id }) => id ?? ''), from, to },
      { withDetails: true, geofences: geofences.map(({ id, geojson }) => ({ id: id ?? '', geojson })), clip: true },
    )) {
      for (const { geofenceId, enteredAt, leftAt } of trip.details.visits) {
        if (enteredAt !== null) ofTrips.enteredAt.add(`${trip.vehicleId} ${geofenceId} ${enteredAt}`);
        if (leftAt !== null) ofTrips.leftAt.add(`${trip.vehicleId} ${geofenceId} ${leftAt}`);
      }
    }
    const rows = await demo('--from', '2026-03-02T05:00Z');
    for (const name of ['enteredAt', 'leftAt'] as const) {
      const own = rows.flatMap((row) =>
        row[name] === null ? [] : [`${row.vehicleId} ${row.geofenceId} ${row[name]}`],
      );
      expect(own.length).toBeGreaterThan(3);
      expect(own.sort()).toEqual([...ofTrips[name]].sort());
    }
  });

  test('two halves of a period add up to it', async () => {
    const all = await ofHours();
    const halves = [
      ...(await demo('--from', '2026-03-02T02:00Z', '--to', '2026-03-02T04:00Z')),
      ...(await demo('--from', '2026-03-02T04:00Z', '--to', '2026-03-02T06:00Z')),
    ];
    const sums = (rows: readonly Row[]) => {
      const all = new Map<string, number>();
      for (const { geofenceId, vehicleId, dwellSeconds } of rows) {
        const key = `${geofenceId} ${vehicleId}`;
        all.set(key, (all.get(key) ?? 0) + dwellSeconds);
      }
      return all;
    };
    const [whole, parts] = [sums(all), sums(halves)];
    expect(whole.size).toBeGreaterThan(3);
    expect([...parts.keys()].sort()).toEqual([...whole.keys()].sort());
    // Each row is rounded to the second.
    for (const [key, seconds] of whole) expect(Math.abs(seconds - (parts.get(key) ?? 0)), key).toBeLessThanOrEqual(3);
  });

  test.each([
    [['--vehicle', 'Van 01', '--vehicle', 'Truck 01'], /^(Van|Truck) 01$/],
    [['--vehicle-filter', 'name=Van*'], /^Van/],
    [['--label', 'Leased'], /^Truck 02$/],
    [['--group', 'Long haul'], /^Truck/],
  ])('%j chooses among the vehicles', async (flags, names) => {
    const all = await ofHours();
    const chosen = await demo(...hours, ...flags);
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.length).toBeLessThan(all.length);
    for (const { vehicle } of chosen) expect(vehicle).toMatch(names);
    expect(chosen).toEqual(all.filter(({ vehicleId }) => chosen.some((row) => row.vehicleId === vehicleId)));
  });

  test('takes few requests', async () => {
    mock.clearRequests();
    await demo('Depot Vilnius', ...hours);
    const sentOperations = mock.requests.filter(({ path }) => path === '/graphql').map(({ operations }) => operations);
    expect(sentOperations[0]).toEqual(['getVehicles', 'getGeofences', 'getPeople']);
    expect(sentOperations.length).toBeLessThanOrEqual(10);
  });

  test('reads no people when no driver is requested', async () => {
    mock.clearRequests();
    await demo('Depot Vilnius', '--from', '-1h', '--fields', 'vehicle,enteredAt');
    expect(mock.requests.flatMap(({ operations }) => operations)).not.toContain('getPeople');
  });

  test('warns of vehicles without a known position', async () => {
    const { code, stderr } = await fleet(['--from', '-1h', '-o', 'csv']);
    expect(code).toBe(0);
    expect(stderr).toBe('warning: Visits are unknown for Car 01: no position in the period or the 7 days before.\n');
  });

  test('reports a vehicle that fails, prints none of its visits, and prints the others', async () => {
    const [van] = JSON.parse(
      (await shellOf('demo', mock.fetch)(['vehicles', 'list', '--filter', 'name=Van 01', '-o', 'json'])).stdout,
    );
    const broken = shellOf('demo', async (url, init) =>
      String(init.body).includes(van.id) && String(init.body).includes('getSnapshots')
        ? Response.json({ errors: [{ message: 'No such archive' }], data: null })
        : mock.fetch(url, init),
    );
    const { code, stdout, stderr } = await broken(['geofences', 'visits', ...hours, '-o', 'json']);
    expect(code).toBe(6);
    expect(stderr).toContain('Van 01: No such archive');
    const rows: readonly Row[] = JSON.parse(stdout);
    expect(rows).toEqual((await ofHours()).filter(({ vehicle }) => vehicle !== 'Van 01'));
  });

  test('unreadable positions are an error, not an empty list', async () => {
    const strange = altered(mock, (name, value) =>
      name === 'getSnapshots' && Array.isArray(value)
        ? value.map((row) => ({ ...row, gps: { ...row.gps, latitude: '58°N', longitude: '26°E' } }))
        : value,
    );
    const { code, stdout, stderr } = await shellOf('demo', strange)(['geofences', 'visits', ...hours]);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toMatch(/^error: Cannot read /);
  });

  test('a geofence without an area is refused by name, and left out of all', async () => {
    const point = { id: yardId, name: 'Pin', isDeleted: false, geojson: { type: 'Point', coordinates: [24, 59] } };
    const shell = shellOf(
      'demo',
      altered(
        mock,
        rowsWith('getGeofences', (rows) => [...rows, point]),
      ),
    );
    const named = await shell(['geofences', 'visits', 'Pin', '--on', 'yesterday']);
    expect([named.code, named.stdout]).toEqual([6, '']);
    expect(named.stderr).toContain('The geofence "Pin" has no area that a vehicle can be in.');
    const { stdout } = await shell(['geofences', 'visits', ...hours, '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual(await ofHours());
  });

  test.each([
    [['Depot Vilnius'], '--on or --from is missing'],
    [['--vehicle', 'Van 01', '--group', 'Long haul', '--on', 'yesterday'], 'Give either vehicles, or --group'],
    [['--on', 'yesterday', '--fields', 'dwell'], '"dwell"'],
    [['--from', '-1h', '--filter', 'vehicl=x'], '"vehicl"'],
    [['--from', '+1h'], 'in the future'],
  ])('%j is refused before anything is sent', async (words, said) => {
    mock.clearRequests();
    const { code, stderr } = await fleet(words);
    expect([code, mock.requests]).toEqual([2, []]);
    expect(stderr).toContain(said);
  });

  test('a part of a name that several have leads to a filter that works', async () => {
    const { code, stderr } = await fleet(['Depot', '--from', '-1h']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('add --filter "geofence=Depot*"');
    const { stdout } = await fleet([
      '--from',
      '-1h',
      '--filter',
      'geofence=Depot*',
      '-o',
      'json',
      '--fields',
      'geofence',
    ]);
    const found: readonly { readonly geofence: string }[] = JSON.parse(stdout);
    expect(found.length).toBeGreaterThan(0);
    for (const { geofence } of found) expect(geofence).toMatch(/^Depot/);
  });

  test('a period that has not begun is refused', async () => {
    const { code, stderr } = await fleet(['--from', '+1h', '--to', '+2h']);
    expect(code).toBe(2);
    expect(stderr).toContain('The period has not begun yet: it begins');
  });
});
