// What the output formats make of rows: YAML, maps, csv for spreadsheets, and tables of any length.
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { safeText } from '../../src/cli/output/csv.js';
import type { RenderOptions } from '../../src/cli/output/render-options.js';
import { table } from '../../src/cli/output/table.js';
import type { View } from '../../src/cli/output/view.js';
import { yamlText } from '../../src/cli/output/yaml.js';
import { fixedService, rows } from './fixed-rows.js';
import { service, shellOf } from './harness.js';

const fixed = shellOf.bind(null, 'demo');
const period = ['--from', '2026-03-02T07:00:00Z', '--to', '2026-03-02T08:30:00Z'];

function xml(text: string) {
  return new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(text, 'text/xml');
}

/** The features of what a command prints as GeoJSON. */
async function featuresOf(words: readonly string[], fleet = shellOf('demo', service().fetch)) {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'geojson']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const read = JSON.parse(stdout);
  expect(read.type).toBe('FeatureCollection');
  return read.features;
}

describe('yaml', () => {
  test('is to the letter', async () => {
    const fields = 'name,licensePlate,lastData.timestamp,lastData.gps.speed,customFields.name,customFields.value';
    const { stdout } = await fixed(fixedService())(['vehicles', 'list', '--fields', fields, '-o', 'yaml']);
    await expect(stdout).toMatchFileSnapshot('golden/formats-vehicles.yaml.txt');
  });

  test('carries every default field, of a list and of a record', async () => {
    const fleet = fixed(fixedService());
    expect(parse((await fleet(['vehicles', 'list', '-o', 'yaml'])).stdout)).toEqual(rows);
    expect(parse((await fleet(['vehicles', 'get', 'Truck 7', '-o', 'yaml'])).stdout)).toEqual(rows[0]);
    const none = shellOf('demo', service({ vehicles: 0 }).fetch);
    expect((await none(['vehicles', 'list', '-o', 'yaml'])).stdout).toBe('[]\n');
  });

  test('reads back as what it was, as YAML 1.2 and as 1.1, whatever the texts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }), (value) => {
        // JSON and YAML know no halves of characters, and YAML no -0.
        const sound = JSON.parse(
          JSON.stringify(value)
            .replace(/\\ud[89a-f]../gi, '')
            .replace(/-0(?=[,\]}]|$)/g, '0'),
        );
        const text = yamlText(sound);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect(parseAllDocuments(text)).toHaveLength(1);
        expect(parse(text)).toEqual(sound);
      }),
    );
    for (const word of ['NO', 'yes', 'on', '0o17', '017', '1:30', '2026-03-02', '~', 'null', '1e3', '=', '<<']) {
      expect(parse(yamlText({ word }), { version: '1.1' })).toEqual({ word });
      expect(parse(yamlText({ word }))).toEqual({ word });
    }
  });
});

