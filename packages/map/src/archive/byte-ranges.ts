// Parts of an archive, which is never read as a whole: of a file, or of bytes in memory.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export interface ByteRanges {
  readonly size: number;
  /** Fewer bytes at the end. */
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

/** The file stays the one that was opened, also when another one takes its place. */
export async function rangesOfFile(path: string): Promise<ByteRanges> {
  // Without waiting for the other end of a pipe. Windows has no such flag.
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
