// Corrects how SQLite as WebAssembly uses the file system, by replacing the functions of Node that
// it calls. Its work is synchronous, so no other code meets the replacements.
import fs from 'node:fs';

/**
 * Runs `work` with SQLite as WebAssembly.
 *
 * - It hides errors of the system: a full disk is a "disk I/O error". Its error gets that of the
 *   system as its cause.
 * - It never rolls back the journal of a killed process: it takes its own lock folder for that of
 *   another writer. A reader has that folder, so nobody else is writing, and the answer is always
 *   no.
 */
export function withFileSystem<T>(work: () => T): T {
  const { accessSync, openSync, mkdirSync, writeSync, fsyncSync } = fs;
  let last: unknown;
  const recordErrors =
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
  /** The system may write less than requested just before it reports the reason. */
  const writeWhole = (file: number, bytes: Uint8Array, from: number, length: number, position: number) => {
    let written = 0;
    while (written < length) written += writeSync(file, bytes, from + written, length - written, position + written);
    return written;
  };
  Object.assign(fs, {
    accessSync: access,
    openSync: recordErrors(openSync),
    mkdirSync: recordErrors(mkdirSync),
    writeSync: recordErrors(writeWhole),
    fsyncSync: recordErrors(fsyncSync),
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
