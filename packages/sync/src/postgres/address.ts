// Checks the address of a PostgreSQL database and returns its name for messages.
import { SyncTargetError } from 'fleet-telematics/kit';

/**
 * Returns the address without user, password and settings. A typing error can move the password
 * into the host or the database, so unclear addresses are refused.
 * @throws {SyncTargetError} INVALID; the message has nothing of the address.
 */
export function nameOf(url: string): string {
  const parsed = /^postgres(ql)?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (parsed === null) throw invalid('Write it as postgres://user:password@host:5432/database.');
  const { username, password, host, pathname, search, hash } = parsed;
  const hasStray = [pathname, search, hash].some((part) => part.includes('@'));
  if (hasStray || ![username, password, host, pathname].every(isWellEscaped)) {
    throw invalid(
      'In user, password and database, write % as %25, @ as %40, / as %2F, : as %3A, ? as %3F and # as %23. Or give the password in PGPASSWORD.',
    );
  }
  return `postgres://${host || 'localhost'}${pathname === '/' ? '' : pathname}`;
}

function isWellEscaped(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function invalid(hint: string): SyncTargetError {
  return new SyncTargetError('INVALID', 'The address of PostgreSQL is not valid. Nothing was read.', hint);
}
