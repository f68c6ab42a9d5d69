// Maps of snapshots and trips: their content, cuts of tracks, and reading by a common parser.
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../src/index.js';
import type { TrackSnapshot } from '../../src/telemetry/tracks/fix.js';
import { type TrackOptions, type TrackRow, toGeoJson, toGpx, toKml } from '../../src/telemetry/tracks/write-tracks.js';
import { anyCharacter } from '../any-character.js';

const start = Date.parse('2026-03-02T08:00:00Z');
const minute = 60_000;
const vehicleId = '11111111-0000-5000-8000-000000000001';

function at(minutes: number, more: { on?: boolean | null; vehicle?: string; gps?: object | null } = {}): TrackSnapshot {
  const degrees = (whole: number) => Number((whole + minutes / 1000).toFixed(6));
  const place = { latitude: degrees(59.4), longitude: degrees(24.7) };
  const gps = more.gps === null ? null : { ...place, altitude: 12.5, speed: 36, direction: 90, ...more.gps };
  return {
    vehicleId: more.vehicle ?? vehicleId,
    timestamp: new Date(start + minutes * minute).toISOString(),
    gps,
    ignition: more.on === null ? null : { engineStatus: more.on ?? true },
  };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

async function features(rows: Iterable<TrackRow>, options?: TrackOptions) {
  const read = JSON.parse(await textOf(toGeoJson(rows, options)));
  expect(read.type).toBe('FeatureCollection');
  return read.features;
}

function parse(text: string) {
  return new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(text, 'text/xml');
}

/** Returns the start and length of each segment. */
async function cuts(rows: Iterable<TrackRow>, options?: TrackOptions): Promise<string[]> {
  const all = await features(rows, options);
  return all.map(({ properties }: { properties: { startedAt: string; coordTimes: string[] } }) => {
    return `${properties.startedAt.slice(11, 16)} x${properties.coordTimes.length}`;
  });
}

describe('a track as GeoJSON', () => {
  test('is a line with times, speeds and directions, longitude first', async () => {
    expect(await features([at(0), at(1, { gps: { altitude: null, direction: 360 } })], { name: 'Truck 7' })).toEqual([
      {
        type: 'Feature',
        geometry: {
          type: 'LineString',
          coordinates: [
            [24.7, 59.4, 12.5],
            [24.701, 59.401],
          ],
        },
        properties: {
          vehicleId,
          name: 'Truck 7',
          segment: 1,
          startedAt: '2026-03-02T08:00:00.000Z',
          endedAt: '2026-03-02T08:01:00.000Z',
          coordTimes: ['2026-03-02T08:00:00.000Z', '2026-03-02T08:01:00.000Z'],
          speeds: [36, 36],
          directions: [90, 0],
        },
      },
    ]);
  });

  test('of a single fix is a point, and of none is an empty collection', async () => {
    const [only] = await features([at(0)]);
    expect(only.geometry).toEqual({ type: 'Point', coordinates: [24.7, 59.4, 12.5] });
    expect(await features([])).toEqual([]);
  });

  test('leaves out rows without a position', async () => {
    const none = [
      at(1, { gps: null }),
      at(2, { gps: { latitude: 0, longitude: 0 } }),
      at(3, { gps: { latitude: null } }),
      at(4, { gps: { latitude: 91 } }),
      at(5, { gps: { longitude: -180.1 } }),
      at(6, { gps: { state: false } }),
      { ...at(7), timestamp: null },
      { ...at(8), timestamp: 'yesterday' },
    ];
    const onTheEquator = { gps: { latitude: 0, longitude: 9 } };
    expect(await cuts([at(0, onTheEquator), ...none, at(9, onTheEquator)])).toEqual(['08:00 x2']);
  });

  test('leaves out impossible jumps and the wandering of a vehicle that stands, and begins anew after a jump that lasts', async () => {
    const near = (metres: number) => ({ gps: { latitude: 59.41 + metres / 111_195, longitude: 24.71, speed: 0 } });
    const [all] = await features([
      at(0),
      at(1, { gps: { latitude: 70 } }),
      at(2),
      at(10, near(0)),
      at(11, near(30)),
      at(12, near(0)),
    ]);
    const latitudes = all.geometry.coordinates.map(([, latitude]: readonly number[]) => latitude);
    expect(latitudes).toEqual([59.4, 59.402, 59.41, 59.41, 59.41]);
    const far = (minutes: number) => at(minutes, { gps: { latitude: 70 + minutes / 1000 } });
    expect(await cuts([at(0), at(1), far(2), far(3), far(4)])).toEqual(['08:00 x2', '08:02 x3']);
  });

  test('takes times as numbers too', async () => {
    expect(await cuts([{ ...at(0), timestamp: start }, at(1)])).toEqual(['08:00 x2']);
  });

  test('with points, each snapshot is a point of its own, whatever the vehicle', async () => {
    const rows = [at(0), at(0, { vehicle: 'other', on: false }), at(1)];
    const all = await features(rows, { as: 'points', name: (id) => (id === 'other' ? 'Van' : null) });
    expect(all).toHaveLength(3);
    expect(all[1]).toEqual({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [24.7, 59.4, 12.5] },
      properties: {
        name: 'Van',
        vehicleId: 'other',
        speed: 36,
        direction: 90,
        ignition: false,
        time: '2026-03-02T08:00:00.000Z',
      },
    });
  });
});

