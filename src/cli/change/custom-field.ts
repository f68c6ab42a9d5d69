// Setting a custom field, of a vehicle or of a person: what has to be said, and what to say when the service refuses it.

import { didYouMean } from '../../core/suggestions.js';
import { CliError } from '../errors/cli-error.js';
import { failureOf } from '../errors/exit-codes.js';
import type { Context } from '../run/context.js';
import type { ChangeSpec } from './plan.js';

/** The part of the change that every kind of record has in common. An empty `value` clears the field. */
export function customFieldInput(
  name: string | undefined,
  value: string | undefined,
): Pick<ChangeSpec, 'input' | 'flags' | 'refine'> {
  return {
    input: { variable: 'field', type: 'CustomFieldInput' },
    flags: { name, value: value === '' ? null : value },
    refine(input, where) {
      // Left out, the value might clear the field: that has to be said.
      if (typeof input.name === 'string' && input.name.trim() !== '' && input.value !== undefined) return { ...input };
      const missing = input.value === undefined && input.name !== undefined ? 'value' : 'name';
      throw new CliError('USAGE', `${where}The ${missing} of the field is missing. Nothing was sent.`, {
        hint: `Give it as an argument, or as "${missing}" in --input; an empty value clears the field.`,
      });
    },
  };
}

/**
 * The error of a field that could not be set, with the names of the fields there are when it is none of them. `read` lists those
 * names. The contract does not say which names a service takes, so it is asked first and this is said when it refuses.
 */
export async function explainRefusal(
  context: Context,
  error: unknown,
  name: string,
  read: () => Promise<readonly string[]>,
): Promise<unknown> {
  const { code, message, details, operation, hint } = failureOf(error, context.io.signal.aborted);
  if (code !== 'NOT_FOUND' && code !== 'GRAPHQL') return error;
  // Without these names the error is the one it was.
  const names: readonly string[] = await read().catch(() => []);
  if (names.length === 0 || names.includes(name)) return error;
  return new CliError(code, message, {
    operation: operation ?? undefined,
    details,
    hint: didYouMean(name, names) ?? hint ?? `There are ${names.map((one) => `"${one}"`).join(', ')}.`,
    cause: error,
  });
}
