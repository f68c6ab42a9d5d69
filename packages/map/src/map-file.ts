// Builds the file that `fleet map --file` writes. Loaded only by that command.
import { promisify } from 'node:util';
import { deflateRaw as nodeDeflateRaw } from 'node:zlib';
import { type ByteRanges, rangesOfBytes } from './archive/byte-ranges.js';
import { cutArchive, type TilePlace } from './archive/cut-archive.js';
import { xOf, yOf } from './page/mercator.js';
import { packFile } from './page/packed-file.js';
import { decodeTrack } from './page/track.js';
import { filePage, type PageAssets, readAssets } from './page-html.js';
import type { FileSetup } from './shapes.js';

const deflateRaw = promisify(nodeDeflateRaw);

/** The whole world up to this zoom, so that the map can be panned. */
const WHOLE_WORLD_ZOOM = 2;
const MOST_WORLD_BYTES = 500_000;
/** Enough for a town with every house, or the main roads of a country. */
const MOST_STREET_BYTES = 4_000_000;

/** Returns null when the page has not been built. The page gets the `streets` around its tracks. */
export async function mapFile(
  setup: FileSetup,
  streets: ByteRanges | null,
  assets: PageAssets | null = readAssets(),
): Promise<string | null> {
  if (assets === null) return null;
  const places = placesOf(setup);
  const world = { wholeZoom: WHOLE_WORLD_ZOOM, mostBytes: MOST_WORLD_BYTES };
  const packed = await deflateRaw(packFile(setup), { level: 9 });
  return filePage(assets, setup, packed, {
    world: await cutArchive(rangesOfBytes(assets.world), places, world),
    streets:
      streets === null ? null : await cutArchive(streets, places, { wholeZoom: -1, mostBytes: MOST_STREET_BYTES }),
  });
}

function placesOf({ vehicles, days }: FileSetup): readonly TilePlace[] {
  const tracks = days.map(({ track }) => decodeTrack(track));
  return [
    ...vehicles.flatMap(({ latitude, longitude }) =>
      latitude === null || longitude === null ? [] : [{ x: xOf(longitude), y: yOf(latitude) }],
    ),
    ...tracks.flatMap(({ x, y }) => Array.from(x, (place, index) => ({ x: place, y: y[index] ?? 0 }))),
  ];
}
