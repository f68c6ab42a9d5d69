// The addresses of last positions: an assumed structure, which a service may refuse.
import { describe, expect, test } from 'vitest';
import { altered, rowsWith } from '../../packages/sync/test/altered.js';
import type { Fetch } from '../../src/core/ports.js';
import { type Outcome, type Place, service, shellOf } from './harness.js';
import { handClock, watching } from './watching.js';

const mock = service({ vehicles: 4 });
const wide: Place = { terminal: 300, env: { NO_COLOR: '1' } };

/** Returns a fetch that records the documents of the requests. */
function recorded(fetch: Fetch = mock.fetch) {
  const documents: string[] = [];
  const recording: Fetch = (url, init) => {
    const body = String(init.body ?? '');
    if (body.includes('"query"')) documents.push(body);
    return fetch(url, init);
  };
  return { fetch: recording, documents, asking: () => documents.filter((body) => body.includes('latestData')) };
}

/** A service with another structure of addresses: it refuses each document that selects them. */
const refusing: Fetch = (url, init) => {
  if (!String(init.body ?? '').includes('latestData')) return mock.fetch(url, init);
  const message = 'Cannot query field "city" on type "Address".';
  const errors = [{ message, extensions: { classification: 'ValidationError' } }];
  return Promise.resolve(Response.json({ errors }, { status: 400 }));
};

/** A service whose resolver fails for each vehicle. */
const failing: Fetch = async (url, init) => {
  const response = await mock.fetch(url, init);
  const body = String(init.body ?? '');
  if (!body.includes('latestData')) return response;
  const { data } = Object(await response.json());
  const alias = Object.keys(data).find((name) => JSON.stringify(data[name]).includes('latestData')) ?? '';
  const rows: object[] = [data[alias]].flat();
  const errors = rows.map((_, index) => ({ message: 'No latest data', path: [alias, index, 'latestData'] }));
  const withoutData = rows.map((row) => ({ ...row, latestData: null }));
  data[alias] = Array.isArray(data[alias]) ? withoutData : withoutData[0];
  return Response.json({ data, errors });
};

/** Each command, and the requests of its table before the one for snapshots. */
const commands = [
  [['vehicles', 'status'], 2],
  [['vehicles', 'near', 'Depot Tartu'], 1],
  [['vehicles', 'get', 'Van 01', 'Van 02'], 1],
  [['vehicles', 'get', 'Van 01'], 2],
  [['vehicles', 'get', '5ef2b502-231f-52e8-9390-665aa48b0bdb'], 1],
  [['vehicles', 'get', '--vin', 'WF0XXXTT4KN000000'], 1],
  [['today'], 1],
] as const;

const run = (fetch: Fetch, words: readonly string[], place: Place = {}): Promise<Outcome> =>
  shellOf('demo', fetch)(words, place);

describe.each(commands)('%j', (words, requests) => {
  test('shows the address in a table, in as many requests as without it', async () => {
    const { fetch, documents, asking } = recorded();
    const table = await run(fetch, words, wide);
    expect({ code: table.code, warnings: table.stderr.includes('warning') }).toEqual({ code: 0, warnings: false });
    expect(table.stdout).toMatch(/ADDRESS|^Address /m);
    expect(table.stdout).toContain('Street 1401, Tartu');
    expect(asking()).toHaveLength(1);
    expect(documents.filter((body) => !body.includes('getSnapshots'))).toHaveLength(requests);
  });

  test('selects it for programs only when it is named', async () => {
    const { fetch, asking } = recorded();
    const { code, stdout } = await run(fetch, [...words, '-o', 'json']);
    expect({ code, asking: asking().length, hasAddress: stdout.includes('"address"') }).toEqual({
      code: 0,
      asking: 0,
      hasAddress: false,
    });
    const named = await run(fetch, [...words, '-o', 'json', '--fields', 'name,address']);
    expect(asking()).toHaveLength(1);
    expect([JSON.parse(named.stdout)].flat()).toContainEqual({ name: 'Van 01', address: 'Street 1401, Tartu' });
  });

  test('works with a service that refuses it or cannot resolve it', async () => {
    const stdout = (await run(mock.fetch, [...words, '-o', 'json'])).stdout;
    for (const fetch of [refusing, failing]) {
      const reason = fetch === refusing ? 'Cannot query field "city"' : 'No latest data';
      const table = await run(fetch, words, wide);
      expect({ code: table.code, warnings: table.stderr.includes('warning') }).toEqual({ code: 0, warnings: false });
      expect(table.stdout).not.toMatch(/address/i);
      expect(table.stdout).toContain('Van 01');
      expect((await run(fetch, [...words, '--verbose'], wide)).stderr).toContain(
        '! the service refuses addresses, so they are left out: ',
      );
      expect((await run(fetch, [...words, '-o', 'json'])).stdout).toBe(stdout);
      const named = await run(fetch, [...words, '-o', 'json', '--fields', 'name,address']);
      expect(named.code).toBe(0);
      expect([JSON.parse(named.stdout)].flat()).toContainEqual({ name: 'Van 01', address: null });
      expect(named.stderr).toContain('warning: Addresses could not be read, so they are empty: ');
      expect(named.stderr).toContain(reason);
    }
  });
});

test('another failure than a refusal fails the command', async () => {
  const broken: Fetch = (url, init) =>
    String(init.body ?? '').includes('latestData')
      ? Promise.resolve(new Response('', { status: 500 }))
      : mock.fetch(url, init);
  expect((await run(broken, ['vehicles', 'status', '--fields', 'address'])).code).toBe(6);
});

