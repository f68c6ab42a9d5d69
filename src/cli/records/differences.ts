// Compares wanted members with those of a record: the changes to show, and the members to send.
import { isObject, isSameJson, type JsonObject } from '../../core/json.js';
import { NewRecord } from './new-record.js';

export type Members = Readonly<Record<string, unknown>>;

/** A member with its value before and after, as data. */
export interface MemberChange {
  readonly field: string;
  /** Undefined when it is not known. */
  readonly before: unknown;
  readonly after: unknown;
  /** Both as people know them: names in the place of ids. */
  readonly names?: { readonly before: unknown; readonly after: unknown };
}

export interface Differences {
  readonly changes: readonly MemberChange[];
  /** The members to send. */
  readonly send: Readonly<Record<string, unknown>>;
}

/** Null, an empty text and what is missing are the same. Members of nested objects are compared one by one, and sent together. */
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

/** An object is replaced as a whole, so what the file does not say of it is sent again. */
function nestedChanges(field: string, before: unknown, after: JsonObject): Nested {
  const known = isPlain(before) ? before : {};
  const changes = Object.entries(after).flatMap(([name, value]) =>
    isSame(known[name], value) ? [] : [{ field: `${field}.${name}`, before: known[name] ?? null, after: value }],
  );
  const given = Object.entries(known).filter(([, value]) => value !== null);
  return { changes, send: { ...Object.fromEntries(given), ...after } };
}

/** Custom fields: a list of names and values is compared by name, and sent together with those that the file does not name. */
function listChanges(field: string, before: unknown, after: unknown): Nested | null {
  if (!Array.isArray(after) || !after.every(isNamed)) return null;
  const known: readonly unknown[] = Array.isArray(before) ? before : [];
  // Without names it says nothing of the fields that there are.
  if (after.length === 0) return known.length > 0 && known.every(isNamed) ? { changes: [], send: before } : null;
  const valueBefore = (name: string) => known.filter(isNamed).find((one) => one.name === name)?.value;
  const changes = after.flatMap(({ name, value }) =>
    isSame(valueBefore(name), value)
      ? []
      : [{ field: `${field}.${name}`, before: valueBefore(name) ?? null, after: value }],
  );
  const others = known.filter(isNamed).filter(({ name }) => !after.some((one) => one.name === name));
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

/** Ids and names of records have no order. */
function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
