// Compares desired members with a record: the changes to show, and the members to send.
import { isObject, isSameJson, type JsonObject } from '../../core/json.js';
import { NewRecord } from './new-record.js';

export type Members = Readonly<Record<string, unknown>>;

export interface MemberChange {
  readonly field: string;
  /** Undefined when it is unknown. */
  readonly before: unknown;
  readonly after: unknown;
  /** Both values for people, with names for ids. */
  readonly names?: { readonly before: unknown; readonly after: unknown };
}

export interface Differences {
  readonly changes: readonly MemberChange[];
  readonly send: Readonly<Record<string, unknown>>;
}

/**
 * Returns the differences of a record. Null, an empty text and a missing value are equal. Nested
 * members are compared one by one, and sent together.
 */
export function memberDifferences(members: Readonly<Record<string, unknown>>, row: object): Differences {
  const changes: MemberChange[] = [];
  const send: Record<string, unknown> = {};
  for (const [field, after] of Object.entries(members)) {
    const before: unknown = Reflect.get(row, field);
    const nested = isPlain(after) ? nestedChanges(field, before, after) : listChanges(field, before, after);
    const found = nested?.changes ?? (isSame(before, after) ? [] : [{ field, before: before ?? null, after }]);
    if (found.length === 0) continue;
    changes.push(...found);
    send[field] = nested?.send ?? after;
  }
  return { changes, send };
}

type Nested = { readonly changes: readonly MemberChange[]; readonly send: unknown };

/** Compares a nested object. It is sent as a whole, so omitted members are sent again. */
function nestedChanges(field: string, before: unknown, after: JsonObject): Nested {
  const current = isPlain(before) ? before : {};
  const changes = Object.entries(after).flatMap(([name, value]) =>
    isSame(current[name], value) ? [] : [{ field: `${field}.${name}`, before: current[name] ?? null, after: value }],
  );
  const currentEntries = Object.entries(current).filter(([, value]) => value !== null);
  return { changes, send: { ...Object.fromEntries(currentEntries), ...after } };
}

/** Compares custom fields by name, and sends all of them; null for other lists. */
function listChanges(field: string, before: unknown, after: unknown): Nested | null {
  if (!Array.isArray(after) || !after.every(isNamed)) return null;
  const current: readonly unknown[] = Array.isArray(before) ? before : [];
  // An empty list changes no existing field.
  if (after.length === 0) return current.length > 0 && current.every(isNamed) ? { changes: [], send: before } : null;
  const valueBefore = (name: string) => current.filter(isNamed).find((one) => one.name === name)?.value;
  const changes = after.flatMap(({ name, value }) =>
    isSame(valueBefore(name), value)
      ? []
      : [{ field: `${field}.${name}`, before: valueBefore(name) ?? null, after: value }],
  );
  const others = current.filter(isNamed).filter(({ name }) => !after.some((one) => one.name === name));
  return { changes, send: [...others.map(({ name, value }) => ({ name, value })), ...after] };
}

function isNamed(value: unknown): value is { readonly name: string; readonly value: unknown } {
  return isPlain(value) && typeof value.name === 'string' && 'value' in value;
}

function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof NewRecord);
}

function isSame(before: unknown, after: unknown): boolean {
  if (isNothing(before)) return isNothing(after);
  return isTextList(before) && isTextList(after)
    ? isSameJson([...before].sort(), [...after].sort())
    : isSameJson(before, after);
}

/** Returns true for a list of ids or names, whose order is irrelevant. */
export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
