// Writes a file that only its owner may read, atomically, and removes temporary files of killed
// writers. The package conf is no option: a dependency of it catches the signals of the process and
// exits, even in a program that handles SIGTERM itself.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Age at which a temporary file is stale: a writer needs milliseconds. */
const STALE_AFTER_MS = 60_000;

/** Writes atomically: readers see the old text or the new one, also after a crash. */
export function writePrivateFile(file: string, text: string): void {
  const temporary = `${temporaryPrefix(file)}${randomUUID()}`;
  try {
    const opened = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(opened, text);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(temporary, file);
    // The file system's clock, which set both times.
    const now = statSync(file).mtimeMs;
    removeTemporaries(file, (modifiedAt) => now - modifiedAt > STALE_AFTER_MS);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the temporary files of killed writers. Call it only when no process is writing. */
export function removeTemporaryFiles(file: string): void {
  removeTemporaries(file, () => true);
}

function removeTemporaries(file: string, isStale: (modifiedAt: number) => boolean): void {
  const folder = dirname(file);
  const prefix = basename(temporaryPrefix(file));
  for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    // Another process may have removed it.
    const modifiedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (modifiedAt !== undefined && isStale(modifiedAt)) rmSync(path, { force: true });
  }
}

function temporaryPrefix(file: string): string {
  return `${file}.tmp-`;
}
