// The base map: the committed archive, and the selection of names.
import { readFileSync } from 'node:fs';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { describe, expect, test } from 'vitest';
import { rangesOfBytes } from '../src/archive/byte-ranges.js';
import { readArchive } from '../src/archive/read-archive.js';
import { GroundNaming } from '../src/page/ground/naming.js';
import { type NameCandidate, placeNames } from '../src/page/ground/place-names.js';
import { streetsStyle, worldStyle } from '../src/page/ground/style.js';
import { isApart } from '../src/page/ground-link.js';
import { xOf, yOf } from '../src/page/mercator.js';

const file = readFileSync(new URL('../src/ground/world.pmtiles', import.meta.url));
const archive = readArchive(rangesOfBytes(file));

async function layersAt(z: number, longitude: number, latitude: number) {
  const [x, y] = [Math.floor(xOf(longitude) * 2 ** z), Math.floor(yOf(latitude) * 2 ** z)];
  const tile = await archive.getZxy(z, x, y);
  const { layers } = new VectorTile(new PbfReader(new Uint8Array(tile?.data ?? new ArrayBuffer())));
  const features = Object.entries(layers).map(([name, layer]) => [
    name,
    Array.from({ length: layer.length }, (_, index) => {
      const { properties, id } = layer.feature(index);
      return { ...properties, id };
    }),
  ]);
  return Object.fromEntries(features);
}

describe('the file', () => {
  test('is small, and goes from the world to a region', async () => {
    expect(file.length).toBeLessThanOrEqual(500_000);
    expect(await archive.getHeader()).toMatchObject({ minZoom: 1, maxZoom: 5, tileType: 1, minLon: -180, maxLon: 180 });
    expect(await archive.getMetadata()).toMatchObject({ attribution: 'Natural Earth · GeoNames (CC BY 4.0)' });
  });

  test('has land, borders and towns where they are', async () => {
    const tallinn = await layersAt(5, 24.75, 59.44);
    expect(Object.keys(tallinn)).toEqual(expect.arrayContaining(['land', 'borders', 'lakes', 'rivers', 'towns']));
    expect(tallinn.towns).toContainEqual({ name: 'Tallinn', rank: 2, capital: true, id: 588409 });
    expect((await layersAt(1, 24.75, 59.44)).countries).toContainEqual(expect.objectContaining({ code: 'RU' }));
    // In the middle of the Atlantic and of the Sahara.
    expect(await layersAt(5, -35, 30)).toEqual({});
    expect(Object.keys(await layersAt(5, 10, 24))).toContain('land');
  });

  test('has names of towns in other languages', async () => {
    const tile = await layersAt(5, 16.37, 48.2);
    const vienna = tile.towns?.find(({ name }: { readonly name?: string }) => name === 'Vienna');
    const metadata: unknown = await archive.getMetadata();
    const names = Reflect.get(Object(metadata), 'names');
    const textFor = (language: string) => {
      const naming = new GroundNaming([language]);
      naming.learn(names);
      const { id, ...properties } = vienna ?? {};
      return naming.textOf({ properties, id });
    };
    expect(['de-AT', 'et', 'ru', 'en', 'sw'].map(textFor)).toEqual(['Wien', 'Viin', 'Вена', 'Vienna', 'Vienna']);
  });

  test('has its licences beside it', () => {
    const text = readFileSync(new URL('../src/ground/licenses.txt', import.meta.url), 'utf8');
    for (const source of ['Natural Earth', 'GeoNames', 'Unicode CLDR']) expect(text).toContain(source);
  });
});

test('countries have the names that the browser knows', () => {
  const name = (code: string) => new GroundNaming(['de']).textOf({ properties: { code }, id: undefined });
  expect([name('EE'), name('AT')]).toEqual(['Estland', 'Österreich']);
});

describe('names', () => {
  const widthOf = (text: string) => text.length * 7;
  const candidates = fc.array(
    fc.record({
      text: fc.string({ minLength: 1, maxLength: 20 }),
      style: fc.constantFrom('country' as const, 'capital' as const, 'town' as const, 'street' as const),
      rank: fc.integer({ min: -20, max: 20 }),
      x: fc.integer({ min: 0, max: 800 }),
      y: fc.integer({ min: 0, max: 600 }),
      along: fc.option(
        fc.record({ angle: fc.double({ min: -1.5, max: 1.5, noNaN: true }), length: fc.constant(200) }),
        {
          nil: null,
        },
      ),
    }),
    { maxLength: 80 },
  );

  test('never stand over each other, and the most important one is there', () => {
    fc.assert(
      fc.property(candidates, (names: readonly NameCandidate[]) => {
        const placed = placeNames(names, widthOf);
        for (const [index, { box }] of placed.entries()) {
          for (const other of placed.slice(index + 1)) expect(isApart(box, other.box)).toBe(true);
        }
        const best = [...names].filter(({ along }) => along === null).sort((one, other) => one.rank - other.rank)[0];
        const least = Math.min(...names.map(({ rank }) => rank));
        if (best !== undefined && best.rank === least) expect(placed.length).toBeGreaterThan(0);
      }),
    );
  });

  test('a town that has no room to the right has it to the left', () => {
    const town = { style: 'town', along: null, y: 100 } as const;
    const placed = placeNames(
      [
        { ...town, text: 'Large', rank: 1, x: 160 },
        { ...town, text: 'Small', rank: 5, x: 150 },
      ],
      widthOf,
    );
    expect(placed.map(({ text, box }) => [text, box.left, box.right])).toEqual([
      ['Large', 165, 200],
      ['Small', 110, 145],
    ]);
  });

  test('small towns wait for a near zoom, streets for a nearer one', () => {
    const [, towns] = worldStyle.names;
    const [places, roads] = streetsStyle.names;
    expect(towns?.name({ name: 'Tartu', rank: 4 }, 4)).toBe(null);
    expect(towns?.name({ name: 'Tartu', rank: 4 }, 5)).toEqual({ style: 'town', rank: 4 });
    expect(places?.name({ kind: 'locality', min_zoom: 9 }, 8)).toBe(null);
    expect(places?.name({ kind: 'locality', min_zoom: 9, population_rank: 9 }, 10)).toEqual({ style: 'town', rank: 5 });
    expect(roads?.name({ kind: 'minor_road', name: 'Lane' }, 14)).toBe(null);
    expect(roads?.name({ 'pmap:kind': 'highway', name: 'Ring' }, 14)).toEqual({ style: 'street', rank: 20 });
  });
});
