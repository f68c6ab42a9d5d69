// The output of `fleet snapshots`: the latest of each vehicle, and all of a period as they arrive.
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { createMockService } from '../../src/mock/service.js';
import { clock, moment, type Outcome, type Place, service, shellOf } from './harness.js';

const golden = (name: string) => `golden/${name}.txt`;
const plain = { NO_COLOR: '1' };
const truck = '1f310201-8359-5c89-b760-241792efee6e';

function fleet(words: readonly string[], place: Place = {}): Promise<Outcome> {
  return shellOf('demo', service().fetch)(['snapshots', ...words], place);
}

/** Returns the operations of each request of a command, without the login. */
async function sentOperations(words: readonly string[], place: Place = {}): Promise<readonly (readonly string[])[]> {
  const mock = service();
  await shellOf('demo', mock.fetch)(['snapshots', ...words], place);
  return mock.requests.filter(({ path }) => path === '/graphql').map(({ operations }) => operations);
}

interface Row {
  readonly vehicleId: string;
  readonly timestamp: string;
}

function ndjson({ stdout }: Outcome): readonly Row[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('snapshots latest', () => {
  test.each([80, 160])('on a terminal of %i columns', async (columns) => {
    const { code, stdout, stderr } = await fleet(['latest'], { terminal: columns, env: plain });
    expect(code).toBe(0);
    await expect(`${stdout}--\n${stderr}`).toMatchFileSnapshot(golden(`snapshots-latest.terminal-${columns}`));
    for (const line of stdout.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test.each(['tsv'])('in a pipe as %s', async (format) => {
    const { code, stdout, stderr } = await fleet(['latest', 'Truck 01', 'Van 02', '-o', format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(golden(`snapshots-latest.${format}`));
  });

  test('is in the order of the named vehicles, each once', async () => {
    const rows = ndjson(await fleet(['latest', 'Van 02', truck, 'truck 01', 'Van 01', '-o', 'ndjson']));
    const ids = rows.map(({ vehicleId }) => vehicleId);
    expect(ids).toHaveLength(3);
    expect(ids[1]).toBe(truck);
    const all = ndjson(await fleet(['latest', '-o', 'ndjson'])).map(({ vehicleId }) => vehicleId);
    expect(all.filter((id) => ids.includes(id))).toEqual([ids[2], ids[1], ids[0]]);
  });

  test('requests the list of vehicles at most once, for names or for all', async () => {
    expect(await sentOperations(['latest', truck])).toEqual([['getLatestSnapshots']]);
    const twice = [['getVehicles'], ['getLatestSnapshots']];
    expect(await sentOperations(['latest', 'Truck 01', 'Van 01', truck])).toEqual(twice);
    expect(await sentOperations(['latest'])).toEqual(twice);
    // People see names and places.
    expect(await sentOperations(['latest', truck], { terminal: 80 })).toEqual([
      ['getVehicles', 'getGeofences'],
      ['getLatestSnapshots'],
    ]);
  });

  test('requests only the printed fields, and all fields for json', async () => {
    const bodies: string[] = [];
    const { fetch } = service();
    const listening: Fetch = (url, init) => {
      if (/getLatestSnapshots/.test(init.body ?? '')) bodies.push(init.body ?? '');
      return fetch(url, init);
    };
    const run = shellOf('demo', listening);
    await run(['snapshots', 'latest', truck]);
    const [row] = JSON.parse((await run(['snapshots', 'latest', truck, '-o', 'json'])).stdout);
    const narrow = await run(['snapshots', 'latest', truck, '--fields', 'gps.speed', '-o', 'json']);
    expect(bodies.map((body) => /tirePressurePlacardFront/.test(body))).toEqual([false, true, false]);
    expect(Object.keys(row)).toEqual(expect.arrayContaining(['vehicleId', 'gps', 'canBus', 'locationTimeZone']));
    expect(JSON.parse(narrow.stdout)).toEqual([{ gps: { speed: row.gps.speed } }]);
  });

  test('names vehicles without data; for the whole fleet only to people', async () => {
    const named = await fleet(['latest', 'Car 01', 'Truck 01']);
    expect(named).toMatchObject({ code: 0, stderr: 'No data from Car 01.\n' });
    expect(named.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect((await fleet(['latest'])).stderr).toBe('');
    const alone = await fleet(['latest', 'Car 01'], { terminal: 80, env: plain });
    expect(alone).toEqual({ code: 0, stdout: '', stderr: 'There is no snapshot to show.\nNo data from Car 01.\n' });
  });

  test('reports unknown and ambiguous names', async () => {
    expect(await fleet(['latest', 'Truck 01', 'Truk 02'])).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error: There is no vehicle "Truk 02".\nhint: Did you mean "Truck 02"?\n',
    });
    const several = await fleet(['latest', 'van']);
    expect(several).toMatchObject({ code: 2, stdout: '' });
    await expect(several.stderr).toMatchFileSnapshot(golden('snapshots-latest.ambiguous'));
  });
});

describe('snapshots list', () => {
  const period = ['--from', '2026-03-02T06:00:00Z', '--to', '2026-03-02T06:10:00Z'];

  test.each([80, 160])('on a terminal of %i columns', async (columns) => {
    const { code, stdout } = await fleet(['list', 'Truck 01', ...period, '--limit', '5'], {
      terminal: columns,
      env: plain,
    });
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(golden(`snapshots-list.terminal-${columns}`));
    for (const line of stdout.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test.each(['tsv', 'ndjson'])('in a pipe as %s', async (format) => {
    const { code, stdout, stderr } = await fleet(['list', 'Truck 01', ...period, '--limit', '3', '-o', format]);
    expect(code).toBe(0);
    await expect(`${stdout}--\n${stderr}`).toMatchFileSnapshot(golden(`snapshots-list.${format}`));
  });

  test('has every row of the period once, up to now without --to', async () => {
    const rows = ndjson(await fleet(['list', 'Truck 01', '--from', '-2h', '-o', 'ndjson']));
    const whole = service();
    const query = `{ getSnapshots(vehicleId: "${truck}", from: "${new Date(moment - 7_200_000).toISOString()}", to: "${new Date(moment).toISOString()}") { timestamp } }`;
    const answer = await shellOf('demo', whole.fetch)(['api', query]);
    const expected: readonly Row[] = JSON.parse(answer.stdout).getSnapshots;
    // The service sends some rows late; the stream sorts them.
    const times = expected.map(({ timestamp }) => String(timestamp)).sort();
    expect(rows.map(({ timestamp }) => timestamp)).toEqual(times);
    expect(rows.length).toBeGreaterThan(1_000);
  });

  test('requests no more rows after --limit', async () => {
    const words = ['list', truck, '--from', '-4h', '-o', 'ndjson'];
    const few = await sentOperations([...words, '--limit', '5']);
    const all = await sentOperations(words);
    // The next window is requested while rows are printed.
    expect(few.length).toBeLessThanOrEqual(2);
    expect(all.length).toBeGreaterThan(few.length);
  });

  test('filters and sorts', async () => {
    const words = ['list', truck, '--from', '-2h', '--fields', 'gps.speed', '-o', 'csv'];
    const speeds = ({ stdout }: Outcome) => stdout.trim().split('\n').slice(1).map(Number);
    const fast = speeds(await fleet([...words, '--filter', 'gps.speed>70', '--sort', '-gps.speed']));
    expect(fast.length).toBeGreaterThan(3);
    expect(fast).toEqual([...fast].sort((a, b) => b - a));
    expect(Math.min(...fast)).toBeGreaterThan(70);
  });

  test.each([
    [[], '--on or --from is missing.'],
    [['--from', 'soon'], '--from "soon" is not a time.'],
    [['--from', '-1h', '--to', '-2h'], 'The period ends before it begins: '],
    [['--from', '+1h'], 'The period ends before it begins: '],
    [['--from', '-1h', '--fields', 'gps.sped'], '--fields: there is no field "gps.sped".'],
  ])('%s is refused before anything is sent', async (words, message) => {
    const mock = service();
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(['snapshots', 'list', 'Truck 01', ...words]);
    expect({ code, stdout, sent: mock.requests.length }).toEqual({ code: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(message);
    expect(stderr).toContain('hint: ');
  });

  test('says when there are no rows', async () => {
    const words = ['list', 'Car 01', '--from', '-1h'];
    const people = await fleet(words, { terminal: 80, env: { ...plain, TERM: 'dumb' } });
    expect(people).toEqual({ code: 0, stdout: '', stderr: 'There is no snapshot in this period.\n' });
    expect((await fleet([...words, '-o', 'json'])).stdout).toBe('[]\n');
  });

  test('prints the rows before a failure, and says how to get the rest', async () => {
    const { fetch } = service();
    let windows = 0;
    const failing: Fetch = (url, init) => {
      if (/getSnapshots/.test(init.body ?? '') && ++windows > 1)
        return Promise.resolve(new Response('', { status: 500 }));
      return fetch(url, init);
    };
    const words = ['snapshots', 'list', truck, '--from', '-4h', '--fields', 'timestamp'];
    const { code, stdout, stderr } = await shellOf('demo', failing)(words);
    expect(code).toBe(6);
    const printed = stdout.trimEnd().split('\n').slice(1);
    expect(printed.length).toBeGreaterThan(0);
    const count = printed.length.toLocaleString('en');
    expect(stderr).toBe(
      `error: The service answered getSnapshots with HTTP 500. ${count} rows had arrived before, the last one from ${printed.at(-1)}.\nhint: Request the rest with --from ${printed.at(-1)}.\n`,
    );
    const nothing: Fetch = (url, init) =>
      /getSnapshots/.test(init.body ?? '') ? Promise.resolve(new Response('', { status: 500 })) : fetch(url, init);
    expect(await shellOf('demo', nothing)(words)).toMatchObject({ code: 6, stdout: '' });
  });

  test('shows the progress when the rows are not on the same terminal', async () => {
    // A van sends few rows at the weekend.
    const words = ['list', 'Van 01', '--from', '-2d', '--fields', 'timestamp'];
    const sorted = await fleet([...words, '--sort', 'timestamp'], { terminal: 80, env: plain });
    expect(sorted.stderr).toContain('1 row, 2026-02-28 (day 1 of 2)');
    expect(sorted.stderr).toContain('rows, 2026-03-02 (day 2 of 2)');
    expect(sorted.stderr.endsWith('\r\u001b[2K')).toBe(true);
    const running = await fleet([...words, '-o', 'ndjson'], { terminal: 80, env: plain });
    expect(running.stderr).not.toContain('day 1 of 2');
    expect((await fleet(words)).stderr).toBe('');
  });
});

test('tables read flags and numbers in the forms of other services', async () => {
  const variants = [undefined, { flags: 'ON/OFF', gpsNumbers: 'text' }] as const;
  const period = ['--from', '2026-03-02T06:00:00Z', '--to', '2026-03-02T06:10:00Z'];
  const shown = variants.map(async (variant) => {
    const world = createMockService({ seed: 1, vehicles: 6, clock, variant });
    const table = async (words: readonly string[]) =>
      (await shellOf('demo', world.fetch)(words, { terminal: 160, env: { NO_COLOR: '1' } })).stdout;
    return [
      await table(['snapshots', 'latest']),
      await table(['snapshots', 'list', 'Truck 01', ...period]),
      await table(['vehicles', 'list']),
    ];
  });
  const [tidy, other] = await Promise.all(shown);
  expect(tidy?.join('')).toMatch(/ on .* km\/h|km\/h .* on /);
  expect(other).toEqual(tidy);
});