describe('a track is cut', () => {
  test('where it was silent for longer than half an hour, or as long as is said', async () => {
    const rows = [at(0), at(30), at(61), at(62)];
    expect(await cuts(rows)).toEqual(['08:00 x2', '09:01 x2']);
    expect(await cuts(rows, { gapMs: 29 * minute })).toEqual(['08:00 x1', '08:30 x1', '09:01 x2']);
    expect(await cuts(rows, { gapMs: 60 * minute })).toEqual(['08:00 x4']);
  });

  test('where the engine is started again; what is sent while parked belongs to where it stopped', async () => {
    const rows = [at(0), at(5, { on: false }), at(50, { on: null }), at(110, { on: false }), at(120), at(121)];
    expect(await cuts(rows)).toEqual(['08:00 x4', '10:00 x2']);
    expect(await cuts(rows, { splitAtIgnitionOff: false })).toEqual(['08:00 x2', '08:50 x1', '09:50 x3']);
  });

  test('where the next vehicle begins', async () => {
    const all = await features([at(0), at(1), at(2, { vehicle: 'other' }), at(3, { vehicle: 'other' })]);
    expect(all.map(({ properties }: { properties: object }) => properties)).toMatchObject([
      { vehicleId, segment: 1 },
      { vehicleId: 'other', segment: 1 },
    ]);
  });

  test('when it is very long: the next piece begins where the one before ends', async () => {
    const rows = Array.from({ length: 12_000 }, (_, place) => at(place / 60));
    const all = await features(rows);
    const lines: string[][] = all.map((one: { properties: { coordTimes: string[] } }) => one.properties.coordTimes);
    expect(lines.map((line) => line.length)).toEqual([5000, 5000, 2002]);
    expect(lines[1]?.[0]).toBe(lines[0]?.at(-1));
    expect(lines[2]?.[0]).toBe(lines[1]?.at(-1));
  });
});

test('fixes that come a little late are put in their place, and much later ones left out', async () => {
  const [line] = await features([at(0), at(1), at(0.5), at(2), at(3), at(0.2)].values());
  const times: string[] = line.properties.coordTimes;
  expect(times.map((time) => time.slice(14, 19))).toEqual(['00:00', '00:30', '01:00', '02:00', '03:00']);
});

test('rows come out while they come in, and memory holds one segment', async () => {
  let calls = 0;
  function* rows() {
    for (let hour = 0; hour < 50; hour++) {
      calls++;
      yield at(hour * 60);
    }
  }
  for await (const _ of toGeoJson(rows())) break;
  expect(calls).toBeLessThan(5);
});

describe('a track as GPX', () => {
  test('is to the letter', async () => {
    const rows = [at(0), at(1, { gps: { altitude: null, speed: null, direction: null } }), at(60)];
    const text = await textOf(toGpx(rows, { name: 'Truck <7> & "co"' }));
    await expect(text).toMatchFileSnapshot('golden/track.gpx');
  });

  test('is read back as it was', async () => {
    const { features } = gpx(parse(await textOf(toGpx([at(0), at(1), at(60), at(61)], { name: 'A & B' }))));
    expect(features.map(({ geometry }) => geometry)).toEqual([
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [24.7, 59.4, 12.5],
            [24.701, 59.401, 12.5],
          ],
          [
            [24.76, 59.46, 12.5],
            [24.761, 59.461, 12.5],
          ],
        ],
      },
    ]);
    expect(features[0]?.properties).toMatchObject({
      name: 'A & B',
      coordinateProperties: {
        times: [
          ['2026-03-02T08:00:00.000Z', '2026-03-02T08:01:00.000Z'],
          ['2026-03-02T09:00:00.000Z', '2026-03-02T09:01:00.000Z'],
        ],
      },
    });
  });

  test('keeps the order of the schema: no waypoint after a track', async () => {
    const trip = { id: 't', vehicleId, startedAt: '2026-03-02T08:00:00Z', startPosition: null, endPosition: null };
    const withEnds = {
      ...trip,
      startPosition: { latitude: 1, longitude: 2 },
      endPosition: { latitude: 3, longitude: 4 },
    };
    const half = { ...trip, endPosition: { latitude: 3, longitude: 4 } };
    const text = await textOf(toGpx([half, withEnds, half, trip]));
    expect(text.match(/<(wpt|trk)\b/g)).toEqual(['<wpt', '<trk', '<trk']);
  });
});

