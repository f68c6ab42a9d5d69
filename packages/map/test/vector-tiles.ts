// Builds vector tiles and archives: a town with streets, in the layers of the Protomaps basemap.
import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { type ArchivedTile, writeArchive } from '../src/archive/write-archive.js';

interface Feature {
  /** 1 is a point, 2 a line, 3 a polygon. */
  readonly type: 1 | 2 | 3;
  readonly properties: Readonly<Record<string, string | number>>;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const EXTENT = 4_096;

function vectorTile(layers: Readonly<Record<string, readonly Feature[]>>): Uint8Array {
  const tile = new PbfWriter();
  for (const [name, features] of Object.entries(layers)) {
    const keys = [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))];
    const values = [...new Set(features.flatMap(({ properties }) => Object.values(properties)))];
    tile.writeMessage(
      3,
      (_, layer) => {
        layer.writeVarintField(15, 2);
        layer.writeStringField(1, name);
        for (const { type, properties, points } of features) {
          layer.writeMessage(
            2,
            (__, feature) => {
              const tags = Object.entries(properties).flatMap(([key, value]) => [
                keys.indexOf(key),
                values.indexOf(value),
              ]);
              feature.writePackedVarint(2, tags);
              feature.writeVarintField(3, type);
              feature.writePackedVarint(4, geometry(type, points));
            },
            null,
          );
        }
        for (const key of keys) layer.writeStringField(3, key);
        for (const value of values) {
          layer.writeMessage(
            4,
            (__, written) => {
              if (typeof value === 'string') written.writeStringField(1, value);
              else written.writeDoubleField(3, value);
            },
            null,
          );
        }
        layer.writeVarintField(5, EXTENT);
      },
      null,
    );
  }
  return tile.finish();
}

function geometry(type: 1 | 2 | 3, points: Feature['points']): number[] {
  const steps = points.flatMap(([x, y], index) => {
    const [lastX, lastY] = points[index - 1] ?? [0, 0];
    return [zigzag(x - lastX), zigzag(y - lastY)];
  });
  const rest = points.length - 1;
  return [
    9,
    ...steps.slice(0, 2),
    ...(rest > 0 ? [(rest << 3) | 2, ...steps.slice(2)] : []),
    ...(type === 3 ? [15] : []),
  ];
}

const zigzag = (value: number) => (value << 1) ^ (value >> 31);

const square = (from: number, to: number) =>
  [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
  ] as const;

/** Half of each tile is a lake; a motorway and a street cross. */
const streets = vectorTile({
  earth: [{ type: 3, properties: { kind: 'earth' }, points: square(-64, EXTENT + 64) }],
  water: [{ type: 3, properties: { kind: 'lake' }, points: square(0, EXTENT / 2) }],
  roads: [
    {
      type: 2,
      properties: { kind: 'highway', name: 'Ring' },
      points: [
        [0, 3_000],
        [EXTENT, 3_000],
      ],
    },
    {
      type: 2,
      properties: { kind: 'minor_road', name: 'Lane' },
      points: [
        [3_000, 0],
        [3_000, EXTENT],
      ],
    },
  ],
  places: [
    {
      type: 1,
      properties: { kind: 'locality', name: 'Town', 'name:de': 'Stadt', population_rank: 9 },
      points: [[3_500, 2_500]],
    },
  ],
});

const attribution = '<a href="https://www.openstreetmap.org/copyright">&copy; Example &amp; OpenStreetMap</a>';

/** Returns an archive of streets: all tiles, or those near a position. */
export function streetArchive(
  zooms: readonly number[],
  around: { readonly longitude: number; readonly latitude: number } | null,
  { layers = ['earth', 'water', 'roads', 'places'], tileType = 1 } = {},
): Promise<Uint8Array> {
  const data = gzipSync(streets);
  const tiles: ArchivedTile[] = zooms.flatMap((z) => {
    const all = [...Array(4 ** z).keys()].map((key) => ({ z, x: key % 2 ** z, y: Math.floor(key / 2 ** z), data }));
    return around === null ? all : near(z, around).map(([x, y]) => ({ z, x, y, data }));
  });
  const [minZoom = 0, maxZoom = minZoom] = [zooms[0], zooms.at(-1)];
  return writeArchive(
    tiles,
    { tileCompression: 2, tileType, minZoom, maxZoom, minLon: -180, minLat: -85, maxLon: 180, maxLat: 85 },
    { attribution, vector_layers: layers.map((id) => ({ id, fields: {} })) },
    async (bytes) => gzipSync(bytes),
  );
}

function near(z: number, { longitude, latitude }: { readonly longitude: number; readonly latitude: number }) {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const x = Math.floor(((longitude + 180) / 360) * 2 ** z);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z);
  const around = [-2, -1, 0, 1, 2];
  return around
    .flatMap((i) => around.map((j) => [x + i, y + j] as const))
    .filter(([a, b]) => a >= 0 && b >= 0 && a < 2 ** z && b < 2 ** z);
}
