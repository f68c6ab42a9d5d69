// Compares two states of a list of records: added, changed and removed records, and changed fields.
import { isObject, isSameJson, isUuid, readFlag, readText } from 'fleet-telematics/kit';
import { MAX_DEPTH } from './json.js';

/** A record that is new. */
export interface AddedRecord<Item> {
  readonly type: 'added';
  readonly id: string;
  readonly record: Item;
}

/** A field whose value changed. */
export interface FieldChange {
  /** Path of the field, such as `workSchedule.id`. A list counts as one field. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A record whose values changed. */
export interface ChangedRecord<Item> {
  readonly type: 'changed';
  readonly id: string;
  readonly record: Item;
  readonly previous: Item;
  readonly fields: readonly FieldChange[];
}

/** A record that no longer exists. */
export interface RemovedRecord<Item> {
  readonly type: 'removed';
  readonly id: string;
  readonly previous: Item;
}

export type RecordChange<Item> = AddedRecord<Item> | ChangedRecord<Item> | RemovedRecord<Item>;

/**
 * Compares two answers of a list method of the client, the earlier one first. The order of records
 * and of their members does not matter. A record with `isDeleted: true` counts as removed; a record
 * without an id is skipped.
 *
 * @returns Added and changed records in the order of `current`, then removed records in the order
 * of `previous`.
 */
export function diffRecords<Item extends object>(
  previous: Iterable<Item>,
  current: Iterable<Item>,
): RecordChange<Item>[] {
  const before = byId(previous);
  const after = byId(current);
  const found: RecordChange<Item>[] = [];
  for (const [key, { id, record }] of after) {
    const old = before.get(key)?.record;
    if (old === undefined) found.push({ type: 'added', id, record });
    else {
      const fields = fieldChanges(old, record);
      if (fields.length > 0) found.push({ type: 'changed', id, record, previous: old, fields });
    }
  }
  for (const [key, { id, record }] of before)
    if (!after.has(key)) found.push({ type: 'removed', id, previous: record });
  return found;
}

/** Indexes records by id. UUIDs are compared in lower case. */
function byId<Item extends object>(
  records: Iterable<Item>,
): Map<string, { readonly id: string; readonly record: Item }> {
  const found = new Map<string, { readonly id: string; readonly record: Item }>();
  for (const record of records) {
    const id = idOf(record);
    if (id !== null && !isDeleted(record)) found.set(isUuid(id) ? id.toLowerCase() : id, { id, record });
  }
  return found;
}

/** Returns the id as text; null when the record has no id. */
export function idOf(record: object): string | null {
  return readText(Reflect.get(record, 'id'));
}

/** Returns true when the service marks the record as deleted. */
export function isDeleted(record: object): boolean {
  return readFlag(Reflect.get(record, 'isDeleted')) === true;
}

function fieldChanges(before: object, after: object, prefix = '', levels = MAX_DEPTH): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const field = `${prefix}${name}`;
    const [was, is]: unknown[] = [Reflect.get(before, name), Reflect.get(after, name)];
    if (levels > 0 && isObject(was) && isObject(is)) return fieldChanges(was, is, `${field}.`, levels - 1);
    return isSame(was, is, levels) ? [] : [{ field, before: was ?? null, after: is ?? null }];
  });
}

/** Compares two values down to the depth that a copy can hold. */
export function isSame(one: unknown, other: unknown, levels = MAX_DEPTH): boolean {
  return isSameJson(one, other, levels);
}
