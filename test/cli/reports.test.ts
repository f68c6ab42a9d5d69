// The exact output of `fleet reports`, also for reports of other forms.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { type Shell, service, shellOf } from './harness.js';

const period = '{"period":{"from":"2026-02-26T00:00:00Z","to":"2026-02-28T00:00:00Z"}}';
const run = ['reports', 'run', 'vehicle-distance', '--input', '-'];

describe('prints', () => {
  test('reports list', () => expectGolden('reports-list', ['reports', 'list', '--limit', '4']));
  test('reports run', () => expectShape('reports-run', run, { input: period }));
  // The service's times are in UTC; a table shows them in the zone of the user, to the second.
  test('reports run, with times', () =>
    expectGolden(
      'reports-run.times',
      ['reports', 'run', 'vehicle-stops', '--input', '-', '--limit', '2', '--time-zone', 'Europe/Tallinn'],
      { input: period },
    ));
  test('reports run, without a required input', () =>
    expectGolden('reports-run.nothing', ['reports', 'run', 'vehicle-distance'], { code: 2 }));
  test('reports run, of an unknown report', () =>
    expectGolden('reports-run.unknown', ['reports', 'run', 'vehicle-distnace'], { code: 5 }));
  test('reports inputs', () => expectGolden('reports-inputs', ['reports', 'inputs', 'vehicle-activity']));
  test('reports run, with flags that are wrong', () =>
    expectGolden(
      'reports-run.flags',
      ['reports', 'run', 'vehicle-activity', '--on', 'yesterday', '--timezon', 'UTC', '--working-hours-begin', 'eight'],
      { code: 2 },
    ));
});

/** Returns a service that answers every report with this one. */
function withReport(report: object): Shell {
  const { fetch } = service();
  return shellOf('demo', async (url, init) =>
    /getWrappedReport\b/.test(String(init?.body ?? ''))
      ? Response.json({ data: { getWrappedReport: { reportId: 'vehicle-distance', report } } })
      : fetch(url, init),
  );
}

