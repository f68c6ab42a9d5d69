// Writes a PMTiles archive (version 3): map tiles in one file, with a directory for range requests.
import { type Entry, type Header, zxyToTileId } from 'pmtiles';

export interface ArchivedTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly data: Uint8Array;
}

/** Compresses directories and metadata. A parameter, because gzip output differs by platform. */
export type Gzip = (bytes: Uint8Array) => Promise<Uint8Array>;

/** The header fields that are no offsets, lengths or counts. */
export type ArchiveFacts = Pick<
  Header,
  'tileCompression' | 'tileType' | 'minZoom' | 'maxZoom' | 'minLon' | 'minLat' | 'maxLon' | 'maxLat'
>;

/** Readers first request 16 KiB: the header and the root directory. */
const MOST_ROOT_BYTES = 16_384 - 127;
const HEADER_BYTES = 127;
const GZIP = 2;

export async function writeArchive(
  tiles: Iterable<ArchivedTile>,
  facts: ArchiveFacts,
  metadata: unknown,
  gzip: Gzip,
): Promise<Uint8Array> {
  const sorted = [...tiles]
    .map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }))
    .sort((one, other) => one.id - other.id);
  const entries: Entry[] = [];
  const contents: Uint8Array[] = [];
  const offsets = new Map<string, number>();
  let dataBytes = 0;
  for (const { id, data } of sorted) {
    // Tiles that contain only land are identical, so they are stored once.
    const key = Buffer.from(data).toString('latin1');
    const sharedOffset = offsets.get(key);
    const last = entries.at(-1);
    if (sharedOffset !== undefined && last?.offset === sharedOffset && last.tileId + last.runLength === id) {
      last.runLength++;
      continue;
    }
    if (sharedOffset === undefined) {
      offsets.set(key, dataBytes);
      contents.push(data);
    }
    entries.push({ tileId: id, offset: sharedOffset ?? dataBytes, length: data.length, runLength: 1 });
    if (sharedOffset === undefined) dataBytes += data.length;
  }
  const { root, leaves } = await directoriesOf(entries, gzip);
  const described = await gzip(Buffer.from(JSON.stringify(metadata)));
  const metadataAt = HEADER_BYTES + root.length;
  const leavesAt = metadataAt + described.length;
  const header = headerOf(facts, [
    ...[HEADER_BYTES, root.length, metadataAt, described.length],
    ...[leavesAt, leaves.length, leavesAt + leaves.length, dataBytes],
    ...[sorted.length, entries.length, contents.length],
  ]);
  return Buffer.concat([header, root, described, leaves, ...contents]);
}

function headerOf(facts: ArchiveFacts, numbers: readonly number[]): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header.writeUInt8(3, 7);
  for (const [index, number] of numbers.entries()) header.writeBigUInt64LE(BigInt(number), 8 + 8 * index);
  const { minLon, minLat, maxLon, maxLat, minZoom, maxZoom } = facts;
  // 1: the tiles are stored in directory order.
  const bytes = [1, GZIP, facts.tileCompression, facts.tileType, minZoom, maxZoom];
  for (const [index, byte] of bytes.entries()) header.writeUInt8(byte, 96 + index);
  const degrees = (value: number, at: number) => header.writeInt32LE(Math.round(value * 1e7), at);
  for (const [index, value] of [minLon, minLat, maxLon, maxLat].entries()) degrees(value, 102 + 4 * index);
  header.writeUInt8(minZoom, 118);
  degrees((minLon + maxLon) / 2, 119);
  degrees((minLat + maxLat) / 2, 123);
  return header;
}

/** Returns one directory, or a root of leaf directories when one exceeds 16 KiB. */
async function directoriesOf(
  entries: readonly Entry[],
  gzip: Gzip,
): Promise<{ readonly root: Uint8Array; readonly leaves: Uint8Array }> {
  const root = await gzip(directoryOf(entries));
  if (root.length <= MOST_ROOT_BYTES) return { root, leaves: new Uint8Array() };
  for (let size = 4_096; ; size *= 2) {
    const leaves: Uint8Array[] = [];
    const pointers: Entry[] = [];
    let offset = 0;
    for (let i = 0; i < entries.length; i += size) {
      const leaf = await gzip(directoryOf(entries.slice(i, i + size)));
      pointers.push({ tileId: entries[i]?.tileId ?? 0, offset, length: leaf.length, runLength: 0 });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const directory = await gzip(directoryOf(pointers));
    if (directory.length <= MOST_ROOT_BYTES) return { root: directory, leaves: Buffer.concat(leaves) };
  }
}

/** Returns varint columns: count, tile id differences, run lengths, lengths, offsets. */
function directoryOf(entries: readonly Entry[]): Uint8Array {
  const bytes: number[] = [];
  const write = (value: number) => {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
  };
  write(entries.length);
  for (const [index, { tileId }] of entries.entries()) write(tileId - (entries[index - 1]?.tileId ?? 0));
  for (const { runLength } of entries) write(runLength);
  for (const { length } of entries) write(length);
  for (const [index, { offset }] of entries.entries()) {
    const before = entries[index - 1];
    // 0: the tile directly follows the previous one.
    write(before !== undefined && before.offset + before.length === offset ? 0 : offset + 1);
  }
  return Uint8Array.from(bytes);
}
