// Resolves the folder of a copy, which may not exist yet, and refuses any other path.
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SyncTargetError } from 'fleet-telematics/kit';
import { isParquetCopy } from './layout.js';
import { parquetError } from './parquet-error.js';

export interface CopyFolder {
  /** Resolved: two links to a folder are one copy. */
  readonly path: string;
  readonly exists: boolean;
}

/** @throws {SyncTargetError} INVALID */
export function copyFolder(folderPath: string, name: string): CopyFolder {
  const path = resolve(folderPath);
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined) {
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
        throw invalid(
          `${name} is a link to a folder that does not exist.`,
          'Name the folder itself, or remove the link.',
        );
      const parent = dirname(path);
      if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory())
        throw invalid(`The folder of ${name} does not exist.`, 'Make it, or name a folder in one that exists.');
      return { path: join(realpathSync(parent), basename(path)), exists: false };
    }
    if (!there.isDirectory()) {
      throw invalid(
        `${name} is a file. A copy in Parquet files is a folder.`,
        'Name a folder that does not exist yet, or leave out --format to keep a copy in a SQLite file.',
      );
    }
    if (!isParquetCopy(path) && readdirSync(path).length > 0) {
      throw invalid(
        `${name} is a folder with other things in it, which no sync has made.`,
        'Name a folder that does not exist yet, or an empty one.',
      );
    }
    return { path: realpathSync(path), exists: true };
  } catch (error) {
    throw parquetError(error, name);
  }
}

function invalid(what: string, hint: string): SyncTargetError {
  return new SyncTargetError('INVALID', `${what} Nothing was changed.`, hint);
}
