// What `fleet geofences` prints, to the letter, and what it makes of maps.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { areaOf, isFlaw } from '../../src/cli/geofences/area.js';
import { circleAround } from '../../src/cli/geofences/circle.js';
import { expectGolden, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const map = (name: string) => new URL(`maps/${name}`, import.meta.url).pathname;
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
  golden('geofences-create.map', ['create', '--from', map('areas.kml')]);
  golden('geofences-create.unusable', ['create', '--from', map('mixed.geojson')], { code: 2 });
  golden('geofences-update', ['update', 'Depot Tartu', '--color', '#D62728']);
  golden('geofences-delete', ['delete', 'Depot Tartu', '--yes']);
  golden('geofences-groups', ['groups', 'Depot Tartu', '--add', 'Service', '--add', 'Deliveries']);
});

describe('a map', () => {
  test('in KML: an area for each placemark, with its name, description and colour', async () => {
    const fleet = shellOf('demo', service().fetch);
    const results = await jsonOf(fleet, 'geofences', 'create', '--from', map('areas.kml'), '--type', 'YARD');
    expect(results).toMatchObject([
      {
        line: 1,
        status: 'done',
        result: {
          name: 'Yard A',
          description: 'Behind the station',
          color: '#1f77b4',
          type: 'YARD',
          // Counter-clockwise, without the altitudes of the file.
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
      },
      { line: 2, status: 'done', result: { name: 'Two halves & one name', geojson: { type: 'MultiPolygon' } } },
    ]);
  });

  test('in GPX: circles around waypoints, areas of closed tracks', async () => {
    const fleet = shellOf('demo', service().fetch);
    const refused = await fleet(['geofences', 'create', '--from', map('stops.gpx')]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('"Stop A": a point has no area');
    const results = await jsonOf(fleet, 'geofences', 'create', '--from', map('stops.gpx'), '--radius', '0.15km');
    expect(results).toMatchObject([
      { result: { name: 'Round the yard', geojson: { type: 'Polygon' } } },
      { result: { name: 'Stop A', type: 'CUSTOMER', geojson: { type: 'Polygon' } } },
      { result: { name: 'Stop B', type: null } },
    ]);
    expect(Object(results)[1].result.geojson.coordinates[0]).toHaveLength(65);
  });

  test('that was printed can be given again', async () => {
    const fleet = shellOf('demo', service().fetch);
    for (const format of ['geojson', 'kml']) {
      const { stdout } = await fleet(['geofences', 'list', '-o', format]);
      const before = Object(await jsonOf(fleet, 'geofences', 'list', '--fields', 'name,color,description,geojson'));
      const made = await fleet(['geofences', 'create', '--from', '-', '-o', 'json'], { input: stdout });
      expect(made.code).toBe(0);
      const after = JSON.parse(made.stdout).map(({ result }: { result: object }) => result);
      expect(after).toMatchObject(
        before.map(({ name, geojson, ...rest }: { name: string; geojson: object; color: string }) => {
          // KML has its own notation of colours.
          return { ...rest, name, geojson, color: expect.stringMatching(new RegExp(rest.color, 'i')) };
        }),
      );
      for (const { id } of after) await fleet(['geofences', 'delete', id, '--yes']);
    }
  });

  test('of which one feature cannot be used sends nothing', async () => {
    const mock = service();
    const { code } = await shellOf('demo', mock.fetch)(['geofences', 'create', '--from', map('mixed.geojson')]);
    expect(code).toBe(2);
    expect(mock.requests).toEqual([]);
  });

  test('names come from another property where it is said', async () => {
    const fleet = shellOf('demo', service().fetch);
    const feature = { type: 'Feature', geometry: JSON.parse(triangle), properties: { site: 'Hall 3', ref: 7 } };
    const input = JSON.stringify(feature);
    const nameless = await fleet(['geofences', 'create', '--from', '-'], { input });
    expect(nameless).toMatchObject({ code: 2 });
    expect(nameless.stderr).toContain('the properties are site, ref.');
    const words = ['geofences', 'create', '--from', '-', '-o', 'json'];
    expect(JSON.parse((await fleet([...words, '--name-field', 'ref'], { input })).stdout).name).toBe('7');
    expect(JSON.parse((await fleet([...words, '--name', 'Gate'], { input })).stdout).name).toBe('Gate');
    const two = JSON.stringify({ type: 'FeatureCollection', features: [feature, feature] });
    expect((await fleet([...words, '--name', 'Gate'], { input: two })).stderr).toContain('--name is for a single one');
  });

  test.each([
    ['nothing at all', '', 'neither JSON nor XML'],
    ['an empty collection', '{"type":"FeatureCollection","features":[]}', 'has no features'],
    ['broken XML', '<kml><Document>', 'XML is invalid'],
    ['other XML', '<html/>', 'neither KML nor GPX'],
    ['a KMZ archive', 'PK\u0003\u0004', 'ZIP archive'],
    ['a list', '[]', 'not a GeoJSON object'],
  ])('that is %s is refused', async (_what, input, why) => {
    const mock = service();
    const { code, stderr } = await shellOf('demo', mock.fetch)(['geofences', 'create', '--from', '-'], { input });
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(mock.requests).toEqual([]);
  });

  test('is tried first with --dry-run, and what failed is kept to be given again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const plan = await fleet(['geofences', 'create', '--from', map('areas.kml'), '--dry-run']);
    expect(
      plan.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).variables.geofenceInput.name),
    ).toEqual(['Yard A', 'Two halves & one name']);
    expect(mock.requests).toEqual([]);

    mock.faults.add({ kind: 'graphqlError', times: 1, operation: 'createGeofence' });
    const failed = join(folder, 'failed.ndjson');
    expect((await fleet(['geofences', 'create', '--from', map('areas.kml'), '--failed', failed])).code).toBe(6);
    expect(
      readFileSync(failed, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['Yard A']);
    const again = await fleet(['geofences', 'create', '--input', failed, '-o', 'json']);
    expect(JSON.parse(again.stdout)).toMatchObject([{ status: 'done', result: { name: 'Yard A' } }]);
  });

  test('and other sources of the shape exclude each other', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet(['geofences', 'create', '--from', 'a', '--input', 'b'])).stderr).toContain('Give only one of');
    expect((await fleet(['geofences', 'create', '--name', 'a', '--radius', '5m'])).stderr).toContain('needs --from');
    expect((await fleet(['geofences', 'create', '--radius', 'far'])).code).toBe(2);
  });
});

