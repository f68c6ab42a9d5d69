// Exact output of `fleet geofences`, and the import of maps.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { areaOf, isFlaw } from '../../src/cli/geofences/area.js';
import { circleAround } from '../../src/cli/geofences/import-map.js';
import { expectGolden, jsonOf } from './golden.js';
import { type Place, type Shell, service, shellOf } from './harness.js';

const map = (name: string) => fileURLToPath(new URL(`maps/${name}`, import.meta.url));
const triangle = '{"type":"Polygon","coordinates":[[[1,1],[2,2],[2,1],[1,1]]]}';
const create = ['geofences', 'create', '--name', 'Yard', '--geojson', '-'];

function sentTo(fleet: ReturnType<typeof service>): string[] {
  return fleet.requests.flatMap(({ operations }) => operations);
}

describe('prints', () => {
  const golden = (name: string, words: readonly string[], more: { code?: number; input?: string } = {}) =>
    test(name, () => expectGolden(name, ['geofences', ...words], more));

  golden('geofences-list', ['list', '--limit', '4']);
  golden('geofences-get', ['get', 'Depot Tartu']);
  golden('geofences-get.unknown', ['get', 'Depot Tarto'], { code: 5 });
  golden('geofences-create', ['create', '--name', 'Yard', '--type', 'YARD', '--geojson', '-'], { input: triangle });
  golden('geofences-import.map', ['import', map('areas.kml'), '--yes']);
  golden('geofences-import.unusable', ['import', map('mixed.geojson')], { code: 2 });
  golden('geofences-update', ['update', 'Depot Tartu', '--color', '#D62728']);
  golden('geofences-delete', ['delete', 'Depot Tartu', '--yes']);
  golden('geofences-groups', ['groups', 'Depot Tartu', '--add', 'Service', '--add', 'Deliveries']);
});

describe('the colour of a geofence is shown', () => {
  const fleet = () => shellOf('demo', service().fetch);
  const words = ['geofences', 'list', '--limit', '3'];
  const of24 = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };
  const shown = async (place: Place, flags: readonly string[] = []) => {
    const { stdout } = await fleet()([...words, ...flags], place);
    return stdout.replaceAll('\u001b', '\\e');
  };

  test.each([
    ['24', of24],
    ['8', { TERM: 'xterm-256color' }],
    ['none', { TERM: 'xterm' }],
  ])('on a terminal with %s bits for it', async (name, env) => {
    await expect(await shown({ terminal: 80, env })).toMatchFileSnapshot(`golden/geofences-colors.${name}.txt`);
  });

  test('of a single one too', async () => {
    const { stdout } = await fleet()(['geofences', 'get', 'Depot Tartu'], { terminal: 80, env: of24 });
    expect(stdout).toContain('  \u001b[38;2;31;119;180m■\u001b[39m #1F77B4\n');
  });

  test.each([
    ['in a pipe', {}, []],
    ['with NO_COLOR', { terminal: 80, env: { ...of24, NO_COLOR: '1' } }, []],
    ['with --no-color', { terminal: 80, env: of24 }, ['--no-color']],
    ['in a terminal of ASCII', { terminal: 80, env: { ...of24, LC_ALL: 'C' } }, []],
    ['in a pipe that wants colours', { env: { ...of24, FORCE_COLOR: '3' } }, ['-o', 'table']],
    ['in a page', { terminal: 80, env: of24 }, ['-o', 'html']],
  ])('as text alone %s', async (_, place, flags) => {
    const text = await shown(place, flags);
    expect(text).toContain('#1F77B4');
    expect(text).not.toMatch(/■|38;/);
  });

  test.each(['red', '#12', '#1F77B4;', '■ #1F77B4'])('not of %s, which is no colour that it knows', async (color) => {
    const shell = fleet();
    const input = JSON.stringify({ color });
    expect((await shell(['geofences', 'update', 'Depot Tartu', '--input', '-'], { input })).code).toBe(0);
    const { stdout } = await shell(['geofences', 'get', 'Depot Tartu'], { terminal: 120, env: of24 });
    expect(stdout).toContain(`  ${color}\n`);
    expect(stdout).not.toContain('38;');
  });
});