describe('maps', () => {
  test('vehicles are points with their fields; those without a position are left out', async () => {
    const features = await featuresOf(['vehicles', 'list'], fixed(fixedService()));
    expect(features.map(({ properties }: { properties: { name: string } }) => properties.name)).toEqual([
      'Truck 7',
      '日本語トラック',
    ]);
    expect(features[0]).toMatchObject({
      id: rows[0]?.id,
      geometry: { type: 'Point', coordinates: [24.75353, 59.43696, 12.5] },
      properties: {
        id: rows[0]?.id,
        licensePlate: '593 NYM',
        'lastData.gps.speed': 54.3,
        'assignedGroups.name': ['Long haul', 'Winter roster'],
        time: '2026-03-02T09:27:35.000Z',
      },
    });
    expect(features[0].properties).not.toHaveProperty(['lastData.gps.latitude']);
    const told = await fixed(fixedService())(['vehicles', 'list', '-o', 'gpx'], { terminal: 80 });
    expect(told.stderr).toBe('2 rows have no position and are left out.\n');
  });

  test.each(['geojson', 'gpx', 'kml'])('vehicles as %s are to the letter', async (format) => {
    const { stdout } = await fixed(fixedService())(['vehicles', 'list', '--fields', 'licensePlate,make', '-o', format]);
    await expect(stdout).toMatchFileSnapshot(`golden/formats-vehicles.${format}.txt`);
  });

  test('--fields chooses the properties; the position is asked for all the same', async () => {
    const features = await featuresOf([
      'vehicles',
      'list',
      '--fields',
      'licensePlate',
      '--filter',
      'name~Truck',
      '--sort',
      'name',
    ]);
    for (const { geometry, properties } of features) {
      expect(geometry.type).toBe('Point');
      expect(Object.keys(properties)).toEqual(['name', 'licensePlate', 'time']);
    }
    expect(features).toHaveLength(2);
  });

  test('one vehicle is a collection of one', async () => {
    expect(await featuresOf(['vehicles', 'get', 'Truck 01'])).toHaveLength(1);
  });

  test('the newest snapshots are points, called by their vehicles', async () => {
    const features = await featuresOf(['snapshots', 'latest']);
    expect(features.length).toBeGreaterThan(3);
    expect(features.map(({ properties }: { properties: { name: string } }) => properties.name)).toContain('Truck 01');
  });

  test('the snapshots of a period are a track, of which only what it carries is asked for', async () => {
    const mock = service();
    const fleet = shellOf('demo', (url, init) => {
      if (/getSnapshots/.test(String(init.body ?? ''))) expect(String(init.body)).not.toMatch(/canBus/);
      return mock.fetch(url, init);
    });
    const words = ['snapshots', 'list', 'Truck 01', ...period];
    const features = await featuresOf(words, fleet);
    expect(features[0].geometry.type).toBe('LineString');
    expect(features[0].properties.coordTimes).toHaveLength(features[0].geometry.coordinates.length);
    const lines = gpx(xml((await fleet([...words, '-o', 'gpx'])).stdout)).features;
    expect(lines).toHaveLength(1);
    const tracks = kml(xml((await fleet([...words, '-o', 'kml'])).stdout)).features;
    expect(tracks).toHaveLength(features.length);
    expect(tracks[0]?.geometry).toEqual(features[0].geometry);
  });

  test('trips are lines', async () => {
    const features = await featuresOf(['trips', 'list', 'Truck 01', '--from', '2026-02-27T00:00:00Z']);
    expect(features[0]).toMatchObject({ geometry: { type: 'LineString' }, properties: { distanceBy: 'odometer' } });
  });

  test('geofences are areas with their fields', async () => {
    const features = await featuresOf(['geofences', 'list', '--filter', 'type=DEPOT']);
    expect(features).toHaveLength(6);
    expect(features[0]).toMatchObject({
      geometry: { type: 'Polygon' },
      properties: { type: 'DEPOT', color: '#1F77B4' },
    });
    expect(features[0].properties).not.toHaveProperty('geojson');
  });

  test.each([
    [['groups', 'list', '-o', 'geojson'], 'Map formats print'],
    [['geofences', 'list', '-o', 'gpx'], 'geojson and kml'],
    [['rules', 'get', 'x', '-o', 'kml'], 'Map formats print'],
    [['geofences', 'delete', 'Depot Tartu', '--yes', '-o', 'kml'], 'Map formats print'],
    [['geofences', 'create', '--from', '-', '-o', 'geojson'], 'Map formats print'],
    [['groups', 'create', '--name', 'x', '-o', 'geojson'], 'Map formats print'],
  ])('%s has no places, which is told before anything is sent', async (words, hint) => {
    const mock = service();
    const feature = (name: string) =>
      `{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,1]]]},"properties":{"name":"${name}"}}`;
    const input = `{"type":"FeatureCollection","features":[${feature('a')},${feature('b')}]}`;
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(words, { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
    expect(mock.requests).toEqual([]);
  });

  test('do nothing to a terminal', async () => {
    const name = '\u001b[31mred\u009b2J \u202e"<&>';
    const renamed = rows.map((row) => ({ ...row, name }));
    const { fetch } = service();
    const fleet = shellOf('demo', (url, init) =>
      /getVehicles\b/.test(String(init.body ?? ''))
        ? Promise.resolve(Response.json({ data: { getVehicles: renamed } }))
        : fetch(url, init),
    );
    for (const format of ['geojson', 'gpx', 'kml', 'yaml']) {
      const { code, stdout } = await fleet(['vehicles', 'list', '-o', format], { terminal: 80 });
      expect(code).toBe(0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(stdout).toContain('red');
    }
    expect(JSON.parse((await fleet(['vehicles', 'list', '-o', 'geojson'])).stdout).features[0].properties.name).toBe(
      name,
    );
  });
});

describe('--safe-csv', () => {
  test('puts a quote before what a spreadsheet would run, and leaves numbers alone', async () => {
    const evil = ['=1+1', '+SUM(A1)', '-2+3', '@cmd', '\tx', '\r=x', '-12.5', '+372', 'a=b'];
    const named = evil.map((name) => ({ ...rows[0], name, lastOdometer: -5 }));
    const { fetch } = service();
    const fleet = shellOf('demo', (url, init) =>
      /getVehicles\b/.test(String(init.body ?? ''))
        ? Promise.resolve(Response.json({ data: { getVehicles: named } }))
        : fetch(url, init),
    );
    const words = ['vehicles', 'list', '--fields', 'name,lastOdometer', '-o', 'csv'];
    const { stdout } = await fleet([...words, '--safe-csv']);
    expect(stdout).toBe(
      [
        'name,lastOdometer',
        "'=1+1,-5",
        "'+SUM(A1),-5",
        "'-2+3,-5",
        "'@cmd,-5",
        "'\tx,-5",
        `"'\r=x",-5`,
        '-12.5,-5',
        '+372,-5',
        'a=b,-5',
        '',
      ].join('\r\n'),
    );
    expect((await fleet(words)).stdout).toContain('\r\n=1+1,-5\r\n');
  });

  test('guards every text that begins like a formula, and only those', () => {
    fc.assert(
      fc.property(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n'), fc.string(), (first, rest) => {
        const text = first + rest;
        const isNumber = /^[+-]\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
        expect(safeText(text)).toBe(isNumber ? text : `'${text}`);
      }),
    );
    for (const text of ['', 'a', '12', '-1.5', '+372', '-1e-7', 'a=b', ' =1']) expect(safeText(text)).toBe(text);
  });
});

describe('one record as text', () => {
  const options: RenderOptions = {
    width: undefined,
    colors: { bold: (text: string) => text } as RenderOptions['colors'],
    now: 0,
    safeCsv: false,
    note: () => undefined,
  };
  const columns: View<{ readonly name: string; readonly driverId: string }>['columns'] = [
    { title: 'NAME', text: ({ name }) => name, rank: 0 },
    { title: 'DRIVER ID', text: ({ driverId }) => driverId, rank: 1 },
    { title: 'lastData.speed', text: () => '7', rank: 2 },
  ];
  const linesOf = async (view: View<{ readonly name: string; readonly driverId: string }>, driverId: string) => {
    const lines: string[] = [];
    for await (const line of table.record({ name: 'Van', driverId }, view, options)) lines.push(line);
    return lines.join('');
  };

  test('shows the columns of a view without details, one per line', async () => {
    expect(await linesOf({ columns, fields: [] }, 'd-1')).toBe(
      ['Name            Van', 'Driver id       d-1', 'lastData.speed  7', ''].join('\n'),
    );
    expect(await linesOf({ columns, fields: [] }, '')).toBe('Name            Van\nlastData.speed  7\n');
  });

  test('shows the details of a view that has them', async () => {
    const details = [{ title: 'Called', text: ({ name }: { readonly name: string }) => name }];
    expect(await linesOf({ columns, details, fields: [] }, 'd-1')).toBe('Called  Van\n');
  });
});

describe('a long table', () => {
  interface Row {
    readonly name: string;
    readonly note: string;
  }
  const view: View<Row> = {
    columns: [
      { title: 'NAME', text: ({ name }) => name, rank: 0 },
      { title: 'NOTE', text: ({ note }) => note, min: 6, rank: 1 },
    ],
    fields: [],
  };
  const optionsFor = (width: number | undefined, notes: string[] = []): RenderOptions => ({
    width,
    // Only bold is used.
    colors: { bold: (text: string) => text } as RenderOptions['colors'],
    now: 0,
    safeCsv: false,
    note: (line) => notes.push(line),
  });

  test('is written while the rows come, and holds no more than the first 200', async () => {
    let given = 0;
    let atFirst = 0;
    function* many() {
      for (; given < 100_000; given++) yield { name: `row ${given}`, note: '' };
    }
    let lines = 0;
    for await (const line of table.rows(many(), view, optionsFor(80))) {
      if (lines++ === 0) atFirst = given;
      if (lines > 300) expect(given - lines).toBeLessThan(2);
      expect(line.endsWith('\n')).toBe(true);
    }
    expect(lines).toBe(100_001);
    expect(atFirst).toBeLessThan(201);
  });

  test('has columns as wide as its first rows want; what is never shortened then stands out', async () => {
    const first = Array.from({ length: 200 }, () => ({ name: 'a', note: 'noted' }));
    const later = [
      { name: 'much longer', note: 'a note that does not fit' },
      { name: 'b', note: 'noted' },
    ];
    const lines: string[] = [];
    for await (const line of table.rows([...first, ...later], view, optionsFor(40))) lines.push(line);
    expect(lines.at(-2)).toBe('much longer  a no…\n');
    const wide: string[] = [];
    for await (const line of table.rows([...first, ...later], view, optionsFor(undefined))) wide.push(line);
    expect(wide.at(-2)).toBe('much longer  a note that does not fit\n');
    expect(wide.at(-1)).toBe('b     noted\n');
  });

  test('tells of a column that only later rows say something in', async () => {
    const notes: string[] = [];
    const silent = Array.from({ length: 200 }, () => ({ name: 'a', note: '' }));
    const lines: string[] = [];
    for await (const line of table.rows([...silent, { name: 'b', note: 'here' }], view, optionsFor(80, notes)))
      lines.push(line);
    expect(lines[0]).toBe('NAME\n');
    expect(notes).toEqual([
      'Columns left out because the first 200 rows have no value in them: note. -o json shows them.',
    ]);
  });
});