describe('reports run', () => {
  const twoTables = {
    period: { from: 'x' },
    rows: [{ vehicle: 'Van 01', distance: 3 }],
    stops: [{ place: 'Depot' }],
    total: { distance: 3 },
    notes: [],
  };

  test.each(['csv', 'tsv', 'table'])('says what %s does not print of a report', async (format) => {
    const { code, stdout, stderr } = await withReport(twoTables)([...run, '-o', format], { input: period });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('Depot')]);
    const inTime = format === 'table' ? 'Period: from 2026-02-26 00:00Z to 2026-02-28 00:00Z.\n' : '';
    expect(stderr).toBe(`The report also has stops and total: -o json prints all of it.\n${inTime}`);
  });

  test.each([
    [['--from', '2026-02-26', '--to', '2026-02-28'], 'from Thursday, 2026-02-26 to Friday, 2026-02-27'],
    [['--from', '2026-01', '--to', '2026-02'], 'from Thursday, 2026-01-01 to Saturday, 2026-01-31'],
    [['--on', '2026-02-26'], 'Thursday, 2026-02-26'],
    [
      ['--from', '2026-02-26T06:00Z', '--to', '2026-02-26T07:00Z'],
      'from 2026-02-26 08:00+02:00 to 2026-02-26 09:00+02:00',
    ],
  ])('tells people which period %j was', async (flags, text) => {
    const fleet = shellOf('demo', service().fetch);
    const words = ['reports', 'run', 'vehicle-distance', ...flags, '--time-zone', 'Europe/Tallinn'];
    const { stdout, stderr } = await fleet(words, { terminal: 300 });
    expect(stderr).toContain(`Period: ${text}.\n`);
    expect(stdout).not.toContain('Period');
    const inPipe = await fleet(words);
    expect(inPipe.stdout + inPipe.stderr).not.toContain('Period');
    expect((await fleet([...words, '-o', 'html'])).stdout).toContain(text);
  });

  test('prints the whole report as json, without a remark', async () => {
    const { stdout, stderr } = await withReport(twoTables)([...run, '-o', 'json'], { input: period });
    expect([JSON.parse(stdout).report, stderr]).toEqual([twoTables, '']);
  });

  test('finds a report by id or title, ignoring case', async () => {
    const fleet = shellOf('demo', service().fetch);
    for (const said of ['vehicle-distance', 'Distance by vehicle', 'VEHICLE DISTANCE']) {
      const { code, stdout } = await fleet(['reports', 'run', said, '--input', '-', '-o', 'json'], { input: period });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        reportId: 'vehicle-distance',
        report: { title: 'Distance by vehicle' },
      });
    }
  });

  test('filters and sorts the rows, with json too', async () => {
    const fleet = shellOf('demo', service().fetch);
    const words = [...run, '--sort', '-distance', '--limit', '2', '--fields', 'vehicle,distance', '-o', 'json'];
    const { stdout } = await fleet(words, { input: period });
    const rows: { vehicle: string; distance: number }[] = JSON.parse(stdout);
    expect(rows).toHaveLength(2);
    expect(Object.keys(rows[0] ?? {})).toEqual(['vehicle', 'distance']);
    expect(rows[0]?.distance).toBeGreaterThan(rows[1]?.distance ?? Number.NaN);
    expect((await fleet([...run, '--fields', 'distnace'], { input: period })).stderr).toContain(
      'Did you mean distance?',
    );
  });

  test('knows the times of a report whatever their columns are called', async () => {
    const report = {
      rows: [
        { who: 'a', begin: '2026-02-26T08:00:00Z', note: 'x' },
        { who: 'b', begin: null, note: '2026-02-26' },
      ],
    };
    const fleet = withReport(report);
    const words = [...run, '--time-zone', 'Europe/Tallinn'];
    const onTerminal = await fleet(words, { input: period, terminal: 80, env: { NO_COLOR: '1' } });
    expect(onTerminal.stdout).toMatch(/^WHO +BEGIN \(UTC\+02:00\) +NOTE\na +2026-02-26 10:00:00 +x\nb +2026-02-26\n$/);
    expect((await fleet([...words, '-o', 'csv'], { input: period })).stdout).toContain('begin (Europe/Tallinn)');
    const later = await fleet([...words, '--filter', 'begin>2026-02-26 09:59', '--jq', '.[].who'], { input: period });
    expect(later.stdout).toBe('a\n');
    const none = await fleet([...words, '--filter', 'begin>2026-02-26 10:01', '--jq', '.[].who'], { input: period });
    expect(none.stdout).toBe('');
  });

  test('needs one object as its input', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    for (const input of ['[]', '[{}, {}]', '"x"', '']) {
      expect((await fleet(run, { input })).code).toBe(2);
    }
    expect(mock.requests).toEqual([]);
  });

  test('cannot be printed as a map, which is reported before anything is sent', async () => {
    const mock = service();
    const { code, stderr } = await shellOf('demo', mock.fetch)([...run, '-o', 'geojson'], { input: period });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot print geojson') });
    expect(mock.requests).toEqual([]);
  });
});

