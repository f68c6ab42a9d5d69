// Sets a custom field of a vehicle or of a person: checks the input, and explains a refusal of the service.

import { isObject } from '../../core/json.js';
import { didYouMean } from '../../core/suggestions.js';
import type { Run } from '../context/context.js';
import type { Report } from '../context/report.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import type { EditableKind } from '../records/record-kind.js';
import type { ChangeSpec, Subject } from './change-spec.js';

/** The part of the change that is the same for every kind of record. An empty `value` clears the field. */
export function customFieldInput(
  name: string | undefined,
  value: string | undefined,
): Pick<ChangeSpec, 'input' | 'flags' | 'refine'> {
  return {
    input: { variable: 'field', type: 'CustomFieldInput' },
    flags: { name, value: value === '' ? null : value },
    refine(input, where) {
      // The value is required: the service might clear the field when it is left out.
      if (typeof input.name === 'string' && input.name.trim() !== '' && input.value !== undefined) return { ...input };
      const missing = input.value === undefined && input.name !== undefined ? 'value' : 'name';
      throw refusal(`${where}The ${missing} of the field is missing.`, {
        hint: `Give it as an argument, or as "${missing}" in --input; an empty value clears the field.`,
      });
    },
  };
}

/**
 * Returns the error for a misspelled field: its name is close to a field of the known records.
 * Returns null otherwise, and warns of an unknown field: a service may accept fields that no record has.
 */
export function slipInField(report: Report, name: string, kind: string, records: Iterable<object>): Slip | null {
  const names = new Set([...records].flatMap((row) => fieldNamesIn(row)));
  if (names.size === 0 || names.has(name)) return null;
  const hint = didYouMean(name, names);
  if (hint !== undefined) return { problem: `No ${kind} has a custom field "${name}".`, hint };
  report.warn(`No ${kind} that was read has a custom field "${name}": the service may refuse it.`);
  return null;
}

interface Slip {
  readonly problem: string;
  readonly hint: string;
}

function fieldNamesIn(row: object): readonly string[] {
  const fields: unknown = Reflect.get(row, 'customFields');
  return (Array.isArray(fields) ? fields : []).flatMap((field: unknown) =>
    isObject(field) && typeof field.name === 'string' ? [field.name] : [],
  );
}

/** What the change does, for its plan. */
export function fieldSubject(kind: EditableKind<never>): Subject {
  return { kind, action: 'update', wanted: ({ name, value }) => ({ customFields: [{ name, value }] }) };
}

/**
 * Adds the names of the existing fields to the error when the named field does not exist. `read` lists those names. This happens only
 * after a refusal, because the contract does not define which names a service accepts.
 */
export async function explainRefusal(
  run: Run,
  error: unknown,
  name: string,
  read: () => Promise<readonly string[]>,
): Promise<unknown> {
  const { code, message, details, operation, hint } = commandFailureOf(error, run.io.signal.aborted);
  if (code !== 'NOT_FOUND' && code !== 'GRAPHQL') return error;
  // Without these names, the error stays as it is.
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
 * Reads custom fields, which may be a list of names and values or an object of them. `where`: for messages.
 * @throws CliError USAGE for another form, for a name that is given twice, and for a value that is not a text
 */
export function readCustomFields(given: unknown, where: string): readonly CustomFieldValue[] {
  const list: readonly unknown[] = isObject(given)
    ? Object.entries(given).map(([name, value]) => ({ name, value }))
    : Array.isArray(given)
      ? given
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

/** The custom fields in a list of names and values. */
export function customFieldsIn(value: unknown): readonly CustomFieldValue[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((field) =>
    isObject(field) && typeof field.name === 'string' ? [{ name: field.name, value: field.value ?? null }] : [],
  );
}
