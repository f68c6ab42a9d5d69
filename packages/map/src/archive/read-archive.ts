// Reads a PMTiles archive by byte ranges.
import { promisify } from 'node:util';
import { gunzip as nodeGunzip } from 'node:zlib';
import { type Compression, PMTiles } from 'pmtiles';
import type { ByteRanges } from './byte-ranges.js';

const gunzip = promisify(nodeGunzip);

/** Limit of one directory, metadata or tile, also decompressed: several times the usual size. */
const MOST_BYTES = 4 * 1024 * 1024;
const [NONE, GZIP]: readonly Compression[] = [1, 2];

export class UnusableArchiveError extends Error {
  override readonly name = 'UnusableArchiveError';
}

export function readArchive(ranges: ByteRanges): PMTiles {
  const source = {
    getKey: () => 'archive',
    getBytes: async (offset: number, length: number) => {
      if (length > MOST_BYTES) throw new RangeError('A part of the archive is too large');
      // A copy, because the PMTiles reader keeps the buffer.
      const { buffer } = new Uint8Array(await ranges.read(offset, length));
      return { data: buffer };
    },
  };
  return new PMTiles(source, undefined, async (packed, compression) => {
    if (compression === NONE) return packed;
    if (compression !== GZIP) throw new TypeError('The archive uses a compression other than gzip');
    const { buffer } = new Uint8Array(await gunzip(packed, { maxOutputLength: MOST_BYTES }));
    return buffer;
  });
}
