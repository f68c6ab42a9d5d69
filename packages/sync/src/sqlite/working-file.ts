// The file that a sync writes. SQLite of Node writes the copy itself. The locks of SQLite as WebAssembly mean nothing to other programs: one
// that opened the file during a transaction would take the journal for that of a dead process, roll it back, and damage the copy. So it writes
// a file of its own, which then takes the place of the copy: other programs see the copy of the last sync, whole, until the next one is
// complete.
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
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { SyncTargetError } from 'fleet-telematics/kit';

export interface WorkingFile {
  /** What is opened and written. */
  readonly path: string;
  /** Puts it in the place of the copy; it must be closed. */
  publish(): void;
  /** Nothing was written: removes what was made here. */
  discard(): void;
}

/**
 * What SQLite keeps beside a file. After a sync that was killed they belong to its content: a file without them is not whole, and they must
 * never stand beside another file.
 */
const contents = ['-wal', '-journal'] as const;
const companions = [...contents, '-shm'] as const;

/** The copy itself, for a SQLite whose locks other programs respect. `settle`: opens and closes a file, so that it is whole by itself. */
export function sharedFile(file: string, settle: (path: string) => void): WorkingFile {
  const left = workingPath(file);
  // A sync of another version of Node was killed. What it wrote is complete up to its last transaction.
  if (isLeft(left, file)) {
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

/** A file of its own: the one that a killed sync has left, or a copy of the copy. */
export function privateFile(file: string): WorkingFile {
  const path = workingPath(file);
  const isTakenUp = isLeft(path, file);
  // The folder with which SQLite as WebAssembly locks stays when its process is killed.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  if (!isTakenUp) {
    remove(path);
    if (existsSync(file)) duplicate(file, path);
    else makePrivate(path);
  }
  return {
    path,
    publish() {
      // When a full disk has kept a batch from being taken back, the file is whole only with what stands beside it. The next sync takes both up.
      if (!contents.some((end) => existsSync(`${path}${end}`))) replace(file, path);
    },
    discard: () => {
      if (!isTakenUp) remove(path);
    },
  };
}

/**
 * Whether a killed sync has left this file. A link, or a file of another user, is not one: who may write to the folder could have put it there
 * to have something else written, or to have it taken for the copy.
 */
function isLeft(path: string, file: string): boolean {
  const owner = statSync(file, { throwIfNoEntry: false })?.uid;
  for (const end of ['', ...companions]) {
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

/** Nobody else can read it, whatever the mask of the process; SQLite gives the mode to its other files too. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** With the mode, the group and the owner of the copy, which its user may have opened to others. */
function duplicate(file: string, path: string): void {
  // First what belongs to the file: when another program ends in between and writes it into the file, it is there twice, which does no harm.
  for (const end of contents) {
    if (lstatSync(`${file}${end}`, { throwIfNoEntry: false })?.isFile() !== true) continue;
    copyFileSync(`${file}${end}`, `${path}${end}`, constants.COPYFILE_EXCL);
  }
  // What a process that is killed here leaves is no whole copy, so it has a name under which nobody looks for one.
  const part = `${path}.part`;
  rmSync(part, { force: true });
  copyFileSync(file, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  keepOwner(file, part);
  renameSync(part, path);
}

function keepOwner(file: string, part: string): void {
  const { uid, gid, mode } = statSync(file);
  const made = statSync(part);
  if (uid === made.uid && gid === made.gid) return;
  try {
    // Only root may give a file to another user.
    chownSync(part, process.getuid?.() === 0 ? uid : made.uid, gid);
    chmodSync(part, mode);
  } catch {
    // Only its members may give a file to a group. What the group may do was meant for that one, not for this one.
    chmodSync(part, mode & 0o707);
  }
}

/** Puts a whole file in the place of another. What stands beside that one belongs to its old content. */
function replace(file: string, by: string): void {
  for (const end of companions) rmSync(`${file}${end}`, { force: true });
  renameSync(by, file);
}

function remove(path: string): void {
  for (const end of ['', ...companions]) rmSync(`${path}${end}`, { force: true });
}

/** Whether SQLite as WebAssembly can read it where it is: what belongs to it stands in no other file, and it needs no shared memory. */
export function isWholeFile(file: string): boolean {
  if (contents.some((end) => existsSync(`${file}${end}`))) return false;
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