describe('a shape', () => {
  test('is put right where that is without doubt, from every source', async () => {
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

  test('is refused in --input too, with its line', async () => {
    const mock = service();
    const input = `{"name":"a","geojson":${triangle}}\n{"name":"b","geojson":{"type":"Point","coordinates":[1,2]}}\n{"name":"c"}`;
    const { code, stderr } = await shellOf('demo', mock.fetch)(['geofences', 'create', '--input', '-'], { input });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/line 2.*a point has no area/i);
    expect(sentTo(mock).filter((name) => name === 'createGeofence').length).toBeLessThan(3);
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

  test('of which the file holds several is refused for one geofence', async () => {
    const input = readFileSync(map('mixed.geojson'), 'utf8');
    const { code, stderr } = await shellOf('demo', service().fetch)(create, { input });
    expect(code).toBe(2);
    expect(stderr).toContain('--from <file>');
  });

  test('comes out sound whichever way its rings run, and sound ones come out as they are', () => {
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

  test('of a circle has its radius everywhere, and is refused where a polygon cannot be', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -170, max: 170, noNaN: true }),
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: 10, max: 50_000, noNaN: true }),
        (longitude, latitude, radius) => {
          const circle = circleAround(longitude, latitude, radius);
          if (circle?.type !== 'Polygon') throw new Error('there is no circle');
          expect(isFlaw(areaOf(circle))).toBe(false);
          // It runs counter-clockwise already.
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

/** The haversine formula, on a globe of mean radius. */
function metres(x1: number, y1: number, x2: number, y2: number): number {
  const r = Math.PI / 180;
  const h =
    Math.sin(((y2 - y1) * r) / 2) ** 2 + Math.cos(y1 * r) * Math.cos(y2 * r) * Math.sin(((x2 - x1) * r) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
}

test('a geofence is found by a part of its name to be read, and by its whole name to be changed', async () => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  expect(await jsonOf(fleet, 'geofences', 'get', 'depot tar')).toMatchObject({ name: 'Depot Tartu' });
  expect((await fleet(['geofences', 'get', 'depot'])).code).toBe(2);
  expect((await fleet(['geofences', 'update', 'depot tar', '--name', 'x'])).code).toBe(5);
  expect(sentTo(mock)).not.toContain('updateGeofence');
});

test('groups tells programs what the service says', async () => {
  const fleet = shellOf('demo', service().fetch);
  const change = await jsonOf(fleet, 'geofences', 'groups', 'Depot Tartu', '--add', 'Service');
  expect(change).toMatchObject({ removedGroupIds: [], addedGroupIds: [expect.any(String)] });
});

test('a file that cannot be read is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fleet = shellOf('demo', service().fetch);
  expect((await fleet(['geofences', 'create', '--from', join(folder, 'no')])).stderr).toContain('cannot be read');
  // Some programs write a byte order mark.
  const marked = join(folder, 'marked.geojson');
  writeFileSync(marked, `\uFEFF${triangle}`);
  expect((await fleet(['geofences', 'create', '--name', 'x', '--geojson', marked])).code).toBe(0);
});
