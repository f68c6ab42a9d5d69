// The database that the user names, and its errors in the words and exit codes of the command line.
import type { SyncTarget, SyncTargetErrorCode } from '../../sync/index.js';
import { CliError, type CliErrorCode } from '../errors/cli-error.js';

/** The entry fleet-telematics/sync, which only `fleet sync` loads. */
export type SyncModule = typeof import('../../sync/index.js');

export function isPostgres(text: string): boolean {
  return /^postgres(ql)?:/i.test(text);
}

/** A path is a SQLite file, `postgres://…` a PostgreSQL database. */
export function targetOf(sdk: SyncModule, text: string): SyncTarget {
  if (isPostgres(text)) return postgres(sdk, text);
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(text)) {
    throw new CliError('USAGE', 'The target is an address of neither PostgreSQL nor a file. Nothing was read.', {
      hint: 'Give a path such as fleet.db, or an address such as postgres://user@host/database.',
    });
  }
  return sdk.sqliteTarget(text);
}

function postgres(sdk: SyncModule, text: string): SyncTarget {
  try {
    return sdk.postgresTarget(text);
  } catch (error) {
    return rethrowWith(sdk)(error);
  }
}

const codes: Readonly<Record<SyncTargetErrorCode, CliErrorCode | 'NETWORK'>> = {
  INVALID: 'CONFIGURATION',
  REFUSED: 'CONFIGURATION',
  NEWER: 'CONFIGURATION',
  OTHER_ORIGIN: 'CONFIGURATION',
  UNREACHABLE: 'NETWORK',
  IN_USE: 'TARGET',
  FULL: 'TARGET',
  FAILED: 'TARGET',
};

/** Throws the errors of databases in the words and exit codes of the command line, and others as they are. */
export function rethrowWith({ SyncTargetError }: SyncModule): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SyncTargetError)) throw error;
    const hint = error.hint.replace('set `adopt: true`', 'add --adopt');
    throw new CliError(codes[error.code], error.message, { hint, cause: error });
  };
}
