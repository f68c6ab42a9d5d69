// The file of a copy, and the file that a sync writes. SQLite of Node writes the copy itself. Other
// programs ignore the locks of SQLite as WebAssembly: one that opened the file during a transaction
// would roll back its journal and damage the copy. So it writes its own file, which replaces the
// copy when the sync is complete.
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SyncTargetError } from 'fleet-telematics/kit';
import { sqliteError } from './sqlite-error.js';

/**
 * Returns the path without links: two links to a file are one copy, and a link stays a link.
 * @throws {SyncTargetError} INVALID
 */
export function copyPath(path: string, name: string): string {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) {
      throw new SyncTargetError(
        'INVALID',
        `${name} is ${kindOf(there)}, not a file. Nothing was changed.`,
        'Name a file that does not exist yet.',
      );
    }
    if (there !== undefined) return realpathSync(path);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      throw new SyncTargetError(
        'INVALID',
        `${name} is a link to a file that does not exist. Nothing was changed.`,
        'Name the file itself, or remove the link.',
      );
    }
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    throw sqliteError(error, name);
  }
}

function kindOf(there: Stats): string {
  if (there.isDirectory()) return 'a folder';
  if (there.isFIFO()) return 'a named pipe';
  return there.isSocket() ? 'a socket' : 'a device';
}

export interface WorkingFile {
  readonly path: string;
  /** Replaces the copy. The file must be closed. */
  publish(): void;
  /** Removes the new files; nothing was written. */
  discard(): void;
}

/** Files next to a database. After a kill they belong to its content, and to no other file. */
const contentSuffixes = ['-wal', '-journal'] as const;
const companionSuffixes = [...contentSuffixes, '-shm'] as const;

/**
 * Returns the copy itself, for a SQLite whose locks other programs respect. `settle` opens and
 * closes a file, so that it is whole by itself.
 */
export function sharedFile(file: string, settle: (path: string) => void): WorkingFile {
  const left = workingPath(file);
  // A sync with another Node version was killed. Its file is complete up to the last transaction.
  if (isLeftover(left, file)) {
    settle(left);
    replace(file, left);
  }
  const isNew = !existsSync(file);
  if (isNew) makePrivate(file);
  return {
    path: file,
    publish: () => undefined,
    discard: () => {
      if (isNew) remove(file);
    },
  };
}

/** Returns another file: the one that a killed sync has left, or a duplicate of the copy. */
export function privateFile(file: string): WorkingFile {
  const path = workingPath(file);
  const isResumed = isLeftover(path, file);
  // The lock folder of SQLite as WebAssembly outlives a killed process.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  if (!isResumed) {
    remove(path);
    if (existsSync(file)) duplicate(file, path);
    else makePrivate(path);
  }
  return {
    path,
    publish() {
      // After a failed rollback on a full disk, the next sync needs the file with its journal.
      if (!contentSuffixes.some((end) => existsSync(`${path}${end}`))) replace(file, path);
    },
    discard: () => {
      if (!isResumed) remove(path);
    },
  };
}

/**
 * Returns true when a killed sync has left this file. A link or a file of another user is refused:
 * anybody with write access to the folder could redirect writes, or replace the copy.
 */
function isLeftover(path: string, file: string): boolean {
  const owner = statSync(file, { throwIfNoEntry: false })?.uid;
  for (const end of ['', ...companionSuffixes]) {
    const found = lstatSync(`${path}${end}`, { throwIfNoEntry: false });
    const isOwn = found?.uid === process.getuid?.() || found?.uid === owner || process.platform === 'win32';
    if (found === undefined || (found.isFile() && isOwn)) continue;
    throw new SyncTargetError(
      'INVALID',
      `${path}${end} is a link, or belongs to another user: no sync of yours has left it. Nothing was changed.`,
      'Find out who has put it there, and remove it. Keep the copy in a folder to which only you can write.',
    );
  }
  return existsSync(path);
}

/** Creates a file that only its owner can read, whatever the umask. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** Copies the file with its mode, group and owner, which the user may have changed. */
function duplicate(file: string, path: string): void {
  // These first: rows that another program moves meanwhile are there twice, which does no harm.
  for (const end of contentSuffixes) {
    if (lstatSync(`${file}${end}`, { throwIfNoEntry: false })?.isFile() !== true) continue;
    copyFileSync(`${file}${end}`, `${path}${end}`, constants.COPYFILE_EXCL);
  }
  // A killed process must not leave an incomplete copy under the final name.
  const part = `${path}.part`;
  rmSync(part, { force: true });
  copyFileSync(file, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  copyOwner(file, part);
  renameSync(part, path);
}

function copyOwner(file: string, part: string): void {
  const { uid, gid, mode } = statSync(file);
  const made = statSync(part);
  if (uid === made.uid && gid === made.gid) return;
  try {
    // Only root may give a file to another user.
    chownSync(part, process.getuid?.() === 0 ? uid : made.uid, gid);
    chmodSync(part, mode);
  } catch {
    // Only its members may give a file to a group, and the rights were those of the old group.
    chmodSync(part, mode & 0o707);
  }
}

/** Replaces a file with a whole one. The files next to it belong to its old content. */
function replace(file: string, by: string): void {
  for (const end of companionSuffixes) rmSync(`${file}${end}`, { force: true });
  renameSync(by, file);
}

function remove(path: string): void {
  for (const end of ['', ...companionSuffixes]) rmSync(`${path}${end}`, { force: true });
}

/** Returns true when SQLite as WebAssembly can read the file: no journal, no shared memory. */
export function isWholeFile(file: string): boolean {
  if (contentSuffixes.some((end) => existsSync(`${file}${end}`))) return false;
  const opened = openSync(file, 'r');
  try {
    // Versions of the file format for writing and reading; 2 is that of the write-ahead log.
    const versions = Buffer.alloc(2);
    readSync(opened, versions, 0, 2, 18);
    return !versions.includes(2);
  } finally {
    closeSync(opened);
  }
}

function workingPath(file: string): string {
  return `${file}.new`;
}