describe('a track as KML', () => {
  test('is to the letter', async () => {
    const rows = [at(0), at(1, { gps: { altitude: null, speed: null, direction: null } }), at(60)];
    const text = await textOf(toKml(rows, { name: 'Truck <7> & "co"' }));
    await expect(text).toMatchFileSnapshot('golden/track.kml');
  });

  test('is read back as it was', async () => {
    const { features } = kml(parse(await textOf(toKml([at(0), at(1)], { name: 'A & B' }))));
    expect(features).toMatchObject([
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [24.7, 59.4, 12.5],
            [24.701, 59.401, 12.5],
          ],
        },
        properties: {
          name: 'A & B',
          vehicleId,
          coordinateProperties: { times: ['2026-03-02T08:00:00.000Z', '2026-03-02T08:01:00.000Z'] },
        },
      },
    ]);
  });
});

describe('trips', () => {
  const trip = {
    id: 'trip-1',
    vehicleId,
    startedAt: '2026-03-02T08:00:00.000Z',
    endedAt: '2026-03-02T08:40:00.000Z',
    startPosition: { latitude: 59.4, longitude: 24.7 },
    endPosition: { latitude: 59.5, longitude: 24.9 },
    distanceKm: 21.5,
  };

  test('are lines from start to end, with what is known of them', async () => {
    expect(await features([trip], { name: 'Truck 7' })).toEqual([
      {
        type: 'Feature',
        id: 'trip-1',
        geometry: {
          type: 'LineString',
          coordinates: [
            [24.7, 59.4],
            [24.9, 59.5],
          ],
        },
        properties: {
          name: 'Truck 7',
          vehicleId,
          startedAt: trip.startedAt,
          endedAt: trip.endedAt,
          distanceKm: 21.5,
          coordTimes: [trip.startedAt, trip.endedAt],
        },
      },
    ]);
  });

  const track = [
    { time: '2026-03-02T08:00:10.000Z', latitude: 59.4, longitude: 24.7 },
    { time: '2026-03-02T08:20:00.000Z', latitude: 59.45, longitude: 24.7 },
    { time: '2026-03-02T08:39:50.000Z', latitude: 59.5, longitude: 24.9 },
  ];

  test('are lines along their tracks, where they have one', async () => {
    const line = { type: 'LineString', coordinates: track.map(({ longitude, latitude }) => [longitude, latitude]) };
    const times = track.map(({ time }) => time);
    const rows = [{ ...trip, track }];
    const [feature] = await features(rows);
    expect(feature.geometry).toEqual(line);
    expect(feature.properties).toEqual({
      vehicleId,
      startedAt: trip.startedAt,
      endedAt: trip.endedAt,
      distanceKm: 21.5,
      coordTimes: times,
    });
    expect(gpx(parse(await textOf(toGpx(rows)))).features).toMatchObject([
      { geometry: line, properties: { coordinateProperties: { times } } },
    ]);
    expect(kml(parse(await textOf(toKml(rows)))).features).toMatchObject([{ geometry: line }]);
  });

  test.each([
    ['none', []],
    ['one', track.slice(1, 2)],
    ['one on the earth', [...track.slice(1, 2), { time: trip.endedAt, latitude: 0, longitude: 0 }]],
  ])('are straight lines when their tracks have %s of the positions', async (_, some) => {
    expect(await features([{ ...trip, track: some }])).toEqual(await features([trip]));
  });

  test('are read back from GPX and KML', async () => {
    const line = {
      type: 'LineString',
      coordinates: [
        [24.7, 59.4],
        [24.9, 59.5],
      ],
    };
    expect(gpx(parse(await textOf(toGpx([trip])))).features).toMatchObject([{ geometry: line }]);
    expect(kml(parse(await textOf(toKml([trip])))).features).toMatchObject([
      { geometry: line, properties: { distanceKm: '21.5', timespan: { begin: trip.startedAt, end: trip.endedAt } } },
    ]);
  });
});

