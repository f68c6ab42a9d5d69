// Which journal SQLite uses. During a sync a write-ahead log, with which readers and the sync never wait for each other. At rest a rollback
// journal, so that the copy is one file, which can be copied, and read where nothing may be written.
import { statfsSync } from 'node:fs';
import type { Database } from './database.js';
import { isLocked, type LockWait } from './lock-wait.js';

/**
 * Pages of 8 KiB in the log before they are moved into the file, which waits for the disk. With the
 * usual 1,000 a first sync takes an eighth longer.
 */
const LOG_PAGES = 4_000;

/**
 * Lets others read while the database is written. False where the programs that have it open cannot share the memory that the log needs: then
 * it must be opened again, and get a rollback journal.
 */
export async function toWriteAheadLog(database: Database, wait: LockWait): Promise<boolean> {
  await wait.whenFree(() => database.all('PRAGMA journal_mode = WAL'));
  try {
    await wait.whenFree(() => database.transaction(() => undefined));
    // A power failure may take the last batches, each of them whole: their rows are then read again. A killed process loses nothing.
    database.exec('PRAGMA synchronous = NORMAL');
    database.all(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    return true;
  } catch (error) {
    if (isLocked(error)) throw error;
    return false;
  }
}

/** Works without the memory that programs share for the log; nobody else may have the database open. */
export function toRollbackJournal(database: Database): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  // The lock is taken, and what a killed process has left is taken up, when something is read.
  database.all('SELECT name FROM sqlite_master');
  database.all('PRAGMA journal_mode = DELETE');
  database.exec('PRAGMA locking_mode = NORMAL');
  database.all('SELECT name FROM sqlite_master');
}

/** Puts everything into the one file. @throws when somebody still reads what was there before. */
export function settleWriteAheadLog(database: Database): void {
  try {
    database.all('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!isLocked(error)) throw error;
    // Another program has it open. Unless it is reading now, the file can be made whole all the same.
    const [[isBusy] = []] = database.all('PRAGMA wal_checkpoint(TRUNCATE)');
    if (isBusy !== 0) throw error;
  }
}

/** What Linux calls the file systems that several machines may use: they share no memory, so they cannot share a write-ahead log. */
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

/** Whether only programs of this machine can open the files of a folder, as far as the system tells. */
export function isLocalFolder(folder: string): boolean {
  return !sharedSystems.has(statfsSync(folder).type >>> 0);
}
