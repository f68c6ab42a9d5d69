// Opens the file of `--base-map` and checks that the page can draw it. Loaded only for that flag.
import { TileType } from 'pmtiles';
import { type ByteRanges, rangesOfFile } from './byte-ranges.js';
import { readArchive, UnusableArchiveError } from './read-archive.js';

/** Layers of the Protomaps basemap without which nothing can be drawn. */
const layers = ['earth', 'water', 'roads'] as const;

/**
 * Opens an archive of streets.
 * @throws UnusableArchiveError when the page cannot draw the archive; the system error when it
 * cannot be read
 */
export async function openStreets(path: string): Promise<ByteRanges> {
  const ranges = await rangesOfFile(path);
  try {
    await check(ranges);
    return ranges;
  } catch (error) {
    await ranges.close();
    throw error;
  }
}

async function check(ranges: ByteRanges): Promise<void> {
  const start = Buffer.from(await ranges.read(0, 8)).toString('latin1');
  if (start.slice(0, 7) !== 'PMTiles') throw new UnusableArchiveError('is no PMTiles archive');
  if (start !== 'PMTiles\u0003') throw new UnusableArchiveError('is a PMTiles archive, but not of version 3');
  const archive = readArchive(ranges);
  const broken = new UnusableArchiveError('is cut off or damaged');
  const header = await archive.getHeader().catch(() => {
    throw broken;
  });
  const end = header.tileDataOffset + (header.tileDataLength ?? 0);
  if (end > ranges.size) throw broken;
  if (header.tileType !== TileType.Mvt)
    throw new UnusableArchiveError('contains raster images in place of vector tiles');
  const metadata: unknown = await archive.getMetadata().catch(() => {
    throw broken;
  });
  const found = namesOfLayers(metadata);
  const missing = layers.filter((name) => !found.includes(name));
  if (missing.length > 0) {
    throw new UnusableArchiveError(`lacks these layers of Protomaps' basemap: ${missing.join(', ')}`);
  }
}

function namesOfLayers(metadata: unknown): readonly unknown[] {
  const list: unknown =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'vector_layers') : null;
  if (!Array.isArray(list)) return [];
  return list.map((layer: unknown) => (typeof layer === 'object' && layer !== null ? Reflect.get(layer, 'id') : null));
}
