// What stands for the id of a record that is to be created: later requests refer to it before there is one.
import { isObject, type JsonObject } from '../../core/json.js';

export class NewRecord {
  readonly name: string;
  /** Tells new records with the same name apart. */
  readonly key: string;

  constructor(name: string, key: string = name) {
    this.name = name;
    this.key = key;
  }

  toString(): string {
    return this.name;
  }

  toJSON(): string {
    return this.name;
  }
}

/** Replaces each new record in the members, at any depth, by its id. */
export function withCreatedIds(members: JsonObject, idOf: (record: NewRecord) => string): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, createdId(member, idOf)]));
}

/** The same for any value. */
export function createdId(value: unknown, idOf: (record: NewRecord) => string): unknown {
  if (value instanceof NewRecord) return idOf(value);
  if (Array.isArray(value)) return value.map((member) => createdId(member, idOf));
  return isObject(value) ? withCreatedIds(value, idOf) : value;
}

/** Puts new records in the place of the ids that they had before they were deleted. */
export function withNewRecords(value: unknown, byFormerId: ReadonlyMap<string, NewRecord>): unknown {
  if (typeof value === 'string') return byFormerId.get(value) ?? value;
  if (Array.isArray(value)) return value.map((member) => withNewRecords(member, byFormerId));
  if (!isObject(value) || value instanceof NewRecord) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNewRecords(member, byFormerId)]));
}
