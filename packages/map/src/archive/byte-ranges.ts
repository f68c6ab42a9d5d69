// Reads byte ranges of an archive, from a file or from memory. An archive is never read as a whole.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export interface ByteRanges {
  readonly size: number;
  /** Returns fewer bytes at the end of the archive. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function rangesOfBytes(bytes: Uint8Array): ByteRanges {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => undefined,
  };
}

/** Keeps the opened file, even when another file replaces it under its name. */
export async function rangesOfFile(path: string): Promise<ByteRanges> {
  // Does not block on a pipe. Windows lacks this flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
    return {
      size: stats.size,
      read: async (offset, length) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