test('a circle shows its radius, and a plan in a pipe counts its corners', async () => {
  const fleet = shellOf('demo', service().fetch);
  const plan = await fleet([
    'geofences',
    'update',
    'Depot Tartu',
    '--at',
    '58.38,26.72',
    '--radius',
    '250m',
    '--dry-run',
  ]);
  expect(plan.stdout).toContain('polygon, 64 corners');
  expect(plan.stdout).not.toContain('coordinates');
  await fleet(['geofences', 'create', '--name', 'Yard', '--at', '58.38,26.72', '--radius', '250m']);
  expect((await fleet(['geofences', 'get', 'Yard'], { terminal: 80, env: { NO_COLOR: '1' } })).stdout).toMatch(
    /^Center +58\.38000, 26\.72000\nRadius +250 m$/m,
  );
  await fleet(['geofences', 'update', 'Yard', '--geojson', '-'], { input: triangle });
  expect((await fleet(['geofences', 'get', 'Yard'], { terminal: 80 })).stdout).not.toContain('Radius');
});

describe('a map', () => {
  const made = async (fleet: Shell, ...names: readonly string[]) =>
    Object(await jsonOf(fleet, 'geofences', 'get', ...names));

  test('in KML: an area per placemark, with its name, description and color', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stdout } = await fleet(['geofences', 'import', map('areas.kml'), '--yes', '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { line: 1, status: 'done', name: 'Yard A' },
      { line: 2, status: 'done', name: 'Two halves & one name' },
    ]);
    expect(await made(fleet, 'Yard A', 'Two halves & one name')).toMatchObject([
      {
        name: 'Yard A',
        description: 'Behind the station',
        color: '#1f77b4',
        // Counter-clockwise, and without altitudes.
        geojson: {
          type: 'Polygon',
          coordinates: [
            [
              [24.7, 59.4],
              [24.8, 59.5],
              [24.7, 59.5],
              [24.7, 59.4],
            ],
          ],
        },
      },
      { geojson: { type: 'MultiPolygon' } },
    ]);
  });

  test('in GPX: circles around waypoints, areas of closed tracks', async () => {
    const fleet = shellOf('demo', service().fetch);
    const words = ['geofences', 'import', map('stops.gpx'), '--yes'];
    const refused = await fleet(words);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('"Stop A": a point has no area');
    expect((await fleet([...words, '--radius', '0.15km'])).code).toBe(0);
    const results = await made(fleet, 'Round the yard', 'Stop A', 'Stop B');
    expect(results).toMatchObject([
      { name: 'Round the yard', geojson: { type: 'Polygon' } },
      { name: 'Stop A', type: 'CUSTOMER', geojson: { type: 'Polygon' } },
      { name: 'Stop B', type: null },
    ]);
    expect(results[1].geojson.coordinates[0]).toHaveLength(65);
  });

  test('that was printed can be imported', async () => {
    const fleet = shellOf('demo', service().fetch);
    const fields = 'name,color,description,type,phone,email,displayNameAsAddress,address,geojson';
    const list = async () => Object(await jsonOf(fleet, 'geofences', 'list', '--sort', 'name', '--fields', fields));
    for (const format of ['geojson', 'kml']) {
      const { stdout: input } = await fleet(['geofences', 'list', '-o', format]);
      const before = await list();
      expect(before[0].address).toMatchObject({ city: expect.any(String), countryCode: expect.any(String) });
      expect((await fleet(['geofences', 'delete', '--filter', 'name=*', '--yes'])).code).toBe(0);
      expect(await list()).toEqual([]);
      expect((await fleet(['geofences', 'import', '-', '--yes'], { input })).code).toBe(0);
      expect(await list()).toMatchObject(
        before.map(({ color, ...rest }: { color: string }) => {
          // KML has its own notation of colors.
          return { ...rest, color: expect.stringMatching(new RegExp(color, 'i')) };
        }),
      );
    }
  });

  test('with one unusable feature sends nothing', async () => {
    const mock = service();
    const { code } = await shellOf('demo', mock.fetch)(['geofences', 'import', map('mixed.geojson')]);
    expect(code).toBe(2);
    expect(mock.requests).toEqual([]);
  });

  test('takes names from the property of --name-field', async () => {
    const fleet = shellOf('demo', service().fetch);
    const feature = { type: 'Feature', geometry: JSON.parse(triangle), properties: { site: 'Hall 3', ref: 7 } };
    const input = JSON.stringify(feature);
    const words = ['geofences', 'import', '-', '--yes', '-o', 'json'];
    const nameless = await fleet(words, { input });
    expect(nameless).toMatchObject({ code: 2 });
    expect(nameless.stderr).toContain('the properties are site, ref.');
    expect(JSON.parse((await fleet([...words, '--name-field', 'ref'], { input })).stdout)).toMatchObject([
      { name: '7' },
    ]);
    const gate = await fleet(['geofences', 'create', '--name', 'Gate', '--geojson', '-', '-o', 'json'], { input });
    expect(JSON.parse(gate.stdout)).toMatchObject({ name: 'Gate', geojson: { type: 'Polygon' } });
  });

  const shape = ['geofences', 'create', '--name', 'x', '--geojson', '-'];
  const imported = ['geofences', 'import', '-', '--yes'];
  test.each([
    ['nothing at all', '', 'neither JSON nor XML', [imported, shape]],
    ['an empty collection', '{"type":"FeatureCollection","features":[]}', 'has no features', [imported, shape]],
    ['broken XML', '<kml><Document>', 'XML is invalid', [imported, shape]],
    ['other XML', '<html/>', 'neither KML nor GPX', [imported, shape]],
    ['a KMZ archive', 'PK\u0003\u0004', 'ZIP archive', [imported, shape]],
    ['a list', '[]', 'not a GeoJSON object', [shape]],
    [
      'a feature without a place',
      '{"type":"Feature","geometry":null,"properties":{"name":"x"}}',
      'it has no geometry',
      [imported],
    ],
  ])('that is %s is refused', async (_what, input, why, commands) => {
    for (const words of commands) {
      const mock = service();
      const { code, stderr } = await shellOf('demo', mock.fetch)(words, { input });
      expect(code).toBe(2);
      expect(stderr).toContain(why);
      expect(mock.requests).toEqual([]);
    }
  });

  test('works with --dry-run and with --failed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const namesIn = (lines: string) =>
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).name);
    const plan = await fleet(['geofences', 'import', map('areas.kml'), '--dry-run', '-o', 'ndjson']);
    expect(namesIn(plan.stdout)).toEqual(['Yard A', 'Two halves & one name']);
    expect(sentTo(mock)).toEqual(['getGeofences']);

    mock.faults.add({ kind: 'graphqlError', times: 1, operation: 'createGeofence' });
    const failed = join(folder, 'failed.ndjson');
    expect((await fleet(['geofences', 'import', map('areas.kml'), '--yes', '--failed', failed])).code).toBe(6);
    expect(namesIn(readFileSync(failed, 'utf8'))).toEqual(['Yard A']);
    const again = await fleet(['geofences', 'import', failed, '--yes', '-o', 'json']);
    expect(JSON.parse(again.stdout)).toMatchObject([{ status: 'done', name: 'Yard A' }]);
  });

  test('excludes other sources of the shape', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet(['geofences', 'create', '--geojson', 'a', '--input', 'b'])).stderr).toContain(
      '--geojson and --input both give a shape.',
    );
    expect((await fleet(['geofences', 'create', '--name', 'a', '--radius', '5m'])).stderr).toContain(
      '--radius needs a point to make a circle around.',
    );
    expect((await fleet(['geofences', 'create', '--radius', 'far'])).code).toBe(2);
  });
});