test('any text is a name in XML, without what XML cannot hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async (name) => {
      // Characters that XML 1.0 forbids.
      const legal = [...name].filter((character) =>
        /[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(character),
      );
      for (const write of [toGpx, toKml]) {
        const document = parse(await textOf(write([at(0), at(1)], { name })));
        expect(document.getElementsByTagName('name')[0]?.textContent ?? '').toBe(legal.join(''));
      }
    }),
  );
});

test('numbers are written without an exponent', async () => {
  const text = await textOf(toGpx([at(0, { gps: { latitude: 1e-7, longitude: 180, altitude: -1e-9 } }), at(1)]));
  expect(text).toContain('<trkpt lat="0.0000001" lon="-180">');
  expect(text).not.toMatch(/\de-/);
});

test('refuses invalid options at once', () => {
  for (const options of [
    { gapMs: -1 },
    { lateMs: Number.NaN },
    { as: 'lines' },
    { gap: 1 },
    { splitAtIgnitionOff: 'no' },
  ]) {
    // As by a caller without types.
    expect(() => toKml([], options as TrackOptions)).toThrow(InvalidInputError);
  }
});

describe('elements stand where the schemas want them', () => {
  /** The children of each written element, in the order of the schema's sequence. */
  const gpxOrder: Readonly<Record<string, readonly string[]>> = {
    gpx: ['wpt', 'trk'],
    wpt: ['ele', 'time', 'name'],
    trk: ['name', 'trkseg'],
    trkseg: ['trkpt'],
    trkpt: ['ele', 'time', 'extensions'],
    extensions: ['gpxtpx:TrackPointExtension'],
    'gpxtpx:TrackPointExtension': ['gpxtpx:speed', 'gpxtpx:course'],
  };
  const kmlOrder: Readonly<Record<string, readonly string[]>> = {
    kml: ['Document'],
    Document: ['Schema', 'Placemark'],
    Schema: ['gx:SimpleArrayField'],
    'gx:SimpleArrayField': ['displayName'],
    // A time of one of two kinds, and a geometry of one of three.
    Placemark: ['name', 'TimeStamp', 'TimeSpan', 'ExtendedData', 'Point', 'LineString', 'gx:Track'],
    TimeStamp: ['when'],
    TimeSpan: ['begin', 'end'],
    ExtendedData: ['Data', 'SchemaData'],
    Data: ['value'],
    SchemaData: ['gx:SimpleArrayData'],
    'gx:SimpleArrayData': ['gx:value'],
    Point: ['coordinates'],
    LineString: ['tessellate', 'coordinates'],
    'gx:Track': ['when', 'gx:coord', 'gx:angles', 'ExtendedData'],
  };
  const forms: Readonly<Record<string, RegExp>> = {
    time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    when: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    ele: /^-?\d+(\.\d+)?$/,
    'gpxtpx:speed': /^\d+(\.\d+)?$/,
    'gpxtpx:course': /^([12]?\d?\d|3[0-5]\d)(\.\d+)?$/,
    'gx:coord': /^-?\d+(\.\d+)? -?\d+(\.\d+)?( -?\d+(\.\d+)?)?$/,
    'gx:angles': /^(\d+(\.\d+)? 0 0)?$/,
    'gx:value': /^(\d+(\.\d+)?)?$/,
  };

  function check(element: { nodeName: string; childNodes: ArrayLike<unknown> | null }, order: typeof gpxOrder): void {
    const children = [...Array.from((element.childNodes ?? []) as ArrayLike<typeof element & { nodeType: number }>)];
    const elements = children.filter(({ nodeType }) => nodeType === 1);
    const withEnds = order[element.nodeName] ?? [];
    const places = elements.map(({ nodeName }) => withEnds.indexOf(nodeName));
    expect(places, element.nodeName).not.toContain(-1);
    expect(places, element.nodeName).toEqual([...places].sort((a, b) => a - b));
    const form = forms[element.nodeName];
    if (form) expect(String(Reflect.get(element, 'textContent'))).toMatch(form);
    for (const child of elements) check(child, order);
  }

  const maybe = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary);
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const row = fc.record({
    vehicleId: fc.constantFrom('a', 'b'),
    timestamp: fc.integer({ min: start, max: start + 86_400_000 }),
    gps: fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      altitude: maybe(number),
      speed: maybe(number),
      direction: maybe(number),
    }),
    ignition: fc.record({ engineStatus: fc.boolean() }),
  });
  const place = fc.option(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
  );
  const trip = fc.record({
    id: fc.string(),
    vehicleId: fc.constant('a'),
    startedAt: fc.constant('2026-03-02T08:00:00.000Z'),
    endedAt: fc.constantFrom(null, '2026-03-02T09:00:00.000Z'),
    startPosition: place,
    endPosition: place,
  });

  test('whatever the rows are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(row, trip), { maxLength: 20 }),
        fc.constantFrom('track', 'points'),
        async (rows, as) => {
          const gpxRoot = parse(await textOf(toGpx(rows, { as }))).documentElement;
          const kmlRoot = parse(await textOf(toKml(rows, { as }))).documentElement;
          if (!gpxRoot || !kmlRoot) throw new Error('a document is empty');
          check(gpxRoot, gpxOrder);
          check(kmlRoot, kmlOrder);
          for (const track of kmlRoot.getElementsByTagName('gx:Track')) {
            const count = (name: string) => track.getElementsByTagName(name).length;
            expect(count('gx:coord')).toBe(count('when'));
            for (const name of ['gx:angles', 'gx:value']) expect([0, count('when')]).toContain(count(name));
          }
          for (const point of gpxRoot.getElementsByTagName('trkpt')) {
            expect(Math.abs(Number(point.getAttribute('lat')))).toBeLessThanOrEqual(90);
            // The schema excludes a longitude of 180.
            expect(Number(point.getAttribute('lon'))).toBeLessThan(180);
          }
          for (const { geometry } of JSON.parse(await textOf(toGeoJson(rows, { as }))).features) {
            expect(['Point', 'LineString']).toContain(geometry.type);
            if (geometry.type === 'LineString') expect(geometry.coordinates.length).toBeGreaterThan(1);
          }
        },
      ),
    );
  });
});

