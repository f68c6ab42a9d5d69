// Makes calls whose answer may be incomplete: what arrived is used, and the command fails only when nothing did.

import type { CallOptions } from '../../index.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';

/** Keeps an incomplete answer; `run` then ends the command with exit code 6. @throws CliError when nothing arrived. */
export async function allowPartial<T>(context: Context, call: (options: CallOptions) => Promise<T>): Promise<T> {
  const before = context.partialResults.length;
  const value = await call({ partial: true, signal: context.io.signal });
  if (isNothing(value)) refuseNothing(context, before);
  return value;
}

/** For an answer without any data. `before`: the partial results before the call. @throws CliError when errors are the reason */
export function refuseNothing(context: Context, before: number): void {
  const [partialResult] = context.partialResults.splice(before);
  if (!partialResult) return;
  const { operation, messages, isNotFound } = partialResult;
  const what = operation === undefined || operation === 'request' ? '' : ` ${operation}`;
  throw new CliError(isNotFound ? 'NOT_FOUND' : 'GRAPHQL', `The service answered${what} with an error.`, {
    operation,
    details: messages,
  });
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every((member) => member === null);
}
