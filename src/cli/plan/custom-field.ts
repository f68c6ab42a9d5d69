// Sets a custom field of a vehicle or person: checks the input, and explains errors.

import { isObject } from '../../core/json.js';
import { didYouMean } from '../../core/suggestions.js';
import type { Run } from '../context/context.js';
import type { Report } from '../context/report.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import type { EditableKind } from '../records/record-kind.js';
import type { ChangeSpec, Subject } from './change-spec.js';

/** Returns the common parts of custom field changes. An empty `value` clears the field. */
export function customFieldInput(
  name: string | undefined,
  value: string | undefined,
): Pick<ChangeSpec, 'input' | 'flags' | 'refine'> {
  return {
    input: { variable: 'field', type: 'CustomFieldInput' },
    flags: { name, value: value === '' ? null : value },
    refine(input, where) {
      // The value is required, because the service might clear the field without one.
      if (typeof input.name === 'string' && input.name.trim() !== '' && input.value !== undefined) return { ...input };
      const missing = input.value === undefined && input.name !== undefined ? 'value' : 'name';
      throw refusal(`${where}The ${missing} of the field is missing.`, {
        hint: `Give it as an argument, or as "${missing}" in --input; an empty value clears the field.`,
      });
    },
  };
}

/**
 * Returns the error for a misspelled field name, if any. An unknown field is only a warning: a
 * service may accept fields that no record has.
 */
export function findMisspelledField(
  report: Report,
  name: string,
  kind: string,
  records: Iterable<object>,
): MisspelledField | null {
  const names = new Set([...records].flatMap((row) => fieldNamesIn(row)));
  if (names.size === 0 || names.has(name)) return null;
  const hint = didYouMean(name, names);
  if (hint !== undefined) return { problem: `No ${kind} has a custom field "${name}".`, hint };
  report.warn(`No ${kind} that was read has a custom field "${name}": the service may refuse it.`);
  return null;
}

interface MisspelledField {
  readonly problem: string;
  readonly hint: string;
}

function fieldNamesIn(row: object): readonly string[] {
  const fields: unknown = Reflect.get(row, 'customFields');
  return (Array.isArray(fields) ? fields : []).flatMap((field: unknown) =>
    isObject(field) && typeof field.name === 'string' ? [field.name] : [],
  );
}

export function fieldSubject(kind: EditableKind<never>): Subject {
  return { kind, action: 'update', desiredMembers: ({ name, value }) => ({ customFields: [{ name, value }] }) };
}

/**
 * Returns the error, with the field names from `read` as a hint for an unknown field. Read only
 * after an error: the contract does not define valid names.
 */
export async function explainRefusal(
  run: Run,
  error: unknown,
  name: string,
  read: () => Promise<readonly string[]>,
): Promise<unknown> {
  const { code, message, details, operation, hint } = commandFailureOf(error, run.io.signal.aborted);
  if (code !== 'NOT_FOUND' && code !== 'GRAPHQL') return error;
  // If the names cannot be read, the error is returned unchanged.
  const names: readonly string[] = await read().catch(() => []);
  if (names.length === 0 || names.includes(name)) return error;
  return new CliError(code, message, {
    operation: operation ?? undefined,
    details,
    hint: didYouMean(name, names) ?? hint ?? `The fields are ${names.map((field) => `"${field}"`).join(', ')}.`,
    cause: error,
  });
}

interface CustomFieldValue {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Reads custom fields from an object or from a list of names and values.
 * @throws CliError USAGE for another form, a duplicate name, or a value that is not a text
 */
export function readCustomFields(fieldsInput: unknown, where: string): readonly CustomFieldValue[] {
  const list: readonly unknown[] = isObject(fieldsInput)
    ? Object.entries(fieldsInput).map(([name, value]) => ({ name, value }))
    : Array.isArray(fieldsInput)
      ? fieldsInput
      : [null];
  const seen = new Set<string>();
  return list.map((field) => {
    const { name, value } = isObject(field) ? field : {};
    if (typeof name !== 'string' || value === undefined) {
      throw refusal(`${where}customFields is neither an object nor a list of names and values.`, {
        hint: 'Write {"Cost centre": "4100"}; null clears a field.',
      });
    }
    if (name.trim() === '') throw refusal(`${where}A custom field has no name.`);
    if (seen.has(name)) throw refusal(`${where}The custom field "${name}" is given twice.`);
    seen.add(name);
    if (value === null || typeof value === 'string') return { name, value };
    throw refusal(`${where}The value of the custom field "${name}" is not a text.`, { hint: 'Write it in quotes.' });
  });
}

export function customFieldsIn(value: unknown): readonly CustomFieldValue[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((field) =>
    isObject(field) && typeof field.name === 'string' ? [{ name: field.name, value: field.value ?? null }] : [],
  );
}
