// --fields, --filter, --sort and --limit, and the messages for mistakes in them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { altered, rowsWith } from '../../packages/sync/test/altered.js';
import { parseFilter } from '../../src/cli/shape/filter.js';
import { parseSort, sorted } from '../../src/cli/shape/list-shape.js';
import { fixedService } from './fixed-rows.js';
import { clock, type Place, service, shellOf } from './harness.js';

/** Lists the vehicles of fixed-rows.ts. */
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
  test('requests only these fields and shows them in this order', async () => {
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

  test('the name of a record stands for its plain fields', async () => {
    const { stdout } = await fixed(['--fields', 'vehicleType,lastData.ignition']);
    expect(stdout.split('\n')[0]).toBe('vehicleType.id\tvehicleType.name\tlastData.ignition.engineStatus');
  });

  test('can name fields that are not in the default selection', async () => {
    const { code, stdout } = await shellOf(
      'demo',
      service().fetch,
    )(['vehicles', 'list', '--fields', 'lastData.canBus.canDistance']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^lastData\.canBus\.canDistance\n/);
  });

  test('of many on a narrow terminal, the last ones are left out first, and a remark names them', async () => {
    const words = ['--fields', 'name,id,licensePlate,lastData.timestamp,lastOdometer'];
    const { stdout, stderr } = await fixed(words, { terminal: 70, env: { NO_COLOR: '1' } });
    expect(stdout.split('\n')[0]).toMatch(/^name +id +licensePlate$/);
    expect(stderr).toContain('Columns left out for lack of space: lastData.timestamp, lastOdometer.');
  });

  test.each([
    [['vehicles', 'list'], 60, 'ODOMETER', ['--sort', '-lastOdometer']],
    [['vehicles', 'list'], 60, 'MAKE AND MODEL', ['--filter', 'year>2000']],
    [['vehicles', 'list'], 60, 'GROUPS', ['--filter', 'assignedGroups.name~i']],
    [['trips', 'list', 'Van 01', '--from', '-1d'], 60, 'TOP', ['--filter', 'topSpeedKmh>0', '--sort', '-topSpeedKmh']],
  ] as const)('%j on %i columns keeps %s only where %j is about it', async (words, terminal, title, flags) => {
    const fleet = shellOf('demo', service().fetch);
    const heading = async (more: readonly string[]) =>
      (await fleet([...words, ...more], { terminal, env: { NO_COLOR: '1' } })).stdout.split('\n')[0];
    expect(await heading([])).not.toContain(title);
    expect(await heading(flags)).toContain(title);
  });

  test('--filter and --sort name the columns that are computed among the fields', async () => {
    const fleet = shellOf('demo', service().fetch);
    for (const flags of [
      ['--filter', 'xqzw=1'],
      ['--sort', 'xqzw'],
    ]) {
      expect((await fleet(['vehicles', 'list', ...flags])).stderr).toMatch(
        /The fields are id, .*, status, seen, place, /,
      );
    }
    expect((await fleet(['vehicles', 'list', '--sort', 'statsu'])).stderr).toContain('Did you mean status?');
    expect((await fleet(['vehicles', 'list', '--fields', 'xqzw'])).stderr).not.toContain('status');
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
  ])('%s is refused before anything is sent', async (fields, hint) => {
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
    ['deactivated=yes', [foreign]],
    ['deactivated=no', [truck, van, car]],
    ['assignedGroups=', [foreign, car]],
    ['assignedGroups!=', [truck, van]],
    ['make=Ford|Volvo', [truck, van]],
    ['vehicleType.name!=Van|Truck', [foreign, car]],
    ['name~truck|"new', [truck, car]],
    ['name=*ruck*', [truck]],
    ['make=f*', [van]],
    ['status=moving', [truck]],
    ['status!=moving|unknown', [van, foreign]],
    // A vehicle that never reported counts as seen before any time.
    ['seen<-30m', [van, car]],
    ['seen>30m', [van, car]],
    ['seen>=30m', [van, car]],
    ['seen<30m', [truck, foreign]],
    ['seen>-30m', [truck, foreign]],
    ['seen=', [car]],
    ['name=*r*k*', [truck]],
    ['name=T*T', []],
  ])('%s', async (filter, expected) => {
    // A numeric timestamp is compared with a time as text, too.
    const found = filter.startsWith('lastData.timestamp') ? [van] : expected;
    expect(await names('--filter', filter)).toEqual(found);
  });

  test.each([
    ['lastData.timestamp>2026-03-01', 6],
    ['lastData.timestamp<2026-03-01', 0],
    ['lastData.timestamp=2026-03-02', 0],
    ['seen<1h', 6],
  ])('%s reads times as services write them, with a space or without a colon', async (filter, count) => {
    for (const form of ['space', 'offset'] as const) {
      const fleet = shellOf(
        'demo',
        altered(
          service(),
          rowsWith('getVehicles', (rows) =>
            rows.map((row) => {
              const lastData = Object(row.lastData);
              const time = new Date(clock.now()).toISOString();
              const timestamp = form === 'space' ? time.replace('T', ' ') : time.replace('Z', '+0000');
              return { ...row, lastData: { ...lastData, timestamp } };
            }),
          ),
        ),
      );
      const { stdout } = await fleet(['vehicles', 'list', '--filter', filter, '-o', 'json']);
      expect(JSON.parse(stdout)).toHaveLength(count);
    }
  });

  test('names are compared as everywhere: any case, Unicode form and white space, numbers by value', () => {
    const passes = (filter: string, row: unknown) => parseFilter(filter).passes(row);
    expect(passes('name=jürgen  MÜLLER', { name: 'Jürgen Müller'.normalize('NFD') })).toBe(true);
    expect(passes('name=van 1', { name: 'Van 01' })).toBe(true);
    expect(passes('name=van 1', { name: 'Van 10' })).toBe(false);
    expect(passes('driver!=OLGA METS', { driver: 'Olga Mets' })).toBe(false);
    expect(passes('lastName~MÜL'.normalize('NFD'), { lastName: 'Müller' })).toBe(true);
    expect(passes('phone=012', { phone: '12' })).toBe(false);
  });

  test('rows must match all of several filters', async () => {
    expect(await names('--filter', 'year>2000', '--filter', 'make!=Ford')).toEqual([truck, car]);
  });

  test('requests the fields it reads, and does not show them', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { stdout } = await fleet(['vehicles', 'list', '--filter', 'year>0', '--fields', 'name', '-o', 'json']);
    const rows = JSON.parse(stdout);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(row)).toEqual(['name']);
  });

  test.each([
    ['assignedGroups=Winter roster', '--filter "assignedGroups.name=Winter roster"'],
    ['assignedGroups~winter', '--filter "assignedGroups.name~winter"'],
    ['vehicleType!=Van', '--filter "vehicleType.name!=Van"'],
    ['lastData<-30m', '--filter "lastData.'],
  ])('%s is refused before anything is sent, because a record is never that', async (filter, hint) => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(['vehicles', 'list', '--filter', filter]);
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('holds records, which have no value of their own.');
    expect(stderr).toContain(hint);
  });

  test.each(['make', '=Ford', 'nmae=x', 'name.x=1'])('%s is refused', async (filter) => {
    expect((await fixed(['--filter', filter])).code).toBe(2);
  });

  test.each([
    ['year<abc', 'compares a number with "abc"'],
    ['year>=', 'compares a number with ""'],
    ['lastData.gps.speed>9O', 'compares a number with "9O"'],
    ['createdAt>-2x', 'compares a time with "-2x"'],
    ['status=driving', 'status is never "driving"'],
    ['status=silent', 'Write --filter "status=stale|offline|unknown". Its values are moving,'],
    ['status=moving,idling', 'Write --filter "status=moving|idling".'],
    ['status=moving|driving', 'status is never "driving"'],
    ['deactivated=maybe', 'deactivated is never "maybe"'],
    ['seen<soon', 'compares a time with "soon"'],
    ['seen>30', 'compares a time with "30"'],
    ['seen=1d', 'compares a time with "1d"'],
  ])('%s compares values without an order', async (filter, expected) => {
    const { code, stdout, stderr } = await shellOf('demo', service().fetch)(['vehicles', 'list', '--filter', filter]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(expected);
  });

  test('tells people when no row matches', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stderr } = await fleet(['vehicles', 'list', '--filter', 'make=none', '-o', 'table']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'No row matches the filter.\n' });
  });

  test('is only for lists', async () => {
    const { code, stderr } = await shellOf('demo', fixedService())(['vehicles', 'get', truck, '--filter', 'a=b']);
    expect(code).toBe(2);
    expect(stderr).toContain('--filter is only for lists');
  });

  test('accepts any value: only the first operator counts', () => {
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

  test('a value with stars matches as a regular expression would, and in a moment', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom('a', 'B', '.'), maxLength: 12 }), (pattern, name) => {
        fc.pre(pattern.includes('*'));
        const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/\*+/g, '.*')}$`, 'is');
        expect(parseFilter(`name=${pattern}`).passes({ name })).toBe(name !== '' && expression.test(name));
      }),
    );
    const stars = parseFilter(`name=${'*a'.repeat(40)}x`);
    expect(stars.passes({ name: 'a'.repeat(40_000) })).toBe(false);
  });

  test('orders all numbers, and matches no missing value', () => {
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

  test('throws only usage errors', () => {
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

  test('reads the times of rows as the SDK does: text, milliseconds, seconds, and numbers as text', () => {
    const moment = Date.parse('2026-03-02T08:30:00Z');
    const field = {
      kind: 'time',
      values: null,
      readValue: (row: unknown) => Object(row).at,
      momentOf: () => moment,
    } as const;
    const texts = ['2026-03-02T08:30:00Z', '2026-03-02T10:30+02:00', '2026-03-02 08:30:00', `${moment}`];
    for (const at of [...texts, `${moment / 1000}`, moment, moment / 1000]) {
      expect([at, parseFilter('at=monday', () => field).passes({ at })]).toEqual([at, true]);
      expect([at, parseFilter('at<monday', () => field).passes({ at })]).toEqual([at, false]);
    }
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
    // In the order of the map: moving vehicles first.
    ['status,name', [truck, foreign, van, car]],
    ['-seen', [foreign, truck, van, car]],
  ])('%s, missing values last', async (sort, expected) => {
    expect(await names(`--sort=${sort}`)).toEqual(expected);
  });

  test.each(['nmae', 'name,', '-', 'assignedGroups.nme'])('%s is refused', async (sort) => {
    expect((await fixed([`--sort=${sort}`])).code).toBe(2);
  });

  const rowsOf = fc.array(fc.record({ n: fc.option(fc.oneof(fc.integer(), fc.string())), at: fc.nat() }));

  test('keeps every row, and the order of equal ones', () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const done = sorted(rows, parseSort('n'));
        expect(new Set(done)).toEqual(new Set(rows));
        expect(done).toHaveLength(rows.length);
        expect(sorted(done, parseSort('n'))).toEqual(done);
      }),
    );
  });

  test('reverses numbers in descending order, with missing values still last', () => {
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

  test('reads a key per comma', () => {
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
  test('says when rows are left out, and how many there are where all of them have been read', async () => {
    const { code, stdout, stderr } = await fixed(['--limit', '2', '--fields', 'name']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `name\n${truck}\n${van}\n` });
    expect(stderr).toBe('Only the first 2 rows are shown; there are more.\n');
    const table = await fixed(['--limit', '2', '--fields', 'name', '-o', 'table']);
    expect(table.stderr).toBe('Only the first 2 of 4 rows are shown.\n');
  });

  test('counts filtered rows, and limits sorted rows', async () => {
    const words = ['--filter', 'year>0', '--sort', '-year', '--limit', '1', '--fields', 'name'];
    const { stdout, stderr } = await fixed(words);
    expect(stdout).toBe(`name\n${truck}\n`);
    expect(stderr).toBe('Only the first row of 3 is shown.\n');
  });

  test('says nothing when all rows are shown', async () => {
    expect((await fixed(['--limit', '4'])).stderr).toBe('');
  });

  test.each(['0', '-1', '1.5', 'many'])('%s is refused', async (limit) => {
    expect((await fixed([`--limit=${limit}`])).code).toBe(2);
  });
});
