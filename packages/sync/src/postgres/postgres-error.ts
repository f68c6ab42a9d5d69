// Converts errors of PostgreSQL and of the connection to errors with plain messages.
import { errorCode, SyncTargetError } from 'fleet-telematics/kit';
import { NO_TLS } from './tls.js';

const writtenIsComplete = 'What was written before is complete; run the sync again to go on.';
const unreachable = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'],
  ...['ENOENT', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED'],
  ...['57P01', '57P02', '57P03'],
]);

/** The end of a hint: PostgreSQL reads names without quotes as lower case. */
export const quotedSchema =
  'A schema with capital letters or special characters needs quotes: ?search_path=%22Fleet%22.';

/** Codes of Node for a certificate of another host or of an untrusted authority. */
const certificateCode = /CERT|^ERR_TLS_|^UNABLE_TO_/;

/** Codes for a lock wait over `lock_timeout` and for a deadlock. */
const locked = new Set(['55P03', '40P01']);
/** Codes for a missing table, column or key. */
const missing = new Set(['42P01', '42703', '42P10']);

/** Returns the error of the target. `isOpening`: nothing of the copy was written yet. */
export function postgresError(error: unknown, name: string, isOpening = false): SyncTargetError {
  if (error instanceof SyncTargetError) return error;
  const resumeText = isOpening ? 'Nothing was changed.' : writtenIsComplete;
  const code = errorCode(error) ?? '';
  if (code === NO_TLS) {
    return new SyncTargetError(
      'REFUSED',
      `${name} does not take TLS, so everything would go over the network as plain text. Neither user nor password was sent.`,
      'Turn on TLS at the server. If the network in between is safe, add ?sslmode=disable to the address.',
      error,
    );
  }
  if (certificateCode.test(code)) {
    const hint =
      'Give the authority of the certificate in NODE_EXTRA_CA_CERTS, or ask for TLS without this check: ?sslmode=require.';
    const message = `The certificate of ${name} cannot be trusted (${code}). Neither user nor password was sent.`;
    return new SyncTargetError('REFUSED', message, hint, error);
  }
  if (unreachable.has(code) || code.startsWith('08')) {
    const hint = 'Check the address, and that the server runs and can be reached from here.';
    return new SyncTargetError('UNREACHABLE', `${name} does not answer (${code}). ${resumeText}`, hint, error);
  }
  if (code.startsWith('28')) {
    const hint = 'Check user and password in the address, or PGUSER and PGPASSWORD.';
    return new SyncTargetError('REFUSED', `${name} refuses the login (${code}).`, hint, error);
  }
  if (code === '25006') {
    const hint = 'Name the primary server, not a standby, or set default_transaction_read_only to off for this user.';
    return new SyncTargetError('REFUSED', `${name} can only be read (${code}).`, hint, error);
  }
  if (locked.has(code)) {
    const hint = 'Wait until it has ended, and run the sync again.';
    const message = `Another program has locked tables of ${name} (${code}). ${isOpening ? resumeText : 'What was written before is complete.'}`;
    return new SyncTargetError('IN_USE', message, hint, error);
  }
  if (code === '42501') {
    const hint = 'The user needs CREATE on the schema, and write access to the tables.';
    return new SyncTargetError('REFUSED', `The user of ${name} lacks a right (${code}). ${resumeText}`, hint, error);
  }
  if (code === '3D000') {
    const hint = 'Make it with `createdb`, or name another one.';
    return new SyncTargetError('INVALID', `${name}: there is no such database.`, hint, error);
  }
  if (isOpening && code === '22023') {
    const hint = `Check the settings after ? in the address. ${quotedSchema}`;
    const message = `${name} refuses a setting of the address, such as search_path (${code}). ${resumeText}`;
    return new SyncTargetError('INVALID', message, hint, error);
  }
  if (code === '53100') {
    return new SyncTargetError(
      'FULL',
      `There is no space left for ${name}. ${resumeText}`,
      'Free some space first.',
      error,
    );
  }
  // These messages repeat values, which may be secret. Those of constraints have only names.
  const hasValue = code.startsWith('22');
  const words = error instanceof Error && !hasValue ? `: ${error.message}` : '';
  const about = `${code === '' ? '' : ` (${code})`}${words}`;
  if (code === '23503') {
    const hint =
      'If the constraint is of a table of your own, give it ON DELETE CASCADE or ON DELETE SET NULL, or drop it: rows that the service does not have any more are deleted.';
    return new SyncTargetError(
      'FAILED',
      `A reference keeps ${name} from being written${about}. ${resumeText}`,
      hint,
      error,
    );
  }
  if (code.startsWith('23') || code === 'P0001') {
    const hint =
      'Columns that you add to a table need a default or must allow null; constraints and triggers must take every row of the service.';
    return new SyncTargetError('FAILED', `${name} refuses a row${about}. ${resumeText}`, hint, error);
  }
  if (code === '57014') {
    const hint = 'Allow this user more time, for example with ?statement_timeout=5min in the address.';
    return new SyncTargetError('FAILED', `A statement in ${name} was cancelled${about}. ${resumeText}`, hint, error);
  }
  if (missing.has(code)) {
    const hint = 'Undo the change, or write to another schema: the sync then reads everything anew.';
    return new SyncTargetError('FAILED', `The copy ${name} is damaged${about}.`, hint, error);
  }
  return new SyncTargetError(
    'FAILED',
    `PostgreSQL could not write to ${name}${about}. ${resumeText}`,
    'The log of the server may say more.',
    error,
  );
}
