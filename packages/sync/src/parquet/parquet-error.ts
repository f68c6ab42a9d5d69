// Converts errors of the file system and the Parquet library to errors with plain messages.
import { errorCode, SyncTargetError } from 'fleet-telematics/kit';
import { type Fault, faultError, noSpaceFault, RESUME_TEXT } from '../copy-error.js';

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
  return error instanceof SyncTargetError ? error : faultError(faultOf(error, name), error);
}

function faultOf(error: unknown, name: string): Fault {
  const code = errorCode(error) ?? '';
  const text = error instanceof Error ? error.message : String(error);
  if (full.includes(code)) return noSpaceFault(name);
  if (refused.includes(code)) {
    return [
      'REFUSED',
      `${name}, or a file in it, cannot be read or written: ${text}. ${RESUME_TEXT}`,
      'Check the rights of the folder and of what is in it. On Windows, close the programs that have its files open.',
    ];
  }
  if (busy.includes(code)) {
    return ['IN_USE', `${name} cannot be used now: ${text}. ${RESUME_TEXT}`, 'Run the sync again.'];
  }
  if (error instanceof DamagedFileError) {
    return [
      'FAILED',
      `${text}, so the copy ${name} is damaged.`,
      'Delete the folder, or name another one. Then run the sync again: it reads everything anew.',
    ];
  }
  if (error instanceof DamagedJournalError) {
    return [
      'FAILED',
      `The journal of a sync of ${name} that did not end was damaged. It is kept as ${error.backup}. What was written before the damage is complete.`,
      'Run the sync again: it reads the rest from the service again.',
    ];
  }
  return [
    'FAILED',
    `${name} could not be written: ${text}. ${RESUME_TEXT}`,
    'The disk or a quota may be the cause. If it happens again, write to another folder.',
  ];
}