describe('reports run with flags', () => {
  /** Returns the inputs that are sent to the service. */
  async function sent(words: readonly string[], described?: object, place: object = {}) {
    const { fetch } = service();
    let inputs: unknown = null;
    const fleet = shellOf('demo', async (url, init) => {
      const body = String(init?.body ?? '');
      if (/getWrappedReport\b/.test(body)) {
        inputs = JSON.parse(body).variables.input.inputs;
        return Response.json({ data: { getWrappedReport: { reportId: 'x', report: { rows: [{ a: 1 }] } } } });
      }
      if (described && body.includes('getWrappedReportInputs')) {
        return Response.json({ data: { getWrappedReportInputs: [{ id: 'x', title: 'X', inputs: described }] } });
      }
      return fetch(url, init);
    });
    const { code, stderr } = await fleet(['reports', 'run', ...words], place);
    return { code, stderr, inputs };
  }
  const ids = async (...words: readonly string[]) => {
    const rows = (await jsonOf(shellOf('demo', service().fetch), ...words)) as { readonly id: string }[];
    return rows.map(({ id }) => id);
  };

  test('gives the period as words, in the zone of the reader, and the time zone of its days', async () => {
    expect(await sent(['utilization', '--on', 'yesterday', '--time-zone', 'Europe/Tallinn'])).toMatchObject({
      code: 0,
      inputs: {
        period: { from: '2026-02-28T22:00:00.000Z', to: '2026-03-01T21:59:59.999Z' },
        timezone: 'Europe/Tallinn',
      },
    });
    expect((await sent(['vehicle-distance', '--from', '-2h'])).inputs).toEqual({
      period: { from: '2026-03-02T07:30:00.000Z', to: '2026-03-02T09:30:00.000Z' },
    });
    expect((await sent(['utilization', '--on', 'yesterday', '--timezone=Asia/Tokyo'])).inputs).toMatchObject({
      timezone: 'Asia/Tokyo',
    });
    expect(await sent(['vehicle-distance', '--from', 'now', '--to', '-1h'])).toMatchObject({ code: 2, inputs: null });
  });

  test('finds the vehicles by name, and those of groups and labels', async () => {
    const vehicles = (await jsonOf(shellOf('demo', service().fetch), 'vehicles', 'list')) as readonly {
      readonly id: string;
      readonly name: string;
      readonly assignedGroups: readonly { readonly name: string }[];
    }[];
    const [first, second] = vehicles.map(({ id }) => id);
    const named = ['Truck 01', 'Van 01'].map((name) => vehicles.find((vehicle) => vehicle.name === name)?.id);
    const grouped = vehicles.filter(({ assignedGroups }) =>
      assignedGroups.some(({ name }) => name.startsWith('Long haul')),
    );
    expect((await sent(['vehicles', '--vehicle', first ?? '', '--vehicle', second ?? ''])).inputs).toEqual({
      vehicleIds: [first, second],
    });
    expect((await sent(['vehicles', '--vehicle', 'Truck 01', '--vehicle', 'Van 01'])).inputs).toEqual({
      vehicleIds: named,
    });
    expect(grouped.length).toBeGreaterThan(1);
    expect((await sent(['vehicles', '--group', 'Long haul'])).inputs).toEqual({
      vehicleIds: grouped.map(({ id }) => id),
    });
    expect(await sent(['vehicles', '--vehicle', 'Truck 99'])).toMatchObject({ code: 5, inputs: null });
    expect(await sent(['vehicles', '--vehicle', 'Truck 01', '--group', 'Long haul'])).toMatchObject({
      code: 2,
      inputs: null,
    });
  });

  test('fills the rest of an object that is given in part', async () => {
    expect(
      (await sent(['vehicle-activity', '--on', 'yesterday', '--working-hours-begin', '7:00'])).inputs,
    ).toMatchObject({
      workingHours: { begin: '07:00', end: '17:00' },
    });
  });

  test('wins over --input, whose inputs stay as they are', async () => {
    const input = '{"period":{"from":"2026-02-26T00:00:00Z","to":"2026-02-28T00:00:00Z"},"timezone":"Asia/Tokyo"}';
    expect((await sent(['utilization', '--input', '-', '--to', '2026-02-27'], undefined, { input })).inputs).toEqual({
      period: { from: '2026-02-26T00:00:00Z', to: '2026-02-27T00:00:00.000Z' },
      timezone: 'Asia/Tokyo',
    });
    expect((await sent(['utilization', '--input', '-'], undefined, { input })).inputs).toEqual(JSON.parse(input));
  });

  test('refuses flags of other reports, words, and a report that does not come first', async () => {
    expect((await sent(['people-list', '--from', '-1d'])).stderr).toContain('The report has no input --from.');
    expect((await sent(['people-list', '--vehicle', 'A'])).stderr).toContain('hint: It takes no inputs.');
    expect((await sent(['vehicles', 'Truck', '01'])).stderr).toContain('"Truck" is not expected here.');
    expect((await sent(['--timezone', 'UTC', 'vehicles'])).stderr).toContain('The report comes first');
    expect((await sent(['--tx=-1d', 'vehicles'])).stderr).toContain('hint: Did you mean "--to"? For example');
    expect((await sent(['people-list', '--inptu'])).stderr).toContain('input --inptu. Did you mean "--input"?');
    expect((await sent(['utilization', '--on', 'yesterday', '--timezone'])).stderr).toContain(
      '--timezone: its value is missing.',
    );
  });

  test('understands JSON Schema', async () => {
    const described = {
      type: 'object',
      required: ['startDate', 'mode'],
      properties: {
        startDate: { type: 'string', format: 'date-time' },
        endDate: { type: 'string', format: 'date-time' },
        assetUuids: { type: 'array', items: { type: 'string' } },
        mode: { type: 'string', enum: ['SHORT', 'LONG'] },
        driverId: { type: 'string' },
        minutes: { type: 'integer' },
        details: { type: 'boolean' },
        limit: { type: 'integer' },
      },
    };
    const [driver] = await ids('people', 'list', '--filter', 'lastName=Nowak');
    const [truck] = await ids('vehicles', 'list', '--filter', 'name=Truck 01');
    const words = ['x', '--on', 'yesterday', '--mode', 'short', '--driver', 'Jonas Nowak', '--minutes', '5'];
    expect(await sent([...words, '--details', '--vehicle', 'Truck 01'], described)).toMatchObject({
      code: 0,
      inputs: {
        startDate: '2026-03-01T00:00:00.000Z',
        endDate: '2026-03-01T23:59:59.999Z',
        assetUuids: [truck],
        mode: 'SHORT',
        driverId: driver,
        minutes: 5,
        details: true,
      },
    });
    const wrong = await sent(
      ['x', '--mode', 'medium', '--minutes', '5.5', '--no-details', '--minutes', '1'],
      described,
    );
    expect(wrong).toMatchObject({ code: 2, inputs: null });
    expect(wrong.stderr).toContain('--mode: give one of SHORT, LONG.\n  --minutes: give a whole number.\n');
    // --limit is the global flag.
    expect(
      (await sent(['x', '--mode', 'long', '--on', 'yesterday', '--limit', '1'], described)).inputs,
    ).not.toHaveProperty('limit');
    const missing = await sent(['x'], described);
    expect(missing).toMatchObject({ code: 2, inputs: null });
    expect(missing.stderr).toContain(
      'The report x needs 2 inputs that are missing. Nothing was run.\n  --from <time>, or --on <day>\n  --mode <text>\n',
    );
  });

  test('is free when the service describes nothing', async () => {
    for (const described of [null, 'text', []]) {
      expect((await sent(['x', '--input', '-'], { inputs: described }, { input: '{"a":1}' })).inputs).toEqual({ a: 1 });
    }
  });
});

