// The file that SQLite as WebAssembly writes. Its locks mean nothing to other programs: one that opened the file during a transaction would
// take the journal for that of a dead process, roll it back, and damage the copy. So it writes a file of its own, which then takes the place of
// the copy: other programs see the copy of the last sync, whole, until the next one is complete.
import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';

export interface WorkingFile {
  /** What is opened and written. */
  readonly path: string;
  /** Puts it in the place of the copy; it must be closed. */
  publish(): void;
  /** Nothing was written: removes what was made here. */
  discard(): void;
}

/** The copy itself, for a SQLite whose locks other programs respect. `settle`: opens and closes a file, so that its journal is rolled back. */
export function sharedFile(file: string, settle: (path: string) => void): WorkingFile {
  const left = workingPath(file);
  // A sync of another version of Node was killed. What it wrote is complete up to its last transaction.
  if (existsSync(left)) {
    settle(left);
    renameSync(left, file);
  }
  return { path: file, publish: () => undefined, discard: () => undefined };
}

/** A file of its own: the one that a killed sync has left, or a copy of the copy. */
export function privateFile(file: string): WorkingFile {
  const path = workingPath(file);
  const isLeft = existsSync(path);
  // The folder with which SQLite as WebAssembly locks stays when its process is killed.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  if (!isLeft && existsSync(file)) {
    // What a process that is killed here leaves is no whole copy, so it has a name under which nobody looks for one.
    const part = `${path}.part`;
    copyFileSync(file, part, constants.COPYFILE_FICLONE);
    renameSync(part, path);
  }
  return {
    path,
    publish: () => renameSync(path, file),
    discard: () => {
      if (isLeft) return;
      for (const end of ['', '-journal']) rmSync(`${path}${end}`, { force: true });
    },
  };
}

function workingPath(file: string): string {
  return `${file}.new`;
}