describe('a shape', () => {
  test('is corrected where that is safe, from every source', async () => {
    const fleet = shellOf('demo', service().fetch);
    const made = JSON.parse((await fleet([...create, '-o', 'json'], { input: triangle })).stdout);
    const turned = [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 1],
    ];
    expect(made.geojson).toEqual({ type: 'Polygon', coordinates: [turned] });
    const input = `{"geofenceId":"${made.id}","geojson":${triangle}}`;
    const updated = await fleet(['geofences', 'update', '--input', '-', '-o', 'json'], { input });
    expect(JSON.parse(updated.stdout).geojson.coordinates).toEqual([turned]);
  });

  test('and an address change apart from each other, and from what --input does not name', async () => {
    const fleet = shellOf('demo', service().fetch);
    const before: unknown = await jsonOf(fleet, 'geofences', 'get', 'Depot Tartu');
    const { address, geojson, ...others } = Object(before);
    expect(address.countryCode).toEqual(expect.any(String));
    const input = JSON.stringify({ id: 'Depot Tartu', address: { city: 'Elva' } });
    expect((await fleet(['geofences', 'update', '--input', '-'], { input })).code).toBe(0);
    const after = Object(await jsonOf(fleet, 'geofences', 'get', 'Depot Tartu'));
    expect(after).toMatchObject({ geojson, name: others.name, address: { ...address, city: 'Elva' } });
  });

  test('is refused in --input and in a file too, with its line number there', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const point = '{"name":"b","geojson":{"type":"Point","coordinates":[1,2]}}';
    const one = await fleet(['geofences', 'create', '--input', '-'], { input: point });
    expect([one.code, one.stderr]).toEqual([2, expect.stringMatching(/^error: The shape .*a point has no area/)]);
    const lines = `{"name":"a","geojson":${triangle}}\n${point}\n`;
    const file = await fleet(['geofences', 'import', '-', '--yes'], { input: lines });
    expect([file.code, file.stderr]).toEqual([2, expect.stringMatching(/line 2.*a point has no area/i)]);
    const centre = { name: 'c', latitude: 58.38, longitude: 26.72 };
    const circle = await fleet(['geofences', 'create', '--input', '-'], { input: JSON.stringify(centre) });
    expect([circle.code, circle.stderr]).toEqual([2, expect.stringContaining('Give it as "radius", such as 200m')]);
    expect(mock.requests).toEqual([]);
  });

  test.each([
    ['{"type":"Polygon","coordinates":[]}', 'no ring'],
    ['{"type":"Polygon","coordinates":[[[1,1],[2,1],[1,1]]]}', 'at least 4 positions'],
    ['{"type":"Polygon","coordinates":[[[1,1],[2,2],[3,3],[1,1]]]}', 'has no area'],
    ['{"type":"Polygon","coordinates":[[[1,1],["2",2],[3,3],[1,1]]]}', 'not a pair of numbers'],
    [
      '{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,1]],[[1,1],[2,1],[2,2],[9,9]]]}',
      'ring 2: a ring is not closed',
    ],
    ['{"type":"GeometryCollection","geometries":[]}', 'is empty'],
    ['{"type":"Circle"}', 'Circle is not an area'],
    ['{"name":"x"}', 'no GeoJSON type'],
    ['{"type":"Feature","geometry":null}', 'has no shape'],
  ])('%s is refused', async (input, why) => {
    const { code, stderr } = await shellOf('demo', service().fetch)(create, { input });
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  test('is a circle around a point with --radius, as the error without it says', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = '{"type":"Point","coordinates":[24.7,59.4]}';
    const refused = await fleet(create, { input });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give --radius to make a circle around it.'),
    });
    for (const words of [create, ['geofences', 'update', 'Depot Tartu', '--geojson', '-']]) {
      const { code, stdout } = await fleet([...words, '--radius', '200m', '-o', 'json'], { input });
      expect(code).toBe(0);
      expect(JSON.parse(stdout).geojson.coordinates[0]).toHaveLength(65);
    }
  });

  test('is refused when the file has several for one geofence', async () => {
    const input = readFileSync(map('mixed.geojson'), 'utf8');
    const { code, stderr } = await shellOf('demo', service().fetch)(create, { input });
    expect(code).toBe(2);
    expect(stderr).toContain('`fleet geofences import <file>` creates a geofence from each.');
  });

  test('is valid whatever the direction of its rings, and unchanged if it was valid', () => {
    const ring = fc
      .tuple(fc.integer({ min: -170, max: 170 }), fc.integer({ min: -80, max: 80 }), fc.integer({ min: 1, max: 9 }))
      .map(([x, y, size]) => [
        [x, y],
        [x + size, y],
        [x + size, y + size],
        [x, y + size],
        [x, y],
      ]);
    fc.assert(
      fc.property(ring, ring, fc.boolean(), fc.boolean(), (outer, hole, turnOuter, turnHole) => {
        const turned = [turnOuter ? [...outer].reverse() : outer, turnHole ? [...hole].reverse() : hole];
        const area = areaOf({ type: 'Polygon', coordinates: turned });
        // Outer rings counter-clockwise, holes clockwise.
        expect(area).toEqual({ type: 'Polygon', coordinates: [outer, [...hole].reverse()] });
        expect(areaOf(area)).toEqual(area);
      }),
    );
  });

  test('of a circle has its radius everywhere, and is refused where no polygon is possible', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -170, max: 170, noNaN: true }),
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: 10, max: 50_000, noNaN: true }),
        (longitude, latitude, radius) => {
          const circle = circleAround(longitude, latitude, radius);
          if (circle?.type !== 'Polygon') throw new Error('there is no circle');
          expect(isFlaw(areaOf(circle))).toBe(false);
          // The ring is already counter-clockwise.
          expect(areaOf(circle)).toEqual(circle);
          for (const [x = 0, y = 0] of circle.coordinates[0] ?? []) {
            expect(Math.abs(metres(longitude, latitude, x, y) - radius)).toBeLessThan(0.05);
          }
        },
      ),
    );
    expect(circleAround(0, 89.99, 5000)).toBeNull();
    expect(circleAround(179.99, 10, 5000)).toBeNull();
  });
});

