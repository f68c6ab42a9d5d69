// What `fleet reports` prints, to the letter, and what it makes of reports in whatever form.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const period = '{"period":{"from":"2026-02-26T00:00:00Z","to":"2026-02-28T00:00:00Z"}}';
const run = ['reports', 'run', 'vehicle-distance', '--input', '-'];

describe('prints', () => {
  test('reports list', () => expectGolden('reports-list', ['reports', 'list', '--limit', '4']));
  test('reports run', () => expectShape('reports-run', run, { input: period }));
  test('reports run, without what it needs', () =>
    expectGolden('reports-run.nothing', ['reports', 'run', 'vehicle-distance'], { code: 6 }));
  test('reports run, of what is not there', () =>
    expectGolden('reports-run.unknown', ['reports', 'run', 'vehicle-distnace'], { code: 5 }));
  test('reports run --skeleton', () =>
    expectGolden('reports-run.skeleton', ['reports', 'run', 'vehicle-distance', '--skeleton']));
});

describe('reports run', () => {
  test('takes an id or a title, in whatever case', async () => {
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

  test('chooses among the rows, as json too', async () => {
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

  test('takes one object as its input', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    for (const input of ['[]', '[{}, {}]', '"x"', '']) {
      expect((await fleet(run, { input })).code).toBe(2);
    }
    expect(mock.requests).toEqual([]);
  });

  test('runs nothing for --skeleton', async () => {
    const mock = service();
    expect(await jsonOf(shellOf('demo', mock.fetch), 'reports', 'run', 'vehicles', '--skeleton')).toMatchObject({
      vehicleIds: { type: '[UUID]' },
    });
    expect(mock.requests.flatMap(({ operations }) => operations)).not.toContain('getWrappedReport');
  });

  test('has no places, which is told before anything is sent', async () => {
    const mock = service();
    const { code, stderr } = await shellOf('demo', mock.fetch)([...run, '-o', 'geojson'], { input: period });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot print geojson') });
    expect(mock.requests).toEqual([]);
  });
});

describe('a report in a form of its own', () => {
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

  test('is told to be cut', async () => {
    const { stderr, stdout } = await fleetWith({ rows: [{ a: 1 }], truncated: true })(['reports', 'run', 'vehicles']);
    expect(stdout).toBe('a\n1\n');
    expect(stderr).toBe('warning: The service left out rows because the report is too long. Request a shorter one.\n');
  });

  test('without rows cannot be filtered', async () => {
    const { code } = await fleetWith({ total: 7 })(['reports', 'run', 'vehicles', '--limit', '1']);
    expect(code).toBe(2);
  });
});
