// An answer that arrived with errors: what the service left out of it, and the error that ends a command which printed the rest.
import type { Warning } from '../../core/hooks.js';
import { CliError } from './cli-error.js';
import { messagesOf, shortMessageOf } from './exit-codes.js';

/** The errors that the service sent in place of data. */
export interface PartialResult {
  readonly operation: string | undefined;
  readonly messages: readonly string[];
  /** The messages in one line; without it, they are joined. */
  readonly reason?: string | undefined;
}

/** Returns true for a warning about data that the service left out of an answer. */
export function isOfMissing({ code }: Warning): boolean {
  return code === 'PARTIAL_DATA' || code === 'NULL_ROWS' || code === 'NULL_LIST';
}

export function partialResultOf({ operation, errors, message }: Warning): PartialResult {
  if (errors === undefined) return { operation, messages: [message] };
  return { operation, messages: messagesOf(errors), reason: shortMessageOf(errors) };
}

/** The error of a command that has printed what arrived. */
export function incomplete({ operation, messages }: PartialResult): CliError {
  return new CliError('GRAPHQL', 'The service could not deliver everything.', {
    operation,
    details: messages,
    hint: 'What did arrive has been printed.',
  });
}
