// A placeholder for the id of a record that an earlier request creates.
import { isObject } from '../../core/json.js';

export class NewRecord {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    return this.name;
  }

  toJSON(): string {
    return this.name;
  }
}

/** Replaces texts and new records at any depth of a value. */
export function resolveIds(value: unknown, resolve: (id: string | NewRecord) => unknown): unknown {
  if (typeof value === 'string' || value instanceof NewRecord) return resolve(value);
  if (Array.isArray(value)) return value.map((member) => resolveIds(member, resolve));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveIds(member, resolve)]));
}
