// Opens the target that the user names, and converts its errors to those of the command line.

import { CliError } from 'fleet-telematics/kit/command';
import type { PostgresTargetOptions, SqliteTargetOptions, SyncTarget, SyncTargetReason } from '../index.js';
import { isParquetCopy } from '../parquet/layout.js';

/** The entry point fleet-telematics-sync, which only `fleet sync` loads. */
export type SyncModule = typeof import('../index.js');

/**
 * Returns true for a PostgreSQL address, even without its colon. No path begins like that, and the
 * refusal of an address does not print its password.
 */
function isPostgres(text: string): boolean {
  return /^postgres(ql)?(:|\/\/)/i.test(text);
}

export const formats = ['sqlite', 'parquet'] as const;
export type FileFormat = (typeof formats)[number];

/** Returns the format. By default a path is the Parquet copy that is there, else a SQLite file. */
export function targetFormatOf(text: string, format: FileFormat | undefined): FileFormat | 'postgres' {
  if (isPostgres(text)) {
    if (format === undefined) return 'postgres';
    throw new CliError('USAGE', 'The target is a PostgreSQL database, and --format is for files.', {
      undone: 'read',
      hint: 'Leave out --format, or name a path.',
    });
  }
  // Also with several colons, as in jdbc:postgresql://.
  if (/^[a-z][a-z\d+.:-]+:\/\//i.test(text)) {
    throw new CliError('USAGE', 'The target is an address of neither PostgreSQL nor a file.', {
      undone: 'read',
      hint: 'Give a path such as fleet.db, or an address such as postgres://user@host/database.',
    });
  }
  if (text === ':memory:') {
    throw new CliError('USAGE', '":memory:" is a database of SQLite that ends with the command.', {
      undone: 'read',
      hint: 'Name a file, such as fleet.db; one of that name is ./:memory:.',
    });
  }
  if (format !== undefined) return format;
  if (isParquetCopy(text)) return 'parquet';
  if (!/[/\\]$/.test(text)) return 'sqlite';
  throw new CliError('USAGE', `"${text}" ends as a folder does, and a copy in SQLite is a file.`, {
    undone: 'read',
    hint: 'For a folder of Parquet files add --format parquet. For SQLite name a file, such as fleet.db.',
  });
}

export function targetOf(
  sdk: SyncModule,
  text: string,
  format: FileFormat | 'postgres',
  options: SqliteTargetOptions & PostgresTargetOptions,
): SyncTarget {
  if (format === 'postgres') return postgres(sdk, text, options);
  if (options.grants !== undefined) {
    throw new CliError('USAGE', '--grants is for roles of PostgreSQL, and the target is a file or a folder.', {
      undone: 'read',
      hint: 'For files set their group and mode, for example `chgrp reports fleet.db; chmod 640 fleet.db`.',
    });
  }
  return format === 'parquet' ? sdk.parquetTarget(text) : sdk.sqliteTarget(text, options);
}

function postgres(sdk: SyncModule, text: string, options: PostgresTargetOptions): SyncTarget {
  try {
    return sdk.postgresTarget(text, options);
  } catch (error) {
    return rethrowWith(sdk)(error);
  }
}

const codes: Readonly<Record<SyncTargetReason, 'CONFIGURATION' | 'NETWORK' | 'SYNC_TARGET' | 'IN_USE'>> = {
  INVALID: 'CONFIGURATION',
  REFUSED: 'CONFIGURATION',
  NEWER: 'CONFIGURATION',
  OTHER_ORIGIN: 'CONFIGURATION',
  UNREACHABLE: 'NETWORK',
  IN_USE: 'IN_USE',
  FULL: 'SYNC_TARGET',
  FAILED: 'SYNC_TARGET',
};

/** Hints that replace those that name an option of the SDK. */
const hints: Readonly<Partial<Record<SyncTargetReason, string>>> = {
  OTHER_ORIGIN:
    'Name another target, or select the user and the service of the copy. If the change is meant, add --adopt.',
};

/** Rethrows target errors as errors of the command line, and other errors unchanged. */
export function rethrowWith({ SyncTargetError }: SyncModule): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SyncTargetError)) throw error;
    throw new CliError(codes[error.reason], error.message, { hint: hints[error.reason] ?? error.hint, cause: error });
  };
}

/** Returns true when another sync or program holds the target, which ends by itself. */
export function isInUse(error: unknown): error is CliError {
  return error instanceof CliError && error.code === 'IN_USE';
}