/** The haversine formula, with the mean radius of the earth. */
function metres(x1: number, y1: number, x2: number, y2: number): number {
  const r = Math.PI / 180;
  const h =
    Math.sin(((y2 - y1) * r) / 2) ** 2 + Math.cos(y1 * r) * Math.cos(y2 * r) * Math.sin(((x2 - x1) * r) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
}

describe('geofences import', () => {
  const importing = (fleet: Shell, features: readonly object[], ...words: readonly string[]) =>
    fleet(['geofences', 'import', '-', ...words, ...(words.includes('--dry-run') ? [] : ['--yes'])], {
      input: JSON.stringify({ type: 'FeatureCollection', features }),
    });
  const square = (name: string, more: object = {}, id?: string) => ({
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties: { name, ...more },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [24, 59],
          [25, 59],
          [25, 60],
          [24, 59],
        ],
      ],
    },
  });
  async function exported(
    fleet: Shell,
  ): Promise<{ readonly features: { id: string; properties: Record<string, unknown> }[] }> {
    return JSON.parse((await fleet(['geofences', 'list', '-o', 'geojson'])).stdout);
  }

  test('warns of a new area that is far away from all others, but near them with its coordinates swapped', async () => {
    const fleet = shellOf('demo', service().fetch);
    const area = (name: string, corners: readonly (readonly [number, number])[]) => ({
      ...square(name),
      geometry: { type: 'Polygon', coordinates: [corners] },
    });
    const right = area('Right', [
      [24, 59],
      [25, 59],
      [25, 60],
      [24, 59],
    ]);
    const swapped = area('Swapped', [
      [59, 24],
      [59, 25],
      [60, 25],
      [59, 24],
    ]);
    const abroad = area('Abroad', [
      [-70, -30],
      [-69, -30],
      [-69, -29],
      [-70, -30],
    ]);
    const { code, stderr } = await importing(fleet, [right, swapped, abroad], '--dry-run', '-o', 'json');
    expect(code).toBe(10);
    expect(stderr.match(/warning: .*/g)).toEqual([
      expect.stringMatching(
        /^warning: "Swapped" is \d{4} km from every other geofence, and would be \d+ km away with latitude and longitude swapped\. GeoJSON has the longitude first\.$/,
      ),
    ]);
  });

  test('of its own output changes nothing, in GeoJSON and in KML', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    for (const format of ['geojson', 'kml']) {
      const { stdout: input } = await fleet(['geofences', 'list', '-o', format]);
      const { code, stdout, stderr } = await fleet(['geofences', 'import', '-', '--prune', '--yes'], { input });
      expect({ code, rows: stdout.split('\n').length }).toEqual({ code: 0, rows: 2 });
      expect(stderr).toMatch(/^\d+ stay as they are\. Nothing to do\.\n$/);
    }
    expect(sentTo(mock)).not.toContain('createGeofence');
  });

  test('creates, changes and keeps, and does nothing when it is run again', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const { features } = await exported(fleet);
    const [first, second, ...others] = features;
    if (!first || !second) throw new Error('no geofences');
    const edited = [
      // Matched by id, so its name may change; the rest of the address is unchanged.
      { ...first, properties: { name: 'Renamed', phone: '+372 1', 'address.city': 'Elva' } },
      square(String(second.properties.name)),
      ...others,
      square('New yard', { type: 'DEPOT', email: 'yard@example.com' }),
    ];
    const plan = await importing(fleet, edited, '--dry-run');
    expect(plan.stderr).toBe(`1 to create, 2 to change, ${others.length} stay as they are. Nothing was changed.\n`);
    const table = await importing(fleet, edited, '--dry-run', '-o', 'table');
    expect(table.stdout).toMatch(/\+ +New yard +polygon, 3 corners, around \d/);
    const planned = plan.stdout.split('\n').find((row) => row.includes(first.id)) ?? '';
    const [action, name, , line, changes = '', status] = planned.split('\t');
    expect({ action, name, line, status }).toEqual({
      action: 'update',
      name: first.properties.name,
      line: '1',
      status: 'planned',
    });
    expect(JSON.parse(changes)).toEqual([
      { field: 'name', before: first.properties.name, after: 'Renamed' },
      { field: 'phone', before: first.properties.phone ?? null, after: '+372 1' },
      { field: 'address.city', before: first.properties['address.city'] ?? null, after: 'Elva' },
    ]);
    expect(sentTo(mock).filter((name) => name.endsWith('eofence'))).toEqual([]);

    const done = await importing(fleet, edited, '-o', 'json');
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject([
      { action: 'update', id: first.id, status: 'done' },
      { action: 'update', id: second.id, changes: [{ field: 'geojson' }], status: 'done' },
      { action: 'create', name: 'New yard', id: expect.any(String), status: 'done' },
    ]);
    const now = await exported(fleet);
    expect(now.features).toHaveLength(features.length + 1);
    expect(now.features.find(({ id }) => id === first.id)?.properties).toMatchObject({
      ...first.properties,
      name: 'Renamed',
      phone: '+372 1',
      'address.city': 'Elva',
    });
    expect((await importing(fleet, edited)).stderr).toContain('Nothing to do.');
  });

  test('deletes only with --prune, and only after a confirmation', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const { features } = await exported(fleet);
    const some = features.slice(2);
    expect((await importing(fleet, some)).stderr).toBe(`${some.length} stay as they are. Nothing to do.\n`);
    const file = join(mkdtempSync(join(tmpdir(), 'fleet-')), 'some.geojson');
    onTestFinished(() => rmSync(file));
    writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features: some }));
    const words = ['geofences', 'import', file, '--prune'];
    const refused = await fleet(words);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`: 2 to delete, ${some.length} stay as they are. Nothing was changed.`);

    const no = await fleet(words, { answers: [['Make these changes? [y/N]', 'n']] });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain(`2 to delete, ${some.length} stay as they are. Make these changes?`);
    expect(no.stderr).toContain(`  - ${String(features[0]?.properties.name)}`);
    expect((await exported(fleet)).features).toHaveLength(features.length);
    const yes = await fleet(words, { answers: [['Make these changes? [y/N]', 'y']] });
    expect(yes.code).toBe(0);
    expect((await exported(fleet)).features).toHaveLength(some.length);
  });

  const described = (name: string) => {
    const feature = square(name);
    return { ...feature, properties: { ...feature.properties, description: 'another' } };
  };

  test('takes a feature that is repeated once', async () => {
    const { code, stderr } = await importing(shellOf('demo', service().fetch), [square('A'), square('A')]);
    expect(code).toBe(0);
    expect(stderr).toContain('1 to create\n');
  });

  test.each([
    [
      'the same geofence twice',
      [square('Depot Tartu'), described('Depot Tartu')],
      'feature 2: "Depot Tartu" is in the file already, in feature 1',
    ],
    [
      'two new ones with one name',
      [square('A'), described('A')],
      'feature 2: "A" is in the file already, in feature 1',
    ],
  ])('refuses %s before anything is changed', async (_, features, why) => {
    const mock = service();
    const { code, stderr } = await importing(shellOf('demo', mock.fetch), features);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(sentTo(mock)).not.toContain('updateGeofence');
  });

  test('continues after a refused change, and reports how many are left', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    mock.faults.add({ kind: 'graphqlError', times: 1, operation: 'createGeofence' });
    const { code, stdout, stderr } = await importing(fleet, [square('A'), square('B')]);
    expect(code).toBe(6);
    expect(stdout).toMatch(
      /create\tA\t\t1\t.*\tfailed\tGRAPHQL\t.*\ncreate\tB\t[0-9a-f-]+\t2\t.*\tdone\t\t\tgeofence\n/,
    );
    expect(stderr).toContain('1 of 2 done, 1 failed; the same command tries again.');
  });
});

