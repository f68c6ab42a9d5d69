// The exact output of `fleet vehicles`: on a terminal, in a pipe, and for programs.
import stringWidth from 'string-width';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { held, untilHeld } from '../held.js';
import { fixedService, rows } from './fixed-rows.js';
import { type Outcome, type Place, service, shellOf } from './harness.js';

const golden = (name: string) => `golden/${name}.txt`;
const esc = '\u001b';

/** Runs a command with the vehicles of fixed-rows.ts. */
async function fixed(words: readonly string[], place: Place = {}): Promise<Outcome> {
  return shellOf('demo', fixedService())(words, place);
}

/** Returns a service where one vehicle has this name. */
async function withName(name: string) {
  const fleet = shellOf('demo', service({ vehicles: 1 }).fetch);
  const { stdout } = await fleet(['vehicles', 'list', '-o', 'json']);
  const [{ id }] = JSON.parse(stdout);
  const rename =
    'mutation ($id: UUID!, $in: VehicleInput!) { updateVehicle(vehicleId: $id, vehicleInput: $in) { id } }';
  const renamed = await fleet(['api', rename, '-v', `id=${id}`, '-v', `in=${JSON.stringify({ name })}`]);
  expect(renamed.code).toBe(0);
  return fleet;
}

describe('vehicles list', () => {
  test.each([80, 160])('on a terminal of %i columns', async (columns) => {
    const { code, stdout, stderr } = await fixed(['vehicles', 'list'], { terminal: columns, env: { NO_COLOR: '1' } });
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(golden(`vehicles-list.terminal-${columns}`));
    await expect(stderr).toMatchFileSnapshot(golden(`vehicles-list.terminal-${columns}.stderr`));
    for (const line of stdout.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('shows ids with --wide, never shortened, however narrow the terminal', async () => {
    const narrow = await fixed(['vehicles', 'list'], { terminal: 20, env: { NO_COLOR: '1' } });
    expect(narrow.stdout).not.toContain('ID');
    const { stdout, stderr } = await fixed(['vehicles', 'list', '--wide'], { terminal: 20, env: { NO_COLOR: '1' } });
    const [, ...rows] = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toMatch(/ [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?: |$)/);
    expect(stderr).toBe('');
  });

  test.each(['tsv', 'csv', 'json', 'ndjson', 'table'])('in a pipe as %s', async (format) => {
    const { code, stdout, stderr } = await fixed(['vehicles', 'list', '-o', format]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    await expect(stdout).toMatchFileSnapshot(golden(`vehicles-list.${format}`));
  });

  test('is tsv in a pipe, unless FLEET_OUTPUT or a flag sets another format', async () => {
    const tsv = await fixed(['vehicles', 'list', '-o', 'tsv']);
    const csv = await fixed(['vehicles', 'list', '-o', 'csv']);
    expect((await fixed(['vehicles', 'list'])).stdout).toBe(tsv.stdout);
    expect((await fixed(['vehicles', 'list'], { env: { FLEET_OUTPUT: 'csv' } })).stdout).toBe(csv.stdout);
    const both = await fixed(['-o', 'tsv', 'vehicles', 'list'], { env: { FLEET_OUTPUT: 'csv' } });
    expect(both.stdout).toBe(tsv.stdout);
  });

  test('has every default field with json', async () => {
    expect(JSON.parse((await fixed(['vehicles', 'list', '-o', 'json'])).stdout)).toEqual(rows);
    const lines = (await fixed(['vehicles', 'list', '-o', 'ndjson'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    const [first] = JSON.parse((await shellOf('demo', service().fetch)(['vehicles', 'list', '-o', 'json'])).stdout);
    expect(Object.keys(first).sort()).toEqual(Object.keys(rows[0] ?? {}).sort());
  });

  test('--active leaves out deactivated vehicles', async () => {
    const fleet = shellOf('demo', service({ vehicles: 25 }).fetch);
    const all: { id: string; deactivated: boolean }[] = JSON.parse(
      (await fleet(['vehicles', 'list', '-o', 'json'])).stdout,
    );
    const active = JSON.parse((await fleet(['vehicles', 'list', '--active', '-o', 'json'])).stdout);
    expect(active).toEqual(all.filter((vehicle) => !vehicle.deactivated));
    expect(active.length).toBeLessThan(all.length);
  });

  test('says when there are none, and prints a header or an empty array for programs', async () => {
    const fleet = shellOf('demo', service({ vehicles: 0 }).fetch);
    const people = await fleet(['vehicles', 'list'], { terminal: 80 });
    expect(people).toMatchObject({ code: 0, stdout: '', stderr: 'No vehicle is visible to this user.\n' });
    expect((await fleet(['vehicles', 'list'])).stdout).toMatch(/^id\tname\t.*\n$/);
    expect((await fleet(['vehicles', 'list', '-o', 'json'])).stdout).toBe('[]\n');
    expect((await fleet(['vehicles', 'list', '-o', 'ndjson'])).stdout).toBe('');
  });

  test('uses color only on a terminal, and follows NO_COLOR and FORCE_COLOR', async () => {
    const list = ['vehicles', 'list', '-o', 'table'];
    expect((await fixed(list, { terminal: 80 })).stdout).toContain(esc);
    expect((await fixed(list, { terminal: 80, env: { NO_COLOR: '1' } })).stdout).not.toContain(esc);
    expect((await fixed(list, { terminal: 80, env: { TERM: 'dumb' } })).stdout).not.toContain(esc);
    expect((await fixed(list)).stdout).not.toContain(esc);
    expect((await fixed(list, { env: { FORCE_COLOR: '1' } })).stdout).toContain(esc);
    expect((await fixed(list, { terminal: 80, env: { FORCE_COLOR: '0' } })).stdout).not.toContain(esc);
  });
});

describe('a name with control characters', () => {
  const name = `${esc}[31mred\tand\nblue\\ \u202e\u009b2J`;

  test('cannot move the cursor or break the table', async () => {
    const fleet = await withName(name);
    for (const words of [['list'], ['get', 'red']]) {
      const { stdout } = await fleet(['vehicles', ...words], { terminal: 200, env: { NO_COLOR: '1' } });
      expect(stdout).toContain('\\u001b[31mred and blue\\ \\u202e\\u009b2J');
      for (const control of [esc, '\u009b', '\u202e', '\t']) expect(stdout).not.toContain(control);
    }
  });

  test('stays one cell of tsv', async () => {
    const { stdout } = await (await withName(name))(['vehicles', 'list']);
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]?.split('\t')).toHaveLength(lines[0]?.split('\t').length ?? 0);
    expect(lines[1]?.split('\t')[1]).toBe('\\u001b[31mred\\tand\\nblue\\\\ \\u202e\\u009b2J');
  });

  test('is exact after parsing json', async () => {
    const { stdout } = await (await withName(name))(['vehicles', 'list', '-o', 'json']);
    expect(JSON.parse(stdout)[0].name).toBe(name);
    for (const control of [esc, '\u009b']) expect(stdout).not.toContain(control);
  });

  test('is exact in csv and json in a pipe', async () => {
    const fleet = await withName(name);
    expect((await fleet(['vehicles', 'list', '-o', 'csv'])).stdout).toContain(`"${name}"`);
    expect((await fleet(['vehicles', 'list', '-o', 'json'])).stdout).toContain('\u202e');
    const document = '{ getVehicles { name } }';
    expect((await fleet(['api', document])).stdout).toContain('\u202e');
  });

  test.each([
    ['vehicles', 'list', '-o', 'csv'],
    ['vehicles', 'get', 'red', '-o', 'csv'],
    ['vehicles', 'list', '-o', 'json'],
    ['vehicles', 'get', 'red', '-o', 'json'],
    ['vehicles', 'list', '-o', 'ndjson'],
    ['api', '{ getVehicles { name } }'],
    ['api', '{ getVehicles { name } }', '-o', 'ndjson'],
  ])('cannot control a terminal: %s %s %s %s', async (...words) => {
    const { code, stdout } = await (await withName(name))(words.filter(Boolean), { terminal: 200 });
    expect(code).toBe(0);
    expect(stdout).toContain('\\u202e');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/);
    if (words.includes('json') || words[0] === 'api') expect(stdout).toContain(JSON.stringify(name).slice(1, 12));
  });

  test('is printed without them in an error', async () => {
    const { stderr } = await fixed(['vehicles', 'get', `${esc}[31mx`], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(stderr).not.toContain(esc);
  });
});

describe('vehicles get', () => {
  test.each(['terminal-80', 'tsv', 'json'])('as %s', async (format) => {
    const place =
      format === 'terminal-80' ? { terminal: 80, env: { NO_COLOR: '1' } } : { env: { FLEET_OUTPUT: format } };
    const { code, stdout, stderr } = await fixed(['vehicles', 'get', 'truck 7'], place);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(golden(`vehicles-get.${format}`));
  });

  test('finds a vehicle by id, name, plate and VIN, ignoring case and gaps, and by a part on a terminal', async () => {
    const fleet = shellOf('demo', service().fetch);
    const rows = JSON.parse((await fleet(['vehicles', 'list', '-o', 'json'])).stdout);
    const { id, name, licensePlate, vin } = rows[1];
    const identifiers = [
      id,
      name,
      name.toUpperCase(),
      licensePlate,
      licensePlate.replace(/[ -]/g, ''),
      vin,
      vin.toLowerCase(),
    ];
    for (const said of [...identifiers, vin.slice(4)]) {
      const { code, stdout } = await fleet(['vehicles', 'get', said, '-o', 'json'], { terminal: 80 });
      expect({ said, code }).toEqual({ said, code: 0 });
      expect(JSON.parse(stdout)).toEqual(rows[1]);
    }
    const { stdout } = await fleet(['vehicles', 'get', '--vin', vin, '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual([rows[1]]);
  });

  test('lists the candidates when several match', async () => {
    const { code, stdout, stderr } = await fixed(['vehicles', 'get', 'c']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    await expect(stderr).toMatchFileSnapshot(golden('vehicles-get.ambiguous'));
  });

  test('suggests a name when none matches', async () => {
    expect(await fixed(['vehicles', 'get', 'trukc 7'])).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error: There is no vehicle "trukc 7".\nhint: Did you mean "Truck 7"?\n',
    });
    expect((await fixed(['vehicles', 'get', '00000000-0000-4000-8000-000000000000'])).code).toBe(5);
    expect((await fixed(['vehicles', 'get', '--vin', 'none'])).code).toBe(5);
  });

  test('takes either vehicles or --vin', async () => {
    expect((await fixed(['vehicles', 'get', 'a', '--vin', 'b'])).code).toBe(2);
  });

  test.each([
    [['vehicles', 'get', '']],
    [['vehicles', 'get', ' ']],
    [['vehicles', 'get', '--vin', '']],
    [['vehicles', 'fields', '']],
    [['devices', 'get', '--serial', '']],
  ])('%j, as with an unset variable, is refused and sends nothing', async (words) => {
    const world = service();
    const { code, stdout, stderr } = await shellOf('demo', world.fetch)(words);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('is empty') });
    expect(world.requests.flatMap(({ operations }) => operations)).toEqual([]);
  });
});

describe('vehicles get on a terminal', () => {
  const place = { terminal: 100, env: { NO_COLOR: '1' } };

  test('shows the day, for one more request', async () => {
    const mock = service();
    const { code, stdout } = await shellOf('demo', mock.fetch)(['vehicles', 'get', 'Truck 01'], place);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Ignition +on$/m);
    expect(stdout).toMatch(/^Driver +\p{Lu}/mu);
    expect(stdout).toMatch(/^Today +\d+\.\d km in \d+ trips$/m);
    // It is 09:30: ten hours have begun.
    expect(stdout).toMatch(/^Trips by hour +0h [·▁▂▃▄▅▆▇█]{10} {14} 24h$/m);
    const sentOperations = mock.requests.filter(({ path }) => path === '/graphql').map(({ operations }) => operations);
    expect(sentOperations.filter((names) => names.includes('getSnapshots'))).toHaveLength(1);
  });

  test('shows the vehicle without its day when that cannot be read', async () => {
    const mock = service();
    mock.faults.add({ kind: 'graphqlError', message: 'no', operation: 'getSnapshots' });
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(['vehicles', 'get', 'Truck 01'], place);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Ignition');
    expect(stdout).not.toContain('Today');
  });

  test('shows the vehicle without its day when that takes more than 5 s', async () => {
    const mock = service();
    mock.faults.add({ ...held, operation: 'getSnapshots' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const shown = shellOf('demo', mock.fetch)(['vehicles', 'get', 'Truck 01'], place);
    await untilHeld(mock);
    await vi.advanceTimersByTimeAsync(5_000);
    const { code, stdout, stderr } = await shown;
    mock.reset();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Ignition');
    expect(stdout).not.toContain('Today');
  });

  test('reads no day for a pipe, for --fields and for several', async () => {
    for (const [words, terminal] of [
      [['Truck 01'], null],
      [['Truck 01', '--fields', 'name'], 100],
      [['Truck 01', 'Van 01'], 100],
    ] as const) {
      const mock = service();
      await shellOf('demo', mock.fetch)(['vehicles', 'get', ...words], { ...place, terminal });
      expect(mock.requests.flatMap(({ operations }) => operations)).not.toContain('getSnapshots');
    }
  });
});
