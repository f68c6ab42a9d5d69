// The reason of the service for refusing a list that a command can do without.
import type { Run } from '../context/context.js';
import { commandFailureOf } from '../errors/exit-codes.js';

/** Returns the messages of the service. Rethrows a failure that is no refusal of the service. */
export function refusalReason({ io, globals }: Run, error: unknown): string {
  const { code, message, details } = commandFailureOf(error, io.signal.aborted, globals.timeout);
  if (code !== 'GRAPHQL' && code !== 'NOT_FOUND') throw error;
  return details.length > 0 ? details.join(' ') : message;
}
