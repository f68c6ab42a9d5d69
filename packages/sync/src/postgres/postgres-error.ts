// Converts errors of PostgreSQL and of the connection to errors with plain messages.
import { errorCode, SyncTargetError } from 'fleet-telematics/kit';
import { type Fault, faultError, noSpaceFault, RESUME_TEXT } from '../copy-error.js';
import { NO_TLS } from './tls.js';

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
  const code = errorCode(error) ?? '';
  const resumeText = isOpening ? 'Nothing was changed.' : RESUME_TEXT;
  const fault =
    connectionFault(code, name, resumeText) ??
    accessFault(code, name, resumeText, isOpening) ??
    statementFault(code, error, name, resumeText);
  return faultError(fault, error);
}

function connectionFault(code: string, name: string, resumeText: string): Fault | null {
  if (code === NO_TLS) {
    return [
      'REFUSED',
      `${name} does not take TLS, so everything would go over the network as plain text. Neither user nor password was sent.`,
      'Turn on TLS at the server. If the network in between is safe, add ?sslmode=disable to the address.',
    ];
  }
  if (certificateCode.test(code)) {
    return [
      'REFUSED',
      `The certificate of ${name} cannot be trusted (${code}). Neither user nor password was sent.`,
      'Give the authority of the certificate in NODE_EXTRA_CA_CERTS, or ask for TLS without this check: ?sslmode=require.',
    ];
  }
  if (unreachable.has(code) || code.startsWith('08')) {
    const hint = 'Check the address, and that the server runs and can be reached from here.';
    return ['UNREACHABLE', `${name} does not answer (${code}). ${resumeText}`, hint];
  }
  if (code.startsWith('28')) {
    const hint = 'Check user and password in the address, or PGUSER and PGPASSWORD.';
    return ['REFUSED', `${name} refuses the login (${code}).`, hint];
  }
  return null;
}

/** Returns the fault of a database that this user cannot write now, if it is one. */
function accessFault(code: string, name: string, resumeText: string, isOpening: boolean): Fault | null {
  if (code === '25006') {
    const hint = 'Name the primary server, not a standby, or set default_transaction_read_only to off for this user.';
    return ['REFUSED', `${name} can only be read (${code}).`, hint];
  }
  if (locked.has(code)) {
    const state = isOpening ? resumeText : 'What was written before is complete.';
    const message = `Another program has locked tables of ${name} (${code}). ${state}`;
    return ['IN_USE', message, 'Wait until it has ended, and run the sync again.'];
  }
  if (code === '42501') {
    const hint = 'The user needs CREATE on the schema, and write access to the tables.';
    return ['REFUSED', `The user of ${name} lacks a right (${code}). ${resumeText}`, hint];
  }
  if (code === '3D000') {
    return ['INVALID', `${name}: there is no such database.`, 'Make it with `createdb`, or name another one.'];
  }
  if (isOpening && code === '22023') {
    const message = `${name} refuses a setting of the address, such as search_path (${code}). ${resumeText}`;
    return ['INVALID', message, `Check the settings after ? in the address. ${quotedSchema}`];
  }
  return code === '53100' ? noSpaceFault(name, resumeText) : null;
}

function statementFault(code: string, error: unknown, name: string, resumeText: string): Fault {
  // These messages repeat values, which may be secret. Those of constraints have only names.
  const hasValue = code.startsWith('22');
  const words = error instanceof Error && !hasValue ? `: ${error.message}` : '';
  const about = `${code === '' ? '' : ` (${code})`}${words}`;
  if (code === '23503') {
    return [
      'FAILED',
      `A reference keeps ${name} from being written${about}. ${resumeText}`,
      'If the constraint is of a table of your own, give it ON DELETE CASCADE or ON DELETE SET NULL, or drop it: rows that the service does not have any more are deleted.',
    ];
  }
  if (code.startsWith('23') || code === 'P0001') {
    return [
      'FAILED',
      `${name} refuses a row${about}. ${resumeText}`,
      'Columns that you add to a table need a default or must allow null; constraints and triggers must take every row of the service.',
    ];
  }
  if (code === '57014') {
    const hint = 'Allow this user more time, for example with ?statement_timeout=5min in the address.';
    return ['FAILED', `A statement in ${name} was cancelled${about}. ${resumeText}`, hint];
  }
  if (missing.has(code)) {
    const hint = 'Undo the change, or write to another schema: the sync then reads everything anew.';
    return ['FAILED', `The copy ${name} is damaged${about}.`, hint];
  }
  const message = `PostgreSQL could not write to ${name}${about}. ${resumeText}`;
  return ['FAILED', message, 'The log of the server may say more.'];
}
