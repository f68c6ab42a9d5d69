// Says in plain words what PostgreSQL and the connection report.
import { SyncTargetError } from '../target.js';

const goesOn = 'What was written before is complete; run the sync again to go on.';
const unreachable = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'],
  ...['ENOENT', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED'],
  ...['57P01', '57P02', '57P03'],
]);

export function postgresError(error: unknown, name: string): SyncTargetError {
  if (error instanceof SyncTargetError) return error;
  const found: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const code = typeof found === 'string' ? found : '';
  if (unreachable.has(code) || code.startsWith('08')) {
    const hint = 'Check the address, and that the server runs and can be reached from here.';
    return new SyncTargetError('UNREACHABLE', `${name} does not answer (${code}). ${goesOn}`, hint, error);
  }
  if (code.startsWith('28')) {
    const hint = 'Check user and password in the address, or PGUSER and PGPASSWORD.';
    return new SyncTargetError('REFUSED', `${name} refuses the login (${code}).`, hint, error);
  }
  if (code === '42501' || code === '25006') {
    const hint = 'The user needs CREATE on the schema, TEMPORARY on the database, and write access to the tables.';
    return new SyncTargetError('REFUSED', `The user of ${name} lacks a right (${code}). ${goesOn}`, hint, error);
  }
  if (code === '3D000') {
    const hint = 'Make it with `createdb`, or name another one.';
    return new SyncTargetError('INVALID', `${name}: there is no such database.`, hint, error);
  }
  if (code === '53100') {
    return new SyncTargetError(
      'FULL',
      `There is no space left for ${name}. ${goesOn}`,
      'Free some space first.',
      error,
    );
  }
  // Messages about values and constraints repeat values, which may be secret.
  const isOfValue = code.startsWith('22') || code.startsWith('23');
  const words = error instanceof Error && !isOfValue ? `: ${error.message}` : '';
  const about = `${code === '' ? '' : ` (${code})`}${words}`;
  return new SyncTargetError(
    'FAILED',
    `PostgreSQL could not write to ${name}${about}. ${goesOn}`,
    'The log of the server may say more.',
    error,
  );
}
