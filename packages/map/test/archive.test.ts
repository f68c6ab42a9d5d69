// Tile archives: written, cut, and refused for `--base-map`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rangesOfBytes } from '../src/archive/byte-ranges.js';
import { cutArchive } from '../src/archive/cut-archive.js';
import { readArchive } from '../src/archive/read-archive.js';
import { writeArchive } from '../src/archive/write-archive.js';
import { baseMapOf } from '../src/command/base-map.js';
import { xOf, yOf } from '../src/page/mercator.js';
import { streetArchive } from './vector-tiles.js';

const world = { minLon: -180, minLat: -85, maxLon: 180, maxLat: 85 };

test('tiles come back from an archive, also from one with a directory of directories', async () => {
  const z = 8;
  const content = (key: number) => Buffer.from(`tile ${key} ${Math.sin(key)}`);
  const tiles = [...Array(4 ** z).keys()].map((key) => ({
    ...{ z, x: key % 2 ** z, y: Math.floor(key / 2 ** z) },
    data: content(key),
  }));
  const facts = { tileCompression: 1, tileType: 1, minZoom: z, maxZoom: z, ...world };
  const bytes = await writeArchive(tiles, facts, { name: 'Test' }, async (part) => gzipSync(part));
  const archive = readArchive(rangesOfBytes(bytes));
  expect((await archive.getHeader()).leafDirectoryLength).toBeGreaterThan(0);
  expect(await archive.getMetadata()).toEqual({ name: 'Test' });
  for (const key of [0, 1, 777, 4 ** z - 1]) {
    const found = await archive.getZxy(z, key % 2 ** z, Math.floor(key / 2 ** z));
    expect(Buffer.from(found?.data ?? new ArrayBuffer()).toString()).toBe(content(key).toString());
  }
  expect(await archive.getZxy(z + 1, 0, 0)).toBe(undefined);
});

test('equal tiles are kept once', async () => {
  const { length } = await streetArchive([0, 1, 2, 3, 4], null);
  expect(length).toBeLessThan(2_000);
});

describe('a part of an archive', () => {
  const place = { x: xOf(24.75), y: yOf(59.44) };

  test('has the tiles around the places, and the whole world from afar', async () => {
    const whole = rangesOfBytes(await streetArchive([0, 1, 2, 3, 4, 5, 6], null));
    const part = readArchive(rangesOfBytes(await cutArchive(whole, [place], { wholeZoom: 2, mostBytes: 1e6 })));
    const has = async (z: number, x: number, y: number) => (await part.getZxy(z, x, y)) !== undefined;
    const [x, y] = [Math.floor(place.x * 64), Math.floor(place.y * 64)];
    expect([await has(6, x, y), await has(6, x + 1, y - 1), await has(6, x + 2, y)]).toEqual([true, true, false]);
    expect([await has(2, 0, 0), await has(3, 0, 0)]).toEqual([true, false]);
  });

  test('an archive with a tile that cannot be read is refused, with the name of the tile', async () => {
    const facts = { tileCompression: 2, tileType: 1, minZoom: 0, maxZoom: 0, ...world };
    for (const data of [Buffer.from('no gzip'), gzipSync(Buffer.alloc(64 * 1024 ** 2))]) {
      const tile = { z: 0, x: 0, y: 0, data };
      const bytes = await writeArchive([tile], facts, {}, async (part) => gzipSync(part));
      const cut = cutArchive(rangesOfBytes(bytes), [place], { wholeZoom: -1, mostBytes: 6_000 });
      await expect(cut).rejects.toThrow(/^has a tile that cannot be read \(0\/0\/0\)$/);
    }
  });

  test('leaves out the zooms that do not fit', async () => {
    const whole = rangesOfBytes(await streetArchive([0, 1, 2, 3, 4, 5, 6], null));
    const part = readArchive(rangesOfBytes(await cutArchive(whole, [place], { wholeZoom: -1, mostBytes: 6_000 })));
    const { minZoom, maxZoom } = await part.getHeader();
    expect(minZoom).toBe(0);
    expect(maxZoom).toBeGreaterThan(1);
    expect(maxZoom).toBeLessThan(6);
    expect(await part.getZxy(maxZoom + 1, 0, 0)).toBe(undefined);
  });
});

