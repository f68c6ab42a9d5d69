// Converts errors of SQLite and the file system to errors with plain messages.
import { SyncTargetError } from 'fleet-telematics/kit';
import { type Fault, faultError, noSpaceFault, RESUME_TEXT } from '../copy-error.js';
import { isLocked, LOCK_WAIT_MS } from './lock-wait.js';

/** Matches messages, as the SQLite modules share no codes. A signal's reason stays unchanged. */
export function sqliteError(error: unknown, name: string, signal?: AbortSignal): unknown {
  if (error instanceof SyncTargetError || (signal?.aborted && error === signal.reason)) return error;
  const text = error instanceof Error ? error.message : String(error);
  return faultError(contentFault(text, name) ?? accessFault(error, text, name), error);
}

/** Returns the fault of a file with the wrong content, if it is one. */
function contentFault(text: string, name: string): Fault | null {
  if (/not a database|file is encrypted/i.test(text)) {
    return [
      'INVALID',
      `${name} is a file, but not a SQLite database. Nothing was changed.`,
      'Name a file that does not exist yet.',
    ];
  }
  const obstacle = /error in (\w+ .+) after drop column/i.exec(text)?.[1];
  if (obstacle !== undefined) {
    return [
      'INVALID',
      `This version of fleet-telematics changes the tables of ${name}, and the ${obstacle} that somebody has added stands in the way. Nothing was changed.`,
      'Keep its definition, drop it, run the sync once, and make it again without the columns that are gone: the changelog names them.',
    ];
  }
  if (!/malformed|corrupt|no such (table|column)/i.test(text)) return null;
  return [
    'FAILED',
    `The database ${name} is damaged: SQLite says "${text}".`,
    `Delete the file, and ${name}.new if it is there, or name another file. Then run the sync again: it reads everything anew.`,
  ];
}

const unopenedCodes: readonly unknown[] = ['ENOENT', 'ELOOP', 'ENOTDIR', 'EISDIR'];

function accessFault(error: unknown, text: string, name: string): Fault {
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
  if (/disk is full|\bfull\b|ENOSPC/i.test(text) || code === 'ENOSPC' || code === 'EDQUOT') return noSpaceFault(name);
  if (/readonly|read-only/i.test(text) || code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return [
      'REFUSED',
      `${name}, or its folder, cannot be written. Nothing was changed.`,
      'Check the rights of the file and of its folder, where SQLite keeps its journal.',
    ];
  }
  if (isLocked(error)) {
    return [
      'IN_USE',
      `Another program has kept ${name} locked for ${LOCK_WAIT_MS / 1000} s. What was written before is complete.`,
      'Wait until it has ended, and run the sync again.',
    ];
  }
  if (/unable to open/i.test(text) || unopenedCodes.includes(code)) {
    return [
      'INVALID',
      `${name} cannot be opened: its folder does not exist, it is itself a folder, or it must not be read.`,
      'Name a file in a folder that exists.',
    ];
  }
  return [
    'FAILED',
    `SQLite could not write to ${name}: ${text}. ${RESUME_TEXT}`,
    'The disk, a quota or a limit on the size of files (ulimit -f) may be the cause. If it happens again, write to another file.',
  ];
}

/** Returns the code of the system, such as `ENOSPC`. SQLite of Node has one code for all errors. */
function codeOf(error: unknown): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === 'ERR_SQLITE_ERROR' ? undefined : code;
}
