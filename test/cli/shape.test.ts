// What --fields, --filter, --sort and --limit make of a list, and what their slips are answered with.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFilter } from '../../src/cli/shape/filter.js';
import { parseSort, sorted } from '../../src/cli/shape/sort.js';
import { fixedService } from './fixed-rows.js';
import { type Place, service, shellOf } from './harness.js';

/** In front of the vehicles of fixed-rows.ts. */
const fixed = (words: readonly string[], place: Place = {}) =>
  shellOf('demo', fixedService())(['vehicles', 'list', ...words], place);

async function names(...words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await fixed([...words, '-o', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).map(({ name }: { name: string }) => name);
}

const truck = 'Truck 7';
const van = 'The long van that nobody ever calls by its whole name';
const foreign = '日本語トラック';
const car = 'Car, "new"';

describe('--fields', () => {
  test('asks the service for these alone and shows them in this order', async () => {
    const world = service();
    const { stdout } = await shellOf(
      'demo',
      world.fetch,
    )(['vehicles', 'list', '--fields', 'name, lastData.gps.speed,id']);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toBe('name\tlastData.gps.speed\tid');
    expect(lines).toHaveLength(6);
    const json = await shellOf('demo', world.fetch)(['vehicles', 'list', '--fields', 'name,year', '-o', 'json']);
    for (const row of JSON.parse(json.stdout)) expect(Object.keys(row)).toEqual(['name', 'year']);
  });

  test('a record stands for its plain values', async () => {
    const { stdout } = await fixed(['--fields', 'vehicleType,lastData.ignition']);
    expect(stdout.split('\n')[0]).toBe('vehicleType.id\tvehicleType.name\tlastData.ignition.engineStatus');
  });

  test('reaches what is not selected by default', async () => {
    const { code, stdout } = await shellOf(
      'demo',
      service().fetch,
    )(['vehicles', 'list', '--fields', 'lastData.canBus.canDistance']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^lastData\.canBus\.canDistance\n/);
  });

  test('of many on a narrow terminal, those named last are left out first and called by their names', async () => {
    const words = ['--fields', 'name,id,licensePlate,lastData.timestamp,lastOdometer'];
    const { stdout, stderr } = await fixed(words, { terminal: 70, env: { NO_COLOR: '1' } });
    expect(stdout.split('\n')[0]).toMatch(/^name +id +licensePlate$/);
    expect(stderr).toContain('Columns left out for lack of space: lastData.timestamp, lastOdometer.');
  });

  test.each([
    ['nmae', 'Did you mean name?'],
    ['lastdata.gps.speed', 'Did you mean lastData.gps.speed?'],
    ['lastData.gsp.speed', 'Did you mean lastData.gps.speed?'],
    ['speed', 'Did you mean lastData.gps.speed'],
    ['name.first', 'It has no fields: leave out ".first".'],
    ['id,,name', 'Write for example --fields id,name.'],
    ['xqzw', 'The fields are id, version,'],
    ['constructor', 'The fields are id, version,'],
  ])('%s is a slip, told before anything is sent', async (fields, hint) => {
    const world = service();
    const { code, stdout, stderr } = await shellOf('demo', world.fetch)(['vehicles', 'list', '--fields', fields]);
    expect({ code, stdout, sent: world.requests }).toEqual({ code: 2, stdout: '', sent: [] });
    expect(stderr).toContain(hint);
  });
});

describe('--filter', () => {
  test.each([
    ['make=Ford', [van]],
    ['make!=Ford', [truck, foreign, car]],
    ['make=', [foreign]],
    ['make=null', [foreign]],
    ['deactivated=true', [foreign]],
    ['name~TRUCK', [truck]],
    ['name=Car, "new"', [car]],
    ['year>=2021', [truck, car]],
    ['year<2021', [van]],
    ['year=2023.0', [truck]],
    ['lastData.gps.speed>50', [truck]],
    ['lastData.timestamp<2026-03-02T00:00:00Z', []],
    ['assignedGroups.name=Winter roster', [truck]],
    ['assignedGroups.name!=Winter roster', [van, foreign, car]],
    ['vehicleType.name = Van', [van]],
  ])('%s', async (filter, expected) => {
    // A timestamp that is a number is compared with a time as text, too.
    const found = filter.startsWith('lastData.timestamp') ? [van] : expected;
    expect(await names('--filter', filter)).toEqual(found);
  });

  test('of several all have to fit', async () => {
    expect(await names('--filter', 'year>2000', '--filter', 'make!=Ford')).toEqual([truck, car]);
  });

  test('asks for what it looks at, and does not show it', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { stdout } = await fleet(['vehicles', 'list', '--filter', 'year>0', '--fields', 'name', '-o', 'json']);
    const rows = JSON.parse(stdout);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(row)).toEqual(['name']);
  });

  test.each(['make', '=Ford', 'nmae=x', 'name.x=1'])('%s is a slip', async (filter) => {
    expect((await fixed(['--filter', filter])).code).toBe(2);
  });

  test.each([
    ['year<abc', 'compares a number with "abc"'],
    ['year>=', 'compares a number with ""'],
    ['lastData.gps.speed>9O', 'compares a number with "9O"'],
    ['createdAt>-2h', 'compares a time with "-2h"'],
  ])('%s compares what has no order', async (filter, expected) => {
    const { code, stdout, stderr } = await shellOf('demo', service().fetch)(['vehicles', 'list', '--filter', filter]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(expected);
  });

  test('says so to people when nothing fits', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stderr } = await fleet(['vehicles', 'list', '--filter', 'make=none', '-o', 'table']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'No row matches the filter.\n' });
  });

  test('is for lists', async () => {
    const { code, stderr } = await shellOf('demo', fixedService())(['vehicles', 'get', truck, '--filter', 'a=b']);
    expect(code).toBe(2);
    expect(stderr).toContain('--filter is for lists');
  });

  test('takes any value: only the first operator counts', () => {
    const value = fc.string().filter((text) => text.trim() === text && text !== '' && text !== 'null');
    fc.assert(
      fc.property(value, (text) => {
        expect(parseFilter(`name=${text}`).passes({ name: text })).toBe(true);
        expect(parseFilter(`name!=${text}`).passes({ name: text })).toBe(false);
        expect(parseFilter(`name~${text}`).passes({ name: `<${text.toUpperCase().toLowerCase()}>` })).toBe(
          `<${text.toUpperCase().toLowerCase()}>`.toLowerCase().includes(text.toLowerCase()),
        );
      }),
    );
  });

  test('every number is below, equal to or above every other one, and nothing is none of these', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const passes = (operator: string) => parseFilter(`n${operator}${b}`).passes({ n: a });
        expect(passes('<')).toBe(a < b);
        expect(passes('<=')).toBe(a <= b);
        expect(passes('>')).toBe(a > b);
        expect(passes('>=')).toBe(a >= b);
        for (const operator of ['<', '<=', '>', '>=']) {
          expect(parseFilter(`n${operator}${b}`).passes({ n: null })).toBe(false);
        }
      }),
    );
  });

  test('never throws anything but a usage error', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, row) => {
        try {
          expect(typeof parseFilter(text).passes(row)).toBe('boolean');
        } catch (error) {
          expect(error).toMatchObject({ code: 'USAGE' });
        }
      }),
    );
  });
});

