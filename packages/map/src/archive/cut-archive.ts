// Cuts the tiles around places out of a large archive, for a page that contains its map.
import { promisify } from 'node:util';
import { gzip as nodeGzip } from 'node:zlib';
import type { PMTiles } from 'pmtiles';
import type { ByteRanges } from './byte-ranges.js';
import { readArchive, UnusableArchiveError } from './read-archive.js';
import { type ArchivedTile, writeArchive } from './write-archive.js';

const gzip = promisify(nodeGzip);
const compress = (bytes: Uint8Array): Promise<Uint8Array> => gzip(bytes, { level: 9 });
const GZIP = 2;

/** A point in the Mercator unit square. */
export interface TilePlace {
  readonly x: number;
  readonly y: number;
}

export interface CutOptions {
  /** Up to this zoom, all tiles are included. */
  readonly wholeZoom: number;
  /** Zooms that exceed this size are left out. */
  readonly mostBytes: number;
}

export async function cutArchive(
  ranges: ByteRanges,
  places: Iterable<TilePlace>,
  { wholeZoom, mostBytes }: CutOptions,
): Promise<Uint8Array> {
  const archive = readArchive(ranges);
  const header = await archive.getHeader();
  const metadata = await archive.getMetadata();
  const archived: ArchivedTile[] = [];
  const list = [...places];
  let bytes = 0;
  let maxZoom = header.minZoom;
  for (let z = header.minZoom; z <= header.maxZoom; z++) {
    const keys = z <= wholeZoom ? allTiles(z) : tilesAround(list, z);
    const tiles = await read(archive, z, keys, mostBytes - bytes);
    if (tiles === null) break;
    archived.push(...tiles);
    bytes += tiles.reduce((sum, { data }) => sum + data.length, 0);
    maxZoom = z;
  }
  return writeArchive(archived, { ...header, maxZoom, tileCompression: GZIP }, metadata, compress);
}

/** Reads the tiles of one zoom; null when they exceed `mostBytes`. A key is `y * 2^z + x`. */
async function read(
  archive: PMTiles,
  z: number,
  keys: Iterable<number>,
  mostBytes: number,
): Promise<readonly ArchivedTile[] | null> {
  const tiles: ArchivedTile[] = [];
  let bytes = 0;
  for (const key of keys) {
    const [x, y] = [key % 2 ** z, Math.floor(key / 2 ** z)];
    const found = await archive.getZxy(z, x, y).catch(() => {
      throw new UnusableArchiveError(`has a tile that cannot be read (${z}/${x}/${y})`);
    });
    if (found === undefined) continue;
    const data = await compress(new Uint8Array(found.data));
    bytes += data.length;
    if (bytes > mostBytes) return null;
    tiles.push({ z, x, y, data });
  }
  return tiles;
}

const allTiles = (z: number): Iterable<number> => Array(4 ** z).keys();

function tilesAround(places: readonly TilePlace[], z: number): ReadonlySet<number> {
  const count = 2 ** z;
  const keys = new Set<number>();
  for (const place of places) {
    const [column, row] = [Math.floor(place.x * count), Math.floor(place.y * count)];
    for (let i = -1; i <= 1; i++) {
      for (let j = -1; j <= 1; j++) {
        const [x, y] = [(((column + i) % count) + count) % count, row + j];
        if (y >= 0 && y < count) keys.add(y * count + x);
      }
    }
  }
  return keys;
}
