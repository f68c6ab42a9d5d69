// What to do when the service answers, but not with everything: print what did arrive and end with exit code 6; fail at once
// when nothing did.
import { classificationOf } from '../../core/errors.js';
import type { CallOptions, WarningEvent } from '../../index.js';
import type { Context } from '../run/context.js';
import { CliError } from './cli-error.js';
import { messagesOf } from './exit-codes.js';

/** What the service said instead of data. */
export interface PartialResult {
  readonly operation: string | undefined;
  readonly messages: readonly string[];
  readonly isNotFound: boolean;
}

export function partialResultOf({ operation, errors = [] }: WarningEvent): PartialResult {
  const isNotFound = errors.length > 0 && errors.every((error) => classificationOf(error) === 'NOT_FOUND');
  return { operation, messages: messagesOf(errors), isNotFound };
}

/** Makes a call whose answer may be incomplete. */
export async function tolerate<T>(context: Context, call: (options: CallOptions) => Promise<T>): Promise<T> {
  const before = context.partialResults.length;
  const value = await call({ partial: true, signal: context.io.signal });
  const [shortfall] = isNothing(value) ? context.partialResults.splice(before) : [];
  if (!shortfall) return value;
  const { operation, messages, isNotFound } = shortfall;
  const what = operation === undefined || operation === 'request' ? '' : ` ${operation}`;
  throw new CliError(isNotFound ? 'NOT_FOUND' : 'GRAPHQL', `The service answered${what} with an error.`, {
    operation,
    details: messages,
  });
}

/** The error that ends a command which has printed what there was. */
export function incomplete({ operation, messages }: PartialResult): CliError {
  return new CliError('GRAPHQL', 'The service could not deliver everything.', {
    operation,
    details: messages,
    hint: 'What did arrive has been printed.',
  });
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every((member) => member === null);
}