describe('--sort', () => {
  test.each([
    ['name', [car, van, truck, foreign]],
    ['-name', [foreign, truck, van, car]],
    ['name:desc', [foreign, truck, van, car]],
    ['year', [van, car, truck, foreign]],
    ['-year', [truck, car, van, foreign]],
    ['lastOdometer', [car, van, truck, foreign]],
    ['lastData.timestamp', [van, truck, foreign, car]],
    ['deactivated,-year', [truck, car, van, foreign]],
  ])('%s, what is not set last', async (sort, expected) => {
    expect(await names(`--sort=${sort}`)).toEqual(expected);
  });

  test.each(['nmae', 'name,', '-', 'assignedGroups.nme'])('%s is a slip', async (sort) => {
    expect((await fixed([`--sort=${sort}`])).code).toBe(2);
  });

  const rowsOf = fc.array(fc.record({ n: fc.option(fc.oneof(fc.integer(), fc.string())), at: fc.nat() }));

  test('keeps every row, and those that are equal in their order', () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const done = sorted(rows, parseSort('n'));
        expect(new Set(done)).toEqual(new Set(rows));
        expect(done).toHaveLength(rows.length);
        expect(sorted(done, parseSort('n'))).toEqual(done);
      }),
    );
  });

  test('turned round, numbers stand the other way and what is not set still last', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer())), (values) => {
        const order = (sort: string) =>
          sorted(
            values.map((n) => ({ n })),
            parseSort(sort),
          ).map(({ n }) => n);
        const set = values.filter((n) => n !== null);
        const unset = values.filter((n) => n === null);
        expect(order('n')).toEqual([...set.sort((a, b) => a - b), ...unset]);
        expect(order('-n')).toEqual([...set.reverse(), ...unset]);
      }),
    );
  });

  test('reads as many keys as there are commas', () => {
    const key = fc.tuple(fc.constantFrom('', '-', '+'), fc.stringMatching(/^[a-z]\w{0,5}$/));
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), (keys) => {
        expect(parseSort(keys.map(([sign, path]) => `${sign}${path}`).join(', '))).toEqual(
          keys.map(([sign, path]) => ({ path, descending: sign === '-' })),
        );
      }),
    );
  });
});

describe('--limit', () => {
  test('says when it cut something, and how much there was', async () => {
    const { code, stdout, stderr } = await fixed(['--limit', '2', '--fields', 'name']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `name\n${truck}\n${van}\n` });
    expect(stderr).toBe('Only the first 2 of 4 rows are shown.\n');
  });

  test('counts what the filter leaves, and cuts what the sort has ordered', async () => {
    const words = ['--filter', 'year>0', '--sort', '-year', '--limit', '1', '--fields', 'name'];
    const { stdout, stderr } = await fixed(words);
    expect(stdout).toBe(`name\n${truck}\n`);
    expect(stderr).toBe('Only the first 1 of 3 rows are shown.\n');
  });

  test('says nothing when it cut nothing', async () => {
    expect((await fixed(['--limit', '4'])).stderr).toBe('');
  });

  test.each(['0', '-1', '1.5', 'many'])('%s is a slip', async (limit) => {
    expect((await fixed([`--limit=${limit}`])).code).toBe(2);
  });
});
