// Output formats: YAML, maps, csv for spreadsheets, and long tables.

import { setImmediate } from 'node:timers/promises';
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
import { greatCircleKm } from '../../src/core/geo.js';
import type { Trip } from '../../src/index.js';
import { anyCharacter } from '../any-character.js';
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

/** Returns the features of a command's GeoJSON output. */
async function featuresOf(words: readonly string[], fleet = shellOf('demo', service().fetch), remark = '') {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'geojson']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: remark });
  const read = JSON.parse(stdout);
  expect(read.type).toBe('FeatureCollection');
  return read.features;
}

interface TripFeature {
  readonly geometry: { readonly coordinates: readonly (readonly [longitude: number, latitude: number])[] };
  readonly properties: Pick<Trip, 'id' | 'vehicleId' | 'distanceKm'> & {
    readonly name: string;
    readonly coordTimes: readonly string[];
  };
}

function kilometres(line: TripFeature['geometry']['coordinates']): number {
  return line.slice(1).reduce((sum, [longitude, latitude], index) => {
    const [fromLongitude, fromLatitude] = line[index] ?? [longitude, latitude];
    return sum + greatCircleKm({ longitude: fromLongitude, latitude: fromLatitude }, { longitude, latitude });
  }, 0);
}

describe('yaml', () => {
  test('is exact', async () => {
    const fields = 'name,licensePlate,lastData.timestamp,lastData.gps.speed,customFields.name,customFields.value';
    const { stdout } = await fixed(fixedService())(['vehicles', 'list', '--fields', fields, '-o', 'yaml']);
    await expect(stdout).toMatchFileSnapshot('golden/formats-vehicles.yaml.txt');
  });

  test('has every default field, of a list and of a record', async () => {
    const fleet = fixed(fixedService());
    expect(parse((await fleet(['vehicles', 'list', '-o', 'yaml'])).stdout)).toEqual(rows);
    expect(parse((await fleet(['vehicles', 'get', 'Truck 7', '-o', 'yaml'])).stdout)).toEqual(rows[0]);
    const none = shellOf('demo', service({ vehicles: 0 }).fetch);
    expect((await none(['vehicles', 'list', '-o', 'yaml'])).stdout).toBe('[]\n');
  });

  test('parses to the same value as YAML 1.2 and 1.1, for any text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 3 }), (value) => {
        // JSON and YAML have no lone surrogates, and YAML has no -0.
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
  test('vehicles are points with their fields, and left out without a position', async () => {
    const remark = '2 rows have no usable position and are left out.\n';
    const features = await featuresOf(['vehicles', 'list'], fixed(fixedService()), remark);
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
    expect((await fixed(fixedService())(['vehicles', 'list', '-o', 'gpx'], { terminal: 80 })).stderr).toBe(remark);
  });

  test.each(['geojson', 'gpx', 'kml'])('vehicles as %s are exact', async (format) => {
    const { stdout } = await fixed(fixedService())(['vehicles', 'list', '--fields', 'licensePlate,make', '-o', format]);
    await expect(stdout).toMatchFileSnapshot(`golden/formats-vehicles.${format}.txt`);
  });

  test('--fields selects the properties; the position is always requested', async () => {
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

  test('the latest snapshots are points, named after their vehicles', async () => {
    const features = await featuresOf(['snapshots', 'latest']);
    expect(features.length).toBeGreaterThan(3);
    expect(features.map(({ properties }: { properties: { name: string } }) => properties.name)).toContain('Truck 01');
  });

  test('the snapshots of a period are a track, and only its fields are requested', async () => {
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

  test.each([
    ['one vehicle', ['Truck 01']],
    ['several vehicles', ['Truck 01', 'Truck 02']],
  ])('trips of %s are the roads that were driven', async (_, vehicles) => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const words = ['trips', 'list', ...vehicles, ...period];
    const requests = () => mock.requests.filter(({ operations }) => operations.includes('getSnapshots')).length;
    const listed: Trip[] = JSON.parse((await fleet([...words, '-o', 'json'])).stdout);
    const plain = requests();
    expect(listed[0]).not.toHaveProperty('track');
    const features: TripFeature[] = await featuresOf(words, fleet);
    // Positions come from the snapshots of the trips.
    expect(requests()).toBe(2 * plain);
    expect(features.map(({ properties }) => properties.id).sort()).toEqual(listed.map(({ id }) => id).sort());
    expect(new Set(features.map(({ properties }) => properties.vehicleId)).size).toBe(vehicles.length);
    for (const { geometry, properties } of features) {
      expect(geometry.coordinates.length).toBeGreaterThan(20);
      expect(properties.coordTimes).toHaveLength(geometry.coordinates.length);
      expect(properties).not.toHaveProperty('track');
      const ratio = kilometres(geometry.coordinates) / properties.distanceKm;
      expect(Math.abs(ratio - 1)).toBeLessThan(0.03);
    }
  });

  test.each(['gpx', 'kml'])('a trip is the same line in %s', async (format) => {
    const fleet = shellOf('demo', service().fetch);
    const words = ['trips', 'list', 'Truck 01', ...period, '--limit', '1'];
    const [feature]: TripFeature[] = JSON.parse((await fleet([...words, '-o', 'geojson'])).stdout).features;
    const read = xml((await fleet([...words, '-o', format])).stdout);
    const [line, ...more] = (format === 'gpx' ? gpx(read) : kml(read)).features;
    expect(more).toEqual([]);
    expect(line).toMatchObject({ geometry: feature?.geometry, properties: { name: feature?.properties.name } });
    if (format === 'gpx') expect(line?.properties?.coordinateProperties.times).toEqual(feature?.properties.coordTimes);
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

  test.each(['geojson', 'kml'])(
    'a geofence with a coordinate that is null is left out of %s, and told',
    async (format) => {
      const mock = service();
      const ring = [
        [27, null],
        [28, 58],
        [28, 59],
        [27, null],
      ];
      mock.answer('getGeofences', [
        { id: '00000000-0000-4000-8000-000000000001', name: 'Yard', geojson: { type: 'Point', coordinates: [27, 58] } },
        { id: '00000000-0000-4000-8000-000000000002', name: 'Torn', geojson: { type: 'Polygon', coordinates: [ring] } },
        {
          id: '00000000-0000-4000-8000-000000000003',
          name: 'Lost',
          geojson: { type: 'Point', coordinates: [null, 58] },
        },
        {
          id: '00000000-0000-4000-8000-000000000004',
          name: 'Torn too',
          geojson: { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [27, 58] }, null] },
        },
      ]);
      const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(['geofences', 'list', '-o', format]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '3 rows have no usable position and are left out.\n' });
      expect(stdout).toContain('Yard');
      expect(stdout).not.toMatch(/Torn|Lost/);
    },
  );

  test.each([
    [['groups', 'list', '-o', 'geojson'], 'Map formats print'],
    [['geofences', 'list', '-o', 'gpx'], 'geojson and kml'],
    [['rules', 'get', 'x', '-o', 'kml'], 'Map formats print'],
    [['geofences', 'delete', 'Depot Tartu', '--yes', '-o', 'kml'], 'Map formats print'],
    [['geofences', 'import', '-', '-o', 'geojson'], 'Map formats print'],
    [['drivers', 'apply', '-', '-o', 'geojson'], 'Map formats print'],
    [['groups', 'create', '--name', 'x', '-o', 'geojson'], 'Map formats print'],
  ])('%s cannot be printed as a map, which is reported before anything is sent', async (words, hint) => {
    const mock = service();
    const feature = (name: string) =>
      `{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,1]]]},"properties":{"name":"${name}"}}`;
    const input = `{"type":"FeatureCollection","features":[${feature('a')},${feature('b')}]}`;
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(words, { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
    expect(mock.requests).toEqual([]);
  });

  test('cannot control a terminal', async () => {
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
  test('puts a quote before formulas, and leaves numbers unchanged', async () => {
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
      ].join('\n'),
    );
    expect((await fleet(words)).stdout).toContain('\n=1+1,-5\n');
  });

  test('quotes exactly the texts that begin like a formula', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', ' =', '\u3000@'),
        fc.string(),
        (first, rest) => {
          const text = first + rest;
          const isNumber = /^[+-]\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
          expect(safeText(text)).toBe(isNumber ? text : `'${text}`);
        },
      ),
    );
    for (const text of ['', 'a', '12', '-1.5', '+372', '-1e-7', 'a=b']) expect(safeText(text)).toBe(text);
  });
});

describe('one record as text', () => {
  const options: RenderOptions = {
    width: undefined,
    colors: { bold: (text: string) => text } as RenderOptions['colors'],
    colorBits: null,
    now: 0,
    zone: 'UTC',
    offset: null,
    hasZone: false,
    headers: true,
    wide: false,
    safeCsv: false,
    ascii: false,
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
    colorBits: null,
    now: 0,
    zone: 'UTC',
    offset: null,
    hasZone: false,
    headers: true,
    wide: false,
    safeCsv: false,
    ascii: false,
    note: (line) => notes.push(line),
  });

  /** Yields the first rows at once and the others one by one. */
  async function* arriving(first: readonly Row[], later: Iterable<Row>): AsyncIterable<Row> {
    yield* first;
    for (const row of later) {
      await setImmediate();
      await setImmediate();
      yield row;
    }
  }
  const many = (count: number) => Array.from({ length: count }, () => ({ name: 'a', note: 'noted' }));

  test('is printed as rows arrive, and waits only for the first 200', async () => {
    let rowsYielded = 0;
    let atFirst = 0;
    function* later() {
      for (; rowsYielded < 1_000; rowsYielded++) yield { name: `row ${rowsYielded}`, note: '' };
    }
    let lines = 0;
    for await (const line of table.rows(arriving([], later()), view, optionsFor(80))) {
      if (lines++ === 0) atFirst = rowsYielded;
      if (lines > 300) expect(rowsYielded - lines).toBeLessThan(2);
      expect(line.endsWith('\n')).toBe(true);
    }
    expect(lines).toBe(1_001);
    expect(atFirst).toBeLessThanOrEqual(201);
  });

  test('has column widths from all rows that are there; longer ones that come later overflow', async () => {
    const later = [
      { name: 'much longer', note: 'a note that does not fit' },
      { name: 'b', note: 'noted' },
    ];
    const print = async (rows: Iterable<Row> | AsyncIterable<Row>, width: number | undefined) => {
      const lines: string[] = [];
      for await (const line of table.rows(rows, view, optionsFor(width))) lines.push(line);
      return lines.slice(-2);
    };
    expect(await print(arriving(many(200), later), 40)).toEqual(['much longer  a no…\n', 'b     noted\n']);
    expect(await print([...many(5_000), ...later], 40)).toEqual([
      'much longer  a note that does not fit\n',
      'b            noted\n',
    ]);
    // In a pipe, late rows are aligned too.
    expect(await print(arriving(many(200), later), undefined)).toEqual([
      'much longer  a note that does not fit\n',
      'b            noted\n',
    ]);
  });

  test('fails with the source, also while its first rows are printed', async () => {
    async function* failing(): AsyncIterable<Row> {
      yield* many(200);
      await setImmediate();
      await setImmediate();
      throw new Error('cut');
    }
    const lines: string[] = [];
    const read = async () => {
      for await (const line of table.rows(failing(), view, optionsFor(80))) {
        lines.push(line);
        await setImmediate();
      }
    };
    await expect(read()).rejects.toThrow('cut');
    expect(lines).toHaveLength(201);
  });

  const named: View<{ readonly id: string; readonly name: string | null }> = {
    columns: [
      { title: 'NAME', text: ({ name }) => name ?? '', min: 4, rank: 0 },
      { title: 'ID', text: ({ id }) => id, namedBy: ({ name }) => name, rank: 0 },
    ],
    fields: [],
  };

  test.each([
    [
      'names tell the rows apart',
      [
        { id: '1', name: 'A' },
        { id: '2', name: 'B' },
      ],
      'NAME\n',
    ],
    [
      'one id is repeated',
      [
        { id: '1', name: 'A' },
        { id: '1', name: 'A' },
      ],
      'NAME\n',
    ],
    [
      'two have the same name',
      [
        { id: '1', name: 'A' },
        { id: '2', name: 'A' },
      ],
      'NAME  ID\n',
    ],
    [
      'one has no name',
      [
        { id: '1', name: 'A' },
        { id: '2', name: null },
      ],
      'NAME  ID\n',
    ],
  ])('has ids on a terminal only when needed: %s', async (_, rows, heading) => {
    const headings: string[] = [];
    for (const options of [optionsFor(80), { ...optionsFor(80), wide: true }, optionsFor(undefined)]) {
      for await (const line of table.rows(rows, named, options)) {
        headings.push(line);
        break;
      }
    }
    expect(headings).toEqual([heading, 'NAME  ID\n', 'NAME  ID\n']);
  });

  test('names a column that is filled only in later rows', async () => {
    const notes: string[] = [];
    const silent = Array.from({ length: 200 }, () => ({ name: 'a', note: '' }));
    const lines: string[] = [];
    const rows = arriving(silent, [{ name: 'b', note: 'here' }]);
    for await (const line of table.rows(rows, view, optionsFor(80, notes))) lines.push(line);
    expect(lines[0]).toBe('NAME\n');
    expect(notes).toEqual([
      'Columns left out because the first 200 rows have no value in them: note. -o json shows them.',
    ]);
  });
});
