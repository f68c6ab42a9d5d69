// The files and folders of a user: private ones, written atomically, and backups of corrupt ones.
// The package conf is no option: a dependency of it catches the signals of the process and exits,
// even in a program that handles SIGTERM itself.
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './error-code.js';

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

/** Restricts a file or folder to its owner; returns true if it was open. Not on Windows. */
export function restrictToOwner(path: string, mode: number): boolean {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return false;
  chmodSync(path, mode);
  return true;
}

/**
 * Creates a folder and its missing parents. Throws when the system refuses one. Node's mkdir with
 * `recursive` never returns for a path below /proc.
 */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    makeFolder(parent, mode);
    makeFolder(path, mode);
  }
}

/**
 * Syncs the names in a folder to disk. A new, renamed or removed file survives a crash of the
 * machine only after that. Windows syncs by itself, and cannot open a folder.
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Copies a corrupt file to a backup, and returns the name of the copy. */
export function copyToBackup(path: string): string {
  // Copying would replace an existing file, so an empty file reserves the name first.
  const stamped = `${path}.corrupt-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  let name = stamped;
  for (let next = 2; !reserve(name); next++) name = `${stamped}-${next}`;
  try {
    copyFileSync(path, name);
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
  return name;
}

/** Creates an empty file; returns false when it exists. */
function reserve(name: string): boolean {
  try {
    closeSync(openSync(name, 'wx', 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
