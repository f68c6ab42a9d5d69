// Selects the journal of SQLite. During a sync it is a write-ahead log: readers and the sync never
// wait for each other. At rest it is a rollback journal: the copy is one file, which can be copied,
// and read in a read-only folder.
import { statfsSync } from 'node:fs';
import type { Database } from './database.js';
import { isLocked, type LockWait } from './lock-wait.js';

/** Log pages of 8 KiB before a slow move into the file. 1,000 make a first sync 1/8 longer. */
const LOG_PAGES = 4_000;

/**
 * Lets others read while the database is written. Returns false when other programs cannot share
 * the memory of the log: then the database must be opened again with a rollback journal.
 */
export async function toWriteAheadLog(database: Database, wait: LockWait): Promise<boolean> {
  await wait.whenFree(() => database.all('PRAGMA journal_mode = WAL'));
  try {
    await wait.whenFree(() => database.transaction(() => undefined));
    // A power failure may lose the last batches, which are then read again.
    database.exec('PRAGMA synchronous = NORMAL');
    database.all(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    return true;
  } catch (error) {
    if (isLocked(error)) throw error;
    return false;
  }
}

/** Needs no shared memory for the log. No other program may have the database open. */
export function toRollbackJournal(database: Database): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  // The read takes the lock and recovers what a killed process has left.
  database.all('SELECT name FROM sqlite_master');
  database.all('PRAGMA journal_mode = DELETE');
  database.exec('PRAGMA locking_mode = NORMAL');
  database.all('SELECT name FROM sqlite_master');
}

/**
 * Moves the log into the file.
 * @throws when a program still reads an older state.
 */
export function settleWriteAheadLog(database: Database): void {
  try {
    database.all('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!isLocked(error)) throw error;
    // Another program has the file open. Unless it is reading now, the log can still be moved.
    const [[isBusy] = []] = database.all('PRAGMA wal_checkpoint(TRUNCATE)');
    if (isBusy !== 0) throw error;
  }
}

/** Linux codes of file systems for several machines, which cannot share the memory of a log. */
const sharedSystems: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0xff53_4d42, // CIFS
  0xfe53_4d42, // SMB 2
  0x517b, // SMB
  0x0102_1997, // 9p, of virtual machines
  0x6573_5546, // FUSE: sshfs, and folders that containers share with their host
  0x00c3_6400, // Ceph
  0x0bd0_0bd0, // Lustre
]);

/** Returns true when only this machine can open files of the folder, as far as the system shows. */
export function isLocalFolder(folder: string): boolean {
  return !sharedSystems.has(statfsSync(folder).type >>> 0);
}
