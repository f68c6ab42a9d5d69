// Converts errors of SQLite and the file system to errors with plain messages.
import { SyncTargetError } from 'fleet-telematics/kit';
import { isLocked, LOCK_WAIT_MS } from './lock-wait.js';

const resumeText = 'What was written before is complete; run the sync again to go on.';

/** Matches messages, as the SQLite modules share no codes. A signal's reason stays unchanged. */
export function sqliteError(error: unknown, name: string, signal?: AbortSignal): unknown {
  if (error instanceof SyncTargetError || (signal?.aborted && error === signal.reason)) return error;
  const text = error instanceof Error ? error.message : String(error);
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
  if (/not a database|file is encrypted/i.test(text)) {
    return new SyncTargetError(
      'INVALID',
      `${name} is a file, but not a SQLite database. Nothing was changed.`,
      'Name a file that does not exist yet.',
      error,
    );
  }
  const obstacle = /error in (\w+ .+) after drop column/i.exec(text)?.[1];
  if (obstacle !== undefined) {
    return new SyncTargetError(
      'INVALID',
      `This version of fleet-telematics changes the tables of ${name}, and the ${obstacle} that somebody has added stands in the way. Nothing was changed.`,
      'Keep its definition, drop it, run the sync once, and make it again without the columns that are gone: the changelog names them.',
      error,
    );
  }
  if (/malformed|corrupt|no such (table|column)/i.test(text)) {
    return new SyncTargetError(
      'FAILED',
      `The database ${name} is damaged: SQLite says "${text}".`,
      `Delete the file, and ${name}.new if it is there, or name another file. Then run the sync again: it reads everything anew.`,
      error,
    );
  }
  if (/disk is full|\bfull\b|ENOSPC/i.test(text) || code === 'ENOSPC' || code === 'EDQUOT') {
    return new SyncTargetError(
      'FULL',
      `There is no space left for ${name}. ${resumeText}`,
      'Free some space first.',
      error,
    );
  }
  if (/readonly|read-only/i.test(text) || code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new SyncTargetError(
      'REFUSED',
      `${name}, or its folder, cannot be written. Nothing was changed.`,
      'Check the rights of the file and of its folder, where SQLite keeps its journal.',
      error,
    );
  }
  if (isLocked(error)) {
    return new SyncTargetError(
      'IN_USE',
      `Another program has kept ${name} locked for ${LOCK_WAIT_MS / 1000} s. What was written before is complete.`,
      'Wait until it has ended, and run the sync again.',
      error,
    );
  }
  if (
    /unable to open/i.test(text) ||
    code === 'ENOENT' ||
    code === 'ELOOP' ||
    code === 'ENOTDIR' ||
    code === 'EISDIR'
  ) {
    return new SyncTargetError(
      'INVALID',
      `${name} cannot be opened: its folder does not exist, it is itself a folder, or it must not be read.`,
      'Name a file in a folder that exists.',
      error,
    );
  }
  return new SyncTargetError(
    'FAILED',
    `SQLite could not write to ${name}: ${text}. ${resumeText}`,
    'The disk, a quota or a limit on the size of files (ulimit -f) may be the cause. If it happens again, write to another file.',
    error,
  );
}

/** Returns the code of the system, such as `ENOSPC`. SQLite of Node has one code for all errors. */
function codeOf(error: unknown): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === 'ERR_SQLITE_ERROR' ? undefined : code;
}
