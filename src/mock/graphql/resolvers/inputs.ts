// Reads input members: a member is set, cleared with null, or missing.

import { badRequest, notFoundError } from '../../core/refusals.js';
import type { CustomFieldRecord } from '../../store/tables.js';

export function pickDefined<T extends object, K extends keyof T>(
  input: T,
  keys: readonly K[],
): { -readonly [P in K]?: Exclude<T[P], undefined> } {
  const picked: { -readonly [P in K]?: Exclude<T[P], undefined> } = {};
  for (const key of keys) {
    const value = input[key];
    // TypeScript does not narrow an indexed type.
    if (value !== undefined) picked[key] = value as Exclude<T[K], undefined>;
  }
  return picked;
}

/** Throws BAD_REQUEST when the text is missing or blank. */
export function requiredText(value: unknown, key: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw badRequest(`${key} is required.`);
  return value;
}

/** Returns undefined when the text is missing; throws BAD_REQUEST when it is null or blank. */
export function optionalText(value: unknown, key: string): string | undefined {
  return value === undefined ? undefined : requiredText(value, key);
}

export function isTrue(value: boolean | null | undefined): boolean {
  return value === true;
}

/** Sets one custom field. With `strict`, a name that the fleet does not define is NOT_FOUND. */
export function setCustomField(
  fields: readonly CustomFieldRecord[],
  names: readonly string[],
  change: { readonly name?: unknown; readonly value?: string | null | undefined },
  strict: boolean,
): { fields: readonly CustomFieldRecord[]; field: CustomFieldRecord } {
  const name = requiredText(change.name, 'name');
  const isDefined = fields.some((field) => field.name === name);
  if (!isDefined && strict && !names.includes(name)) throw notFoundError('custom field', `"${name.slice(0, 80)}"`);
  const field = { name, value: change.value ?? null };
  return {
    field,
    fields: isDefined ? fields.map((existing) => (existing.name === name ? field : existing)) : [...fields, field],
  };
}

/** Returns the ids without duplicates. Throws NOT_FOUND when one does not exist. */
export function requireRecords(
  ids: readonly (string | null)[],
  kind: string,
  exists: (id: string) => boolean,
): readonly string[] {
  const picked = new Set<string>();
  for (const id of ids) {
    if (id === null) throw badRequest(`The ids of ${kind}s must not be null.`);
    if (!exists(id)) throw notFoundError(kind, id);
    picked.add(id);
  }
  return [...picked];
}