test('a part of the name is enough to read a geofence, but not to change it', async () => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  const { stdout } = await fleet(['geofences', 'get', 'depot tar', '-o', 'json'], { terminal: 80 });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'Depot Tartu' });
  expect((await fleet(['geofences', 'get', 'depot'], { terminal: 80 })).code).toBe(2);
  expect((await fleet(['geofences', 'update', 'depot tar', '--name', 'x'])).code).toBe(5);
  expect(sentTo(mock)).not.toContain('updateGeofence');
});

test('groups prints the service’s answer for programs', async () => {
  const fleet = shellOf('demo', service().fetch);
  const change = await jsonOf(fleet, 'geofences', 'groups', 'Depot Tartu', '--add', 'Service');
  expect(change).toMatchObject({ removedGroupIds: [], addedGroupIds: [expect.any(String)] });
});

test('an unreadable file is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fleet = shellOf('demo', service().fetch);
  expect((await fleet(['geofences', 'import', join(folder, 'no')])).stderr).toContain('cannot be read');
  // Some programs write a byte order mark.
  const marked = join(folder, 'marked.geojson');
  writeFileSync(marked, `\uFEFF${triangle}`);
  expect((await fleet(['geofences', 'create', '--name', 'x', '--geojson', marked])).code).toBe(0);
});
