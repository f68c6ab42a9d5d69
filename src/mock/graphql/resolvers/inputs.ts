// Reading the inputs whose members the contract does not show: what was given, what was cleared, what is missing.

import type { CustomFieldRecord } from '../../store/records.js';
import { badRequest, notFound } from '../errors.js';

/** The listed members that the caller gave, null included; a member left out stays out. */
export function given<T extends object, K extends keyof T>(
  input: T,
  keys: readonly K[],
): { -readonly [P in K]?: Exclude<T[P], undefined> } {
  const found: { -readonly [P in K]?: Exclude<T[P], undefined> } = {};
  for (const key of keys) {
    const value = input[key];
    // Just compared with undefined; TypeScript does not narrow an indexed type.
    if (value !== undefined) found[key] = value as Exclude<T[K], undefined>;
  }
  return found;
}

/** A text that has to be there and say something. */
export function requiredText(value: unknown, key: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw badRequest(`${key} is required.`);
  return value;
}

/** A text that may be left out of a change, but not cleared. */
export function keptText(value: unknown, key: string): string | undefined {
  return value === undefined ? undefined : requiredText(value, key);
}

/** True or false; clearing it means false. */
export function flag(value: boolean | null | undefined): boolean {
  return value === true;
}

/** The custom fields with one set. The fleet defines which fields there are, so an unknown name is a mistake (unless loose). */
export function withCustomField(
  fields: readonly CustomFieldRecord[],
  names: readonly string[],
  change: { readonly name?: unknown; readonly value?: string | null | undefined },
  strict: boolean,
): { fields: readonly CustomFieldRecord[]; field: CustomFieldRecord } {
  const name = requiredText(change.name, 'name');
  const known = fields.some((field) => field.name === name);
  if (!known && strict && !names.includes(name)) throw notFound('custom field', `"${name.slice(0, 80)}"`);
  const field = { name, value: change.value ?? null };
  return { field, fields: known ? fields.map((old) => (old.name === name ? field : old)) : [...fields, field] };
}

/** Ids that have to exist, each once. */
export function knownIds(
  ids: readonly (string | null)[],
  kind: string,
  exists: (id: string) => boolean,
): readonly string[] {
  const found = new Set<string>();
  for (const id of ids) {
    if (id === null) throw badRequest(`The ids of ${kind}s must not be null.`);
    if (!exists(id)) throw notFound(kind, id);
    found.add(id);
  }
  return [...found];
}
