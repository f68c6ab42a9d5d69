// -o xlsx, read by another library and back as an input; -o html; --output-file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { unzipSync } from 'fflate';
import { type CellValue, readSheet } from 'read-excel-file/universal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { colorsFor } from '../../src/cli/io/colors.js';
import { html } from '../../src/cli/output/html.js';
import type { RenderOptions } from '../../src/cli/output/render-options.js';
import { totalOf } from '../../src/cli/output/total.js';
import type { TotalRule } from '../../src/cli/output/view.js';
import { xlsx } from '../../src/cli/output/xlsx.js';
import { service, shellOf } from './harness.js';
import { Sink } from './sink.js';

const options: RenderOptions = {
  ...{ width: undefined, wide: false, now: 0, zone: 'Europe/Tallinn', offset: null, hasZone: false, headers: true },
  ...{
    safeCsv: false,
    ascii: false,
    colors: colorsFor(new Sink(), {}),
    colorBits: null,
    note: () => undefined,
  },
};

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'fleet-files-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Of {
  readonly times?: readonly string[];
  readonly headers?: boolean;
  readonly total?: TotalRule<object>;
}

async function bytesOf(
  rows: readonly object[],
  fields: readonly string[],
  { times = [], headers = true, total }: Of = {},
) {
  const parts: Uint8Array[] = [];
  const moment = (path: string) => (row: unknown) => Date.parse(String(Reflect.get(Object(row), path)));
  const view = {
    columns: [],
    fields,
    title: 'Trips',
    total,
    times: new Map(times.map((path) => [path, moment(path)])),
  };
  for await (const part of xlsx.rows(rows, view, { ...options, headers })) parts.push(part);
  return Buffer.concat(parts);
}

async function rowsIn(bytes: Buffer): Promise<readonly (readonly (CellValue | null)[])[]> {
  // A copy: the bytes may be a part of a larger buffer.
  return readSheet(new Uint8Array(bytes).buffer);
}

/** Returns its first sheet as XML. Unpacking also checks the checksums of the archive. */
function sheetIn(bytes: Buffer): string {
  const sheet = unzipSync(bytes)['xl/worksheets/sheet1.xml'];
  const text = Buffer.from(sheet ?? []).toString('utf8');
  const problems: string[] = [];
  new DOMParser({ onError: (_, message) => problems.push(message) }).parseFromString(text, 'text/xml');
  expect(problems).toEqual([]);
  return text;
}

/** Returns the rows with bold cells: the first styles are those of the headings. */
function boldRows(sheet: string): readonly string[] {
  const rows = [...sheet.matchAll(/<row r="(\d+)">(.*?)<\/row>/g)];
  return rows.flatMap(([, row = '', cells = '']) => (/<c r="A\d+"[^>]* s="1"/.test(cells) ? [row] : []));
}