/** Returns an archive whose compressed metadata begin with this many megabytes of spaces. */
async function bomb(megabytes: number): Promise<Uint8Array> {
  const bytes = await streetArchive([0, 1], null);
  const layers = ['earth', 'water', 'roads'].map((id) => ({ id }));
  const spaces = gzipSync(Buffer.alloc(1024 ** 2, ' '));
  // Gzip reads concatenated streams as one.
  const metadata = Buffer.concat([
    ...Array<Buffer>(megabytes).fill(spaces),
    gzipSync(JSON.stringify({ vector_layers: layers })),
  ]);
  return described(Buffer.concat([bytes, metadata]), bytes.length, metadata.length);
}

async function withMetadataOf(length: number): Promise<Uint8Array> {
  const bytes = Buffer.from(await streetArchive([0, 1], null));
  return described(bytes, 200, length);
}

/** Changes the metadata's position in the header. */
function described(bytes: Buffer, offset: number, length: number): Uint8Array {
  bytes.writeBigUInt64LE(BigInt(offset), 24);
  bytes.writeBigUInt64LE(BigInt(length), 32);
  return bytes;
}

describe('--base-map', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleet-base-map-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function file(bytes: Uint8Array | string): string {
    const path = join(folder, 'region.pmtiles');
    writeFileSync(path, bytes);
    return path;
  }

  test('opens an archive of streets', async () => {
    const baseMap = file(await streetArchive([0, 1], null));
    const opened = await baseMapOf({ baseMap });
    expect(opened?.streets).toEqual({ url: null });
    expect(opened?.file?.size).toBeGreaterThan(127);
    await opened?.file?.close();
    expect(await baseMapOf({})).toBe(null);
  });

  test('leaves an address to the browser, with the same limits as --tiles', async () => {
    const baseMap = 'https://tiles.example.com/region.pmtiles';
    expect(await baseMapOf({ baseMap })).toEqual({ name: baseMap, streets: { url: baseMap }, file: null });
    await expect(baseMapOf({ baseMap: 'https://me:secret@tiles.example.com/a' })).rejects.toThrow(/password/);
    await expect(baseMapOf({ baseMap: 'ftp://tiles.example.com/a' })).rejects.toThrow(/https/);
    await expect(baseMapOf({ baseMap, tiles: 'x' })).rejects.toThrow(/--base-map and --tiles cannot be combined/);
  });

  test.each([
    ['no archive', async () => 'a text', /is no PMTiles archive\./],
    ['an empty file', async () => '', /is no PMTiles archive\./],
    ['an old version', async () => 'PMTiles\u0002'.padEnd(200, '\0'), /is a PMTiles archive, but not of version 3/],
    ['a file that is cut off', async () => (await streetArchive([0, 1], null)).subarray(0, 400), /cut off or damaged/],
    [
      'an archive of raster images',
      () => streetArchive([0], null, { tileType: 2 }),
      /raster images in place of vector tiles/,
    ],
    ['metadata that unpack to 64 MB', () => bomb(64), /is cut off or damaged/],
    ['metadata of 1 TB', () => withMetadataOf(1024 ** 4), /is cut off or damaged/],
    [
      'an archive of other layers',
      () => streetArchive([0], null, { layers: ['transportation'] }),
      /lacks these layers of Protomaps' basemap: earth, water, roads\./,
    ],
  ])('refuses %s before anything is sent', async (_, made, message) => {
    const baseMap = file(await made());
    const refused = baseMapOf({ baseMap });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(/ Nothing was sent\.$/);
  });

  test.skipIf(process.platform === 'win32')('refuses a pipe without waiting for it', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(baseMapOf({ baseMap: pipe })).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });

  test('refuses a file that does not exist', async () => {
    await expect(baseMapOf({ baseMap: join(folder, 'none.pmtiles') })).rejects.toThrow(/cannot be read \(ENOENT\)/);
    await expect(baseMapOf({ baseMap: folder })).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});
