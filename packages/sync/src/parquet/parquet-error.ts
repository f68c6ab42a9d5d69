// Converts errors of the file system and the Parquet library to errors with plain messages.
import { errorCode, SyncTargetError } from 'fleet-telematics/kit';

const resumeText = 'What was written before is complete; run the sync again to go on.';

const full = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const refused = ['EACCES', 'EPERM', 'EROFS'];
const busy = ['EBUSY', 'EMFILE', 'ENFILE'];

export class DamagedFileError extends Error {}

/** A damaged journal, which now ends before the damage. */
export class DamagedJournalError extends Error {
  readonly backup: string;

  constructor(backup: string) {
    super('The journal is damaged');
    this.backup = backup;
  }
}

export function parquetError(error: unknown, name: string): unknown {
  if (error instanceof SyncTargetError) return error;
  const code = errorCode(error) ?? '';
  const text = error instanceof Error ? error.message : String(error);
  if (full.includes(code))
    return new SyncTargetError(
      'FULL',
      `There is no space left for ${name}. ${resumeText}`,
      'Free some space first.',
      error,
    );
  if (refused.includes(code)) {
    return new SyncTargetError(
      'REFUSED',
      `${name}, or a file in it, cannot be read or written: ${text}. ${resumeText}`,
      'Check the rights of the folder and of what is in it. On Windows, close the programs that have its files open.',
      error,
    );
  }
  if (busy.includes(code)) {
    return new SyncTargetError(
      'IN_USE',
      `${name} cannot be used now: ${text}. ${resumeText}`,
      'Run the sync again.',
      error,
    );
  }
  if (error instanceof DamagedFileError) {
    return new SyncTargetError(
      'FAILED',
      `${text}, so the copy ${name} is damaged.`,
      'Delete the folder, or name another one. Then run the sync again: it reads everything anew.',
      error,
    );
  }
  if (error instanceof DamagedJournalError) {
    return new SyncTargetError(
      'FAILED',
      `The journal of a sync of ${name} that did not end was damaged. It is kept as ${error.backup}. What was written before the damage is complete.`,
      'Run the sync again: it reads the rest from the service again.',
      error,
    );
  }
  return new SyncTargetError(
    'FAILED',
    `${name} could not be written: ${text}. ${resumeText}`,
    'The disk or a quota may be the cause. If it happens again, write to another folder.',
    error,
  );
}