describe('a workbook', () => {
  test('has numbers, dates of the zone, durations, yes and no, and texts that are no formulas', async () => {
    const rows = [
      {
        name: '=1+1',
        distanceKm: 12.345,
        startedAt: '2026-03-02T07:30:15Z',
        idleSeconds: 90_061,
        isOpen: true,
        plate: '0012',
      },
      {
        name: '@x\u0001"<&>',
        distanceKm: null,
        startedAt: '2026-03-02T22:00:00Z',
        idleSeconds: 0,
        isOpen: false,
        plate: 'Õ 1',
      },
    ];
    const fields = ['name', 'distanceKm', 'startedAt', 'idleSeconds', 'isOpen', 'plate'];
    const [head, first, second] = await rowsIn(await bytesOf(rows, fields, { times: ['startedAt'] }));
    expect(head).toEqual(['Name', 'Distance (km)', 'Started at (Europe/Tallinn)', 'Idle', 'Is open', 'Plate']);
    expect(first?.[0]).toBe('=1+1');
    expect(first?.[1]).toBe(12.345);
    expect(first?.[2]).toEqual(new Date('2026-03-02T09:30:15Z'));
    // 1 day, 1 hour, 1 minute and 1 second after the start of the calendar.
    expect(first?.[3]).toEqual(new Date('1899-12-31T01:01:01Z'));
    expect(first?.slice(4)).toEqual([true, '0012']);
    expect(second?.[0]).toBe('@x\u0001"<&>');
    expect(second?.[2]).toEqual(new Date('2026-03-03T00:00:00Z'));
    expect(second?.slice(4)).toEqual([false, 'Õ 1']);
  });

  test('keeps its headings in sight', async () => {
    const bytes = await bytesOf([{ name: 'Van 01' }], ['name']);
    expect(sheetIn(bytes)).toMatch(/<pane ySplit="1"[^>]* state="frozen"/);
  });

  test('has a filter on its headings, over all rows', async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => ({ name: `Van ${index}`, km: index }));
    expect(sheetIn(await bytesOf(rows, ['name', 'km']))).toMatch(
      /<\/sheetData><autoFilter ref="A1:B1201"\/><\/worksheet>$/,
    );
    expect(sheetIn(await bytesOf([], ['name', 'km']))).toContain('<autoFilter ref="A1:B1"/>');
    const bare = await bytesOf(rows, ['name', 'km'], { headers: false });
    expect(sheetIn(bare)).not.toContain('autoFilter');
    expect(await rowsIn(bare)).toHaveLength(1200);
  });

  test('has ids behind what people read', async () => {
    const fields = ['id', 'vehicle', 'vehicleId', 'lastData.id', 'distanceKm'];
    const [head] = await rowsIn(await bytesOf([], fields));
    expect(head).toEqual(['Vehicle', 'Distance (km)', 'Id', 'Vehicle id', 'Last data.id']);
  });

  test('says the offset of a time in the hour that occurs twice', async () => {
    const rows = [{ startedAt: '2026-10-25T00:00:00Z' }, { startedAt: '2026-10-25T01:00:00Z' }];
    const [, first, second] = await rowsIn(await bytesOf(rows, ['startedAt'], { times: ['startedAt'] }));
    expect(first).toEqual([new Date('2026-10-25T03:00:00Z')]);
    expect(second).toEqual(['2026-10-25 03:00:00+02:00']);
  });

  test('is refused on a terminal before anything is sent', async () => {
    const mock = service();
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(['vehicles', 'list', '-o', 'xlsx'], {
      terminal: 80,
    });
    expect({ code, stdout, requests: mock.requests }).toEqual({ code: 2, stdout: '', requests: [] });
    expect(stderr).toContain('--output-file report.xlsx');
  });

  test('has the cells that csv has', async () => {
    const fleet = shellOf('demo', service().fetch);
    const file = join(folder(), 'vehicles.xlsx');
    const fields = ['--fields', 'name,licensePlate,id,deactivated,lastOdometer'];
    expect(await fleet(['vehicles', 'list', ...fields, '--output-file', file])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const csv = (await fleet(['vehicles', 'list', ...fields, '-o', 'csv'])).stdout.trimEnd().split('\n').slice(1);
    const rows = (await rowsIn(readFileSync(file))).slice(1);
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.map((row) => [0, 1, 2, 3, 4].map((at) => String(row[at] ?? '')).join(','))).toEqual(csv);
  });
});