describe('a report of another form', () => {
  const fleetWith = (report: unknown) => {
    const { fetch } = service();
    return shellOf('demo', (url, init) =>
      /getWrappedReport\b/.test(String(init.body ?? ''))
        ? Promise.resolve(Response.json({ data: { getWrappedReport: { reportId: 'vehicles', report } } }))
        : fetch(url, init),
    );
  };
  const table = async (report: unknown) =>
    (await fleetWith(report)(['reports', 'run', 'vehicles', '-o', 'tsv'])).stdout;

  test.each([
    [
      'a list',
      [
        { a: 1, b: 'x' },
        { a: 2, c: null },
      ],
      'a\tb\tc\n1\tx\t\n2\t\t\n',
    ],
    ['a list under any name', { summary: 1, trips: [{ a: 1 }] }, 'a\n1\n'],
    ['without rows', { rows: [] }, '\n'],
    ['columns that are no columns', { columns: ['a'], rows: [{ a: 1 }] }, 'a\n1\n'],
    ['no rows at all', { total: 7 }, 'reportId\treport\nvehicles\t{"total":7}\n'],
    ['null', null, 'reportId\treport\nvehicles\t\n'],
  ])('%s', async (_what, report, printed) => {
    expect(await table(report)).toBe(printed);
  });

  test('is reported as truncated', async () => {
    const { stderr, stdout } = await fleetWith({ rows: [{ a: 1 }], truncated: true })(['reports', 'run', 'vehicles']);
    expect(stdout).toBe('a\n1\n');
    expect(stderr).toBe('warning: The service left out rows because the report is too long. Request a shorter one.\n');
  });

  test('without rows cannot be filtered', async () => {
    const { code } = await fleetWith({ total: 7 })(['reports', 'run', 'vehicles', '--limit', '1']);
    expect(code).toBe(2);
  });
});