test('an unknown vehicle is not found, whichever of the two calls fails first', async () => {
  const id = '0a2e62a9-bfd3-5ed7-96fd-d8baa1317d83';
  const notFound: Fetch = (url, init) => {
    if (!String(init.body ?? '').includes('getVehicleById')) return mock.fetch(url, init);
    const errors = [{ message: 'No such vehicle', extensions: { classification: 'NOT_FOUND' } }];
    return Promise.resolve(Response.json({ data: null, errors }));
  };
  for (const fetch of [notFound, mock.fetch]) {
    const { code, stderr } = await run(fetch, ['vehicles', 'get', id], wide);
    expect({ code, stderr }).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('There is no vehicle with the id'),
    });
  }
});

test('filters and sorts by the address', async () => {
  const words = ['vehicles', 'status', '-o', 'tsv', '--fields', 'name'];
  const filtered = await run(mock.fetch, [...words, '--filter', 'address~Tartu']);
  expect(filtered.stdout).toBe('name\nVan 01\n');
  const sorted = await run(mock.fetch, ['vehicles', 'near', '58.38,26.72', '--sort', 'address', '--limit', '1']);
  expect(sorted.stdout).toContain('Truck 01');
});

test('completes the street by the city, if the service sends both apart', async () => {
  const address = { address: 'Riia 12', city: 'Tartu' };
  const apart = rowsWith('getVehicles', (rows) => rows.map((row) => ({ ...row, latestData: { address } })));
  const { stdout } = await run(altered(mock, apart), ['vehicles', 'status', '--fields', 'address', '--limit', '1']);
  expect(stdout).toBe('address\nRiia 12, Tartu\n');
});

test('a position from the future has no address', async () => {
  const inTenYears = rowsWith('getVehicles', (rows) =>
    rows.map((row) =>
      'lastData' in row ? { ...row, lastData: { ...Object(row.lastData), timestamp: '2036-03-02T09:30:00Z' } } : row,
    ),
  );
  const words = ['vehicles', 'status', '--fields', 'name,address', '--limit', '1'];
  expect((await run(altered(mock, inTenYears), words)).stdout).toBe('name\taddress\nVan 01\t\n');
});

test.each([
  [['vehicles', 'status', '--at', 'yesterday 09:00'], wide],
  [['vehicles', 'near', 'Depot Tartu', '--at', 'yesterday 09:00'], wide],
  [['today', '--on', 'yesterday'], wide],
  [['vehicles', 'list'], wide],
  [['snapshots', 'latest'], wide],
] as const)('%j selects no address', async (words, place) => {
  const { fetch, asking } = recorded();
  const { code, stdout } = await run(fetch, words, place);
  expect({ code, asking: asking() }).toEqual({ code: 0, asking: [] });
  expect(stdout).not.toMatch(/address/i);
});

test.each(['status', 'near 58.38,26.72'])('%s --at has no field address', async (verb) => {
  const words = ['vehicles', ...verb.split(' '), '--at', 'yesterday 09:00', '--fields', 'address'];
  expect(await run(mock.fetch, words)).toMatchObject({ code: 2, stdout: '' });
});

describe('with --watch', () => {
  const nothing = () => undefined;
  const window = () => ({ columns: 200, rows: 30 });

  test.each([[['vehicles', 'status', '--watch']], [['today', '--watch']]])(
    '%j asks a service that refuses addresses once',
    async (words) => {
      const { fetch, asking, documents } = recorded(refusing);
      const { code, stdout } = await watching(words, fetch, handClock(), {
        window: window(),
        steps: [nothing, nothing, nothing],
      });
      expect(code).toBe(130);
      expect(stdout).toContain('Van 01');
      const afterRefusal = documents.slice(documents.lastIndexOf(asking().at(-1) ?? '') + 1);
      expect(afterRefusal.filter((body) => body.includes('getVehicles')).length).toBeGreaterThanOrEqual(3);
    },
  );

  test('shows the address of each answer, and prints a change of a named one', async () => {
    const streets = ['Street 1', 'Street 1', 'Street 2'];
    const moving = rowsWith('getVehicles', (rows) => {
      const isAsked = rows.some((row) => 'latestData' in row);
      const address = { address: isAsked ? streets.shift() : null };
      return rows.map((row) => ({ ...row, latestData: { address } }));
    });
    const words = ['vehicles', 'status', 'Van 01', '--watch', '--fields', 'name,address'];
    const { stdout } = await watching(words, altered(mock, moving), handClock(), { steps: [nothing, nothing] });
    expect(stdout).toBe('{"name":"Van 01","address":"Street 1"}\n{"name":"Van 01","address":"Street 2"}\n');
  });
});

test('an address shortens no other column of a table', async () => {
  const shown: boolean[] = [];
  for (const terminal of [80, 100, 110, 120, 130, 140, 160]) {
    const { stdout } = await run(mock.fetch, ['vehicles', 'near', 'Depot Tartu'], { ...wide, terminal });
    const [, , withoutAddress] = stdout.split('\n').map((line) => line.replace(/ {2}Street .*/, ''));
    shown.push(stdout.includes('ADDRESS'));
    if (stdout.includes('ADDRESS'))
      expect([terminal, withoutAddress]).toEqual([terminal, expect.not.stringContaining('…')]);
    if (stdout.includes('ADDRESS'))
      expect([terminal, withoutAddress]).toEqual([terminal, expect.stringMatching(/ km \w+ of | in /)]);
  }
  expect(shown).toEqual([...shown].sort());
  expect(new Set(shown).size).toBe(2);
});
