// Incomplete answers, and the error that ends a command which printed one.
import type { Warning } from '../../core/hooks.js';
import { CliError } from './cli-error.js';
import { messagesOf, shortMessageOf } from './exit-codes.js';

/** The errors that the service sent instead of data. */
export interface PartialResult {
  readonly operation: string | undefined;
  readonly messages: readonly string[];
  /** The messages in one line; default: joined. */
  readonly reason?: string | undefined;
}

/** True for a warning about missing data. */
export function isOfMissing({ code }: Warning): boolean {
  return code === 'PARTIAL_DATA' || code === 'NULL_ROWS' || code === 'NULL_LIST';
}

export function partialResultOf({ operation, errors, message }: Warning): PartialResult {
  if (errors === undefined) return { operation, messages: [message] };
  return { operation, messages: messagesOf(errors), reason: shortMessageOf(errors) };
}

/** Returns the error of a command that printed an incomplete answer. */
export function incomplete({ operation, messages }: PartialResult): CliError {
  return new CliError('GRAPHQL', 'The service could not deliver everything.', {
    operation,
    details: messages,
    hint: 'What did arrive has been printed.',
  });
}
