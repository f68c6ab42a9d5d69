// Reads a PMTiles archive by its ranges.
import { PMTiles } from 'pmtiles';
import type { ByteRanges } from './byte-ranges.js';

export function readArchive(ranges: ByteRanges): PMTiles {
  return new PMTiles({
    getKey: () => 'archive',
    getBytes: async (offset, length) => {
      // A copy, because the reader keeps the buffer.
      const { buffer } = new Uint8Array(await ranges.read(offset, length));
      return { data: buffer };
    },
  });
}
