// Puts right how SQLite as WebAssembly deals with the file system. It calls Node's own functions, so while it works they are replaced. Its
// work is synchronous, so nothing else of the process meets them.
import fs from 'node:fs';

/**
 * Does something with SQLite as WebAssembly.
 *
 * - It keeps the errors of the system to itself: a full disk is a "disk I/O error". Here such an error gets that of the system as its cause.
 * - It never rolls back the journal of a process that was killed, because it takes the folder with which it locks a file itself for the lock
 *   of another process that is writing. Whoever reads has that folder, so nobody else is writing, and the answer is always no.
 */
export function withFileSystem<T>(work: () => T): T {
  const { accessSync, openSync, mkdirSync, writeSync, fsyncSync } = fs;
  let last: unknown;
  const remember =
    (call: (...args: never[]) => unknown) =>
    (...args: never[]) => {
      try {
        return call(...args);
      } catch (error) {
        last = error;
        throw error;
      }
    };
  const access = (path: string, mode: number) => {
    if (path.endsWith('.lock')) throw new Error('nobody else is writing');
    accessSync(path, mode);
  };
  /** The system writes less than it should just before it says why. */
  const writeWhole = (file: number, bytes: Uint8Array, from: number, length: number, position: number) => {
    let written = 0;
    while (written < length) written += writeSync(file, bytes, from + written, length - written, position + written);
    return written;
  };
  Object.assign(fs, {
    accessSync: access,
    openSync: remember(openSync),
    mkdirSync: remember(mkdirSync),
    writeSync: remember(writeWhole),
    fsyncSync: remember(fsyncSync),
  });
  try {
    return work();
  } catch (error) {
    const isOfSystem = error instanceof Error && /disk I\/O error|unable to open/i.test(error.message);
    throw isOfSystem && last !== undefined ? new Error(error.message, { cause: last }) : error;
  } finally {
    Object.assign(fs, { accessSync, openSync, mkdirSync, writeSync, fsyncSync });
  }
}
