// The folder of a watch: journal, lock and dead letters. Records precede their events' delivery.

import { appendFileSync, chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../core/error-code.js';
import { Journal } from '../../core/journal.js';
import { copyToBackup, makeFolder } from '../../core/private-file.js';
import { acquireFreeLease, type FreeLeaseOptions, type Lease, leaseHolder } from '../../locks/lease.js';
import type { FleetEvent } from '../../telemetry/events/fleet-event.js';
import { CliError } from '../errors/cli-error.js';
import { refusedFile } from '../errors/unusable.js';
import {
  type OwnerRecord,
  type ReceiverName,
  StoredWatchState,
  WATCH_VERSION,
  type WatchRecord,
} from './watch-records.js';

/** Size from which the journal is compacted, and growth factor between compactions. */
const COMPACT_BYTES = 4 * 1024 * 1024;
const COMPACT_FACTOR = 4;

export class WatchFile {
  readonly storedState = new StoredWatchState();
  /** True for a folder without an earlier watch. */
  readonly isNew: boolean;
  /** Number of unreadable bytes, and the backup file. */
  readonly damage: { readonly bytes: number; readonly backup: string } | null;
  readonly #folder: string;
  readonly #owner: string;
  readonly #lease: Lease;
  readonly #isLost: () => boolean;
  #journal: Journal;
  #compactAt = 0;

  private constructor(folder: string, owner: string, lease: Lease, isLost: () => boolean) {
    this.#folder = folder;
    this.#owner = owner;
    this.#lease = lease;
    this.#isLost = isLost;
    const records: WatchRecord[] = [];
    let damagedBytes = 0;
    let backup: string | null = null;
    this.#journal = new Journal(
      this.#path,
      // Safe cast: only this class writes the file, and each record has a checksum.
      ({ head }) => records.push(head as WatchRecord),
      {
        readOnly: false,
        onDamage: ({ bytes }) => {
          backup ??= copyToBackup(this.#path);
          damagedBytes += bytes;
          return true;
        },
      },
    );
    this.damage = backup === null ? null : { bytes: damagedBytes, backup };
    const owned = records.find((record) => record.kind === 'owner');
    if (owned) checkOwner(owned, owner, folder);
    // Events of an unknown owner are not delivered.
    this.isNew = owned === undefined;
    if (owned) for (const record of records) this.storedState.applyRecord(record);
    this.#compact();
  }

  /** Opens the folder. Throws CliError when another watch, service or user owns it. */
  static async open(folder: string, owner: string, wait: FreeLeaseOptions): Promise<WatchFile> {
    try {
      makeFolder(folder);
      chmodSync(folder, 0o700);
    } catch (error) {
      throw refusedFile(`folder ${folder} of the watch`, 'written', error);
    }
    let isLost = false;
    const lock = join(folder, 'watch.lock');
    const lease = await acquireFreeLease(lock, {
      ...wait,
      onLost: () => {
        isLost = true;
      },
    });
    if (lease === null) throw inUse(folder, leaseHolder(lock)?.pid ?? null);
    try {
      return new WatchFile(folder, owner, lease, () => isLost);
    } catch (error) {
      lease.release();
      throw unwritable(folder, error);
    }
  }

  /** Writes a record to disk. Throws CliError when the disk is full. */
  write(record: WatchRecord): void {
    if (this.#isLost()) {
      throw new CliError('UNEXPECTED', `Another watch has taken over the folder ${this.#folder}.`, {
        hint: 'This happens when the machine sleeps for long. What this watch has found is in the folder; nothing is lost.',
      });
    }
    this.storedState.applyRecord(record);
    this.#save(() => {
      this.#journal.append(record, []);
      if (this.#journal.size > this.#compactAt) this.#compact();
    });
  }

  addDeadLetter(receiver: ReceiverName, event: FleetEvent, reason: string): void {
    const line = `${JSON.stringify({ receiver, reason, event })}\n`;
    this.#save(() => appendFileSync(this.deadLetters, line, { mode: 0o600 }));
  }

  get deadLetters(): string {
    return join(this.#folder, 'dead-letters.ndjson');
  }

  close(): void {
    this.#journal.close();
    this.#lease.release();
  }

  get #path(): string {
    return join(this.#folder, 'watch.journal');
  }

  #save(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw unwritable(this.#folder, error);
    }
  }

  #compact(): void {
    const next = `${this.#path}.next`;
    // Left by a watch that was killed here.
    rmSync(next, { force: true });
    const journal = new Journal(next, () => undefined, { readOnly: false });
    journal.appendAll(this.storedState.records(this.#owner));
    this.#compactAt = Math.max(COMPACT_BYTES, journal.size * COMPACT_FACTOR);
    journal.close();
    // Windows cannot rename an open file.
    this.#journal.close();
    renameSync(next, this.#path);
    this.#journal = new Journal(this.#path, () => undefined, { readOnly: false });
  }
}

function checkOwner(record: OwnerRecord, owner: string, folder: string): void {
  if (record.version !== WATCH_VERSION) {
    throw new CliError('CONFIGURATION', `The watch in ${folder} was written by another version of fleet.`, {
      hint: 'Deliver its events with that version, then delete its watch.journal; or give another folder with --state.',
    });
  }
  if (record.owner === owner) return;
  throw new CliError('CONFIGURATION', `The watch in ${folder} belongs to another service or user.`, {
    hint: 'Give this one a folder of its own: --state <folder>.',
  });
}

/** Returns an error with a hint for a full disk; other errors unchanged. */
function unwritable(folder: string, error: unknown): unknown {
  if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error) ?? '')) return error;
  return new CliError('UNEXPECTED', `There is no space left for the folder ${folder} of the watch.`, {
    hint: 'Free some space, and start the watch again with --since last. Nothing is lost: events that are not stored are found again.',
    cause: error,
  });
}

function inUse(folder: string, pid: number | null): CliError {
  const who = pid === null ? '' : ` (process ${pid})`;
  return new CliError('CONFIGURATION', `Another watch${who} uses the folder ${folder}.`, {
    undone: 'sent',
    hint: 'End it first, or give this one a folder of its own: --state <folder>.',
  });
}
