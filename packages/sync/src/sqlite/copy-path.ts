// Resolves the file of a copy, which may not exist yet, and refuses any other path.
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
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
