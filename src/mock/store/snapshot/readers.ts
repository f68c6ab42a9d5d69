// Readers for the parts of a snapshot. A reader checks a value and returns a copy of it. Error messages name the place and never
// repeat a value, because it may be secret.
import { isJsonObject, quotedKey } from '../../core/json-object.js';
import { isRepresentableTime, timeRangeText } from '../../core/time-range.js';
import { isUuid } from '../../core/uuid.js';
import type { FleetData } from '../records.js';

/** The lists of a fleet whose records have an id. */
export type TableName = {
  [T in keyof FleetData]: FleetData[T][number] extends { readonly id: string } ? T : never;
}[keyof FleetData];

/** A member that holds the id of a record. It is checked when the whole fleet has been read. */
export interface Reference {
  readonly path: string;
  readonly to: TableName | 'fleet';
  readonly id: string;
}

/** Reads a T and collects its references. Throws a TypeError that begins with `path` when the value is not a T. */
export type Reader<T> = (value: unknown, path: string, references: Reference[]) => T;

export type RecordShape<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

export function fail(path: string, problem: string): never {
  throw new TypeError(`${path} ${problem}`);
}

/** Reads an object with exactly these members. */
export function record<T extends object>(shape: RecordShape<T>): Reader<T> {
  const members = Object.entries<Reader<unknown>>(shape);
  return (value, path, references) => {
    if (!isJsonObject(value)) return fail(path, 'must be an object');
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(shape, key)) fail(path, `has an unknown member ${quotedKey(key)}`);
    }
    const copy: Record<string, unknown> = {};
    for (const [name, read] of members) {
      if (!Object.hasOwn(value, name)) fail(path, `lacks ${name}`);
      copy[name] = read(value[name], `${path}.${name}`, references);
    }
    // Every member of T has been read by its own reader.
    return copy as unknown as T;
  };
}

export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return (value, path, references) => {
    if (!Array.isArray(value)) return fail(path, 'must be a list');
    // Unlike map, Array.from does not skip holes.
    return Array.from(value, (part: unknown, index) => item(part, `${path}[${index}]`, references));
  };
}

export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value, path, references) => (value === null ? null : read(value, path, references));
}

export const text: Reader<string> = (value, path) =>
  typeof value === 'string' ? value : fail(path, 'must be a string');

export const boolean: Reader<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : fail(path, 'must be true or false');

export function wholeNumber(min: number, max: number): Reader<number> {
  return (value, path) => {
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    return isValid ? value : fail(path, `must be a whole number from ${min} to ${max}`);
  };
}

/** The range of the contract's Int. */
export const int: Reader<number> = wholeNumber(-2_147_483_648, 2_147_483_647);

export const timestamp: Reader<number> = (value, path) =>
  isRepresentableTime(value) && Number.isInteger(value)
    ? value
    : fail(path, `must be a time in whole epoch milliseconds, ${timeRangeText}`);

export function oneOf<T extends string>(choices: readonly T[]): Reader<T> {
  return (value, path) =>
    choices.find((choice) => choice === value) ?? fail(path, `must be one of ${choices.join(', ')}`);
}

// The UUID scalar converts ids to lower case, so an id in another spelling could never be found.
export const uuid: Reader<string> = (value, path) =>
  isUuid(value) && value === value.toLowerCase() ? value : fail(path, 'must be a UUID in lower case');

/** Reads the id of a record of this list, or of the fleet itself. */
export function referenceTo(to: Reference['to']): Reader<string> {
  return (value, path, references) => {
    const id = uuid(value, path, references);
    references.push({ path, to, id });
    return id;
  };
}