describe('a workbook of sums', () => {
  // Midnight in Chicago is 06:00 UTC, when vehicles drive: there are two days.
  const zone = ['--time-zone', 'America/Chicago'];
  const period = ['trips', 'list', '--from', '2026-03-02T05:00Z', '--to', '2026-03-02T07:00Z', ...zone];
  const written = async (flags: readonly string[]) => {
    const fleet = shellOf('demo', service({ vehicles: 10 }).fetch);
    const file = join(fleet.folder, 'sums.xlsx');
    expect((await fleet([...period, ...flags, '--output-file', file])).code).toBe(0);
    const bytes = readFileSync(file);
    const rows = (await rowsIn(bytes)).map((row) => row.map(shownCell).join(' | '));
    return { rows, filter: /<autoFilter ref="([^"]+)"/.exec(sheetIn(bytes))?.[1], bold: boldRows(sheetIn(bytes)) };
  };

  test.each(['driver', 'vehicle', 'day', 'group'])('by %s', async (by) => {
    const { rows, filter, bold } = await written(['--sum-by', by]);
    const lines = [...rows, `filter ${filter}, bold ${bold}`].map((line) => `${line}\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`golden/workbook-sums.${by}.txt`);
  });

  test.each([
    ['a total of the fields that are shown', ['--fields', 'driverId,driver,trips'], 'Total |  | 16', 'A1:C6', '1,8'],
    ['no total of a list that is cut', ['--limit', '2', '--fields', 'driver,trips'], 'Jonas Nowak | 3', 'A1:B3', '1'],
    [
      'no total of a selection',
      ['--filter', 'distanceKm>90', '--fields', 'driver,trips'],
      'Jonas Nowak | 3',
      'A1:B2',
      '1',
    ],
    ['no total where no field has one', ['--fields', 'driver'], '(not identified)', 'A1:A6', '1'],
  ])('has %s', async (_, flags, last, range, headings) => {
    const { rows, filter, bold } = await written(['--sum-by', 'driver', ...flags]);
    expect({ last: rows.at(-1), filter, bold: bold.join() }).toEqual({ last, filter: range, bold: headings });
  });

  test('adds up rows that it has written long before', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({ name: `Van ${index}`, km: 1 }));
    const bytes = await bytesOf(rows, ['name', 'km'], { total: totalOf({ km: 'sum' }) });
    expect((await rowsIn(bytes)).slice(-3)).toEqual([
      ['Van 1999', 1],
      [null, null],
      ['Total', 2000],
    ]);
    expect(sheetIn(bytes)).toContain('<autoFilter ref="A1:B2001"/>');
  });
});

/** Returns a duration in hours, a local time as in ISO 8601, other values as text. */
function shownCell(cell: CellValue | null): string {
  if (cell instanceof Date && cell.getUTCFullYear() > 1950) return cell.toISOString().slice(0, 19);
  return cell instanceof Date
    ? `${((cell.getTime() - Date.UTC(1899, 11, 30)) / 3_600_000).toFixed(2)} h`
    : String(cell ?? '');
}

describe('a file that was printed is an input again', () => {
  const zone = ['--time-zone', 'Europe/Tallinn'];
  const applied = async (list: readonly string[], apply: readonly string[], ending: string) => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const file = join(folder(), `list.${ending}`);
    expect((await fleet([...list, ...zone, '--output-file', file])).code).toBe(0);
    return fleet([...apply, file, '--dry-run']);
  };

  test.each([
    ['vehicles', ['vehicles', 'list'], ['vehicles', 'apply']],
    [
      'vehicles with what no file can change',
      ['vehicles', 'list', '--fields', 'id,name,place,nearestPlaceDistanceM,lastData.gps.speed,assignedLabels.name'],
      ['vehicles', 'apply'],
    ],
    ['people', ['people', 'list'], ['people', 'apply']],
    ['geofences', ['geofences', 'list'], ['geofences', 'import']],
    ['groups', ['groups', 'list'], ['groups', 'apply']],
    ['assignments', ['drivers', 'assignments', '--from', '-30d'], ['drivers', 'apply']],
  ])('%s', async (_, list, apply) => {
    const csv = await applied(list, apply, 'csv');
    const xlsx = await applied(list, apply, 'xlsx');
    const remarks = ({ stderr }: { readonly stderr: string }) => stderr.replace(/^Not inputs.*\n/m, '');
    expect({ code: csv.code, remarks: remarks(csv) }).toEqual({
      code: 0,
      remarks: expect.stringMatching(/^\d+ stay as they are\. Nothing was changed\.\n$/),
    });
    expect({ ...xlsx, stderr: remarks(xlsx) }).toEqual({ ...csv, stderr: remarks(csv) });
  });

  test.each([
    ['m', 0, ''],
    ['km', 2, 'radius (km): did you mean radius (m)?'],
  ])('a unit in a heading is that of its input: %s', async (unit, code, said) => {
    const input = `Name;Latitude;Longitude;Radius (${unit})\nYard;58.38;26.72;200\n`.replace('Radius', 'radius');
    const words = ['geofences', 'import', '-', '--input-format', 'csv', '--yes'];
    const outcome = await shellOf('demo', service().fetch)(words, { input });
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(said);
  });
});

describe('--output-file', () => {
  test('a terminal hears what was written, and a pipe and --quiet do not', async () => {
    const fleet = shellOf('demo', service().fetch);
    const file = join(fleet.folder, 'vehicles.csv');
    const words = ['vehicles', 'list', '--limit', '2', '--output-file', file];
    expect((await fleet(words, { terminal: 200 })).stderr).toContain(`2 rows written to ${file}.\n`);
    expect((await fleet([...words, '--quiet'], { terminal: 200 })).stderr).toBe('');
    expect((await fleet(words)).stderr).not.toContain('written');
  });

  test('keeps the old file when the command fails, and leaves nothing beside it', async () => {
    const made = folder();
    const file = join(made, 'x.csv');
    writeFileSync(file, 'old');
    const { code } = await shellOf('demo', service().fetch)(['vehicles', 'get', 'Nobody', '--output-file', file]);
    expect([code, readFileSync(file, 'utf8'), readdirSync(made)]).toEqual([5, 'old', ['x.csv']]);
  });

  test('is refused for a folder that does not exist, before anything is sent', async () => {
    const mock = service();
    const file = join(folder(), 'no', 'x.csv');
    const { code, stderr } = await shellOf('demo', mock.fetch)(['vehicles', 'list', '--output-file', file]);
    expect([code, mock.requests]).toEqual([2, []]);
    expect(stderr).toContain('cannot be written (ENOENT)');
  });
});

describe('a page', () => {
  test('makes text of foreign markup, and ends with the total', async () => {
    const total = { take: () => undefined, row: () => ({ name: '', km: 3 }) };
    const view = {
      columns: [
        { title: 'NAME', text: ({ name }: { name: string }) => name, rank: 0 },
        {
          title: 'KM',
          text: ({ km }: { km: number }) => String(km),
          rank: 0,
          align: 'right' as const,
          inTotal: true as const,
        },
      ],
      fields: ['name', 'km'],
      total: { fields: ['km'], isOfAllRows: false, begin: () => total },
    };
    let page = '';
    for await (const part of html.rows([{ name: '<script>alert("x")</script>', km: 3 }], view, options)) page += part;
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(page).not.toContain('<script');
    expect(page).toContain('<tfoot><tr><td>Total</td><td class="n">3</td></tr></tfoot>');
  });
});