describe('a line across the antimeridian is cut there in GeoJSON', () => {
  const across = [179.99, 179.998, -179.998, -179.99].map((longitude, index) =>
    at(index, { gps: { latitude: -17 - index * 0.002, longitude, altitude: null, speed: 10 * index } }),
  );

  test('of a track, with what there is of each position', async () => {
    const [only, ...others] = await features(across);
    expect(others).toEqual([]);
    expect(only?.geometry).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [179.99, -17],
          [179.998, -17.002],
          [180, expect.closeTo(-17.003, 6)],
        ],
        [
          [-180, expect.closeTo(-17.003, 6)],
          [-179.998, -17.004],
          [-179.99, -17.006],
        ],
      ],
    });
    expect(only?.properties).toMatchObject({
      startedAt: '2026-03-02T08:00:00.000Z',
      endedAt: '2026-03-02T08:03:00.000Z',
      coordTimes: [
        ['2026-03-02T08:00:00.000Z', '2026-03-02T08:01:00.000Z', '2026-03-02T08:01:30.000Z'],
        ['2026-03-02T08:01:30.000Z', '2026-03-02T08:02:00.000Z', '2026-03-02T08:03:00.000Z'],
      ],
      speeds: [
        [0, 10, 10],
        [10, 20, 30],
      ],
    });
  });

  test('of a trip, as often as it crosses', async () => {
    const place = (longitude: number) => ({ latitude: 10, longitude });
    const trip = {
      ...{ id: 't', vehicleId, startedAt: '2026-03-02T08:00:00Z', endedAt: '2026-03-02T08:02:00Z' },
      ...{ startPosition: place(-179), endPosition: place(-179) },
      track: [-179, 179, -179].map((longitude, index) => ({
        ...place(longitude),
        time: `2026-03-02T08:0${index}:00Z`,
      })),
    };
    const [only] = await features([trip]);
    expect(only?.geometry).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [-179, 10],
          [-180, 10],
        ],
        [
          [180, 10],
          [179, 10],
          [180, 10],
        ],
        [
          [-180, 10],
          [-179, 10],
        ],
      ],
    });
  });

  test('and no other line is', async () => {
    const rows = [-179, -1, 1, 178].map((longitude, index) => at(index, { gps: { latitude: 0.5, longitude } }));
    const types = (await features(rows)).map(({ geometry }: { geometry: { type: string } }) => geometry.type);
    expect(types).not.toContain('MultiLineString');
  });
});
