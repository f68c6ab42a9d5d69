// Readers validate external values: options, variants, faults, scripts, snapshots. A reader returns
// a copy, or throws a TypeError that names the wrong place but no (secret) value.
import { isJsonObject, quotedKey } from './json-object.js';
import { isRepresentableTime, parseRfc3339, timeRangeText } from './rfc3339.js';
import { isIdText } from './uuid.js';

/** The id of another record, resolved after all records have been read. */
export interface PathReference {
  readonly path: string;
  readonly to: string;
  readonly id: string;
}

/** Reads a T at `path` and adds its references to `references`. */
export type ValueReader<T> = (value: unknown, path: string, references?: PathReference[]) => T;

export type ReadBy<R> = R extends ValueReader<infer T> ? T : never;

type Shape = Readonly<Record<string, ValueReader<unknown>>>;

type OptionalKey<S extends Shape> = { [K in keyof S]: undefined extends ReadBy<S[K]> ? K : never }[keyof S];

export type ObjectOf<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKey<S>>]: ReadBy<S[K]>;
} & { readonly [K in OptionalKey<S>]?: Exclude<ReadBy<S[K]>, undefined> };

/** A shape with a reader for every member of T, so the compiler reports missing ones. */
export type ShapeOf<T> = {
  readonly [K in keyof T]-?: ValueReader<object extends Pick<T, K> ? T[K] | undefined : T[K]>;
};

export function fail(path: string, problem: string): never {
  throw new TypeError(`${path} ${problem}`);
}

// Longer lists make an error message unreadable.
const maxListedMembers = 30;

/**
 * Reads an object with exactly these members; `optional` ones may be missing. Messages use `name`
 * when the object has no path, and then name its members without a path.
 */
export function object<S extends Shape>(shape: S, name = ''): ValueReader<ObjectOf<S>> {
  const members = Object.entries(shape);
  const only = members.length > maxListedMembers ? '' : `, only ${Object.keys(shape).join(', ')}`;
  return (value, path, references) => {
    if (!isJsonObject(value)) return fail(path || name, 'must be an object');
    // An undefined member counts as missing.
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(shape, key) && value[key] !== undefined);
    if (unknown !== undefined) fail(path || name, `cannot have ${quotedKey(unknown)}${only}`);
    const copy: Record<string, unknown> = {};
    for (const [key, read] of members) {
      const member = read(value[key], path === '' ? key : `${path}.${key}`, references);
      if (member !== undefined) copy[key] = member;
    }
    return copy as ObjectOf<S>;
  };
}

type KindOf<S extends Readonly<Record<string, Shape>>> = {
  [K in keyof S]: { readonly kind: K } & ObjectOf<S[K]>;
}[keyof S];

/** Reads an object whose `kind` decides its other members. */
export function objectOfKind<S extends Readonly<Record<string, Shape>>>(shapes: S, name = ''): ValueReader<KindOf<S>> {
  const readers = new Map(
    Object.entries(shapes).map(([kind, shape]) => [
      kind,
      object({ kind: readOneOf([kind]), ...shape }, `${name} of kind ${kind}`),
    ]),
  );
  return (value, path, references) => {
    const kind = isJsonObject(value) ? value.kind : undefined;
    const read = typeof kind === 'string' ? readers.get(kind) : undefined;
    if (read === undefined) return fail(path || name, `needs a kind, one of ${Object.keys(shapes).join(', ')}`);
    return read(value, path, references) as KindOf<S>;
  };
}

export function list<T>(item: ValueReader<T>): ValueReader<readonly T[]> {
  return (value, path, references) => {
    if (!Array.isArray(value)) return fail(path, 'must be a list');
    // Unlike map, Array.from does not skip holes.
    return Array.from(value, (part: unknown, index) => item(part, `${path}[${index}]`, references));
  };
}

export function optional<T>(read: ValueReader<T>): ValueReader<T | undefined> {
  return (value, path, references) => (value === undefined ? undefined : read(value, path, references));
}

export function orNull<T>(read: ValueReader<T>): ValueReader<T | null> {
  return (value, path, references) => (value === null ? null : read(value, path, references));
}

/** Reads a value and fails when `problemOf` returns a problem. */
export function refined<T>(read: ValueReader<T>, problemOf: (value: T) => string | null, name = ''): ValueReader<T> {
  return (value, path, references) => {
    const copy = read(value, path, references);
    const problem = problemOf(copy);
    return problem === null ? copy : fail(path || name, problem);
  };
}

/** A reader without a check, for values that are checked elsewhere. */
export const anything: ValueReader<unknown> = (value) => value;

export const readString: ValueReader<string> = (value, path) =>
  typeof value === 'string' ? value : fail(path, 'must be a string');

export const filledText: ValueReader<string> = (value, path) =>
  typeof value === 'string' && value !== '' ? value : fail(path, 'must be a string that is not empty');

export const boolean: ValueReader<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : fail(path, 'must be true or false');

export function number(min: number, max: number): ValueReader<number> {
  return (value, path) => {
    const isValid = typeof value === 'number' && value >= min && value <= max;
    return isValid ? value : fail(path, `must be a number from ${min} to ${max}`);
  };
}

export function readInteger(min: number, max: number): ValueReader<number> {
  return (value, path) => {
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    return isValid ? value : fail(path, `must be a whole number from ${min} to ${max}`);
  };
}

/** The range of the contract's Int. */
export const int: ValueReader<number> = readInteger(-2_147_483_648, 2_147_483_647);

export const readTimestamp: ValueReader<number> = (value, path) =>
  isRepresentableTime(value) && Number.isInteger(value)
    ? value
    : fail(path, `must be a time in whole epoch milliseconds, ${timeRangeText}`);

export const rfc3339: ValueReader<number> = (value, path) =>
  parseRfc3339(value) ?? fail(path, 'must be an RFC 3339 time');

export const anyTime: ValueReader<number> = (value, path) => {
  const time = value instanceof Date ? value.getTime() : typeof value === 'number' ? value : parseRfc3339(value);
  if (time !== null && Number.isInteger(time) && isRepresentableTime(time)) return time;
  return fail(path, 'must be a time: epoch milliseconds, RFC 3339 text or a Date');
};

export function readOneOf<const T extends string>(choices: readonly T[]): ValueReader<T> {
  return (value, path) =>
    choices.find((choice) => choice === value) ??
    fail(path, choices.length === 1 ? `must be "${choices[0]}"` : `must be one of ${choices.join(', ')}`);
}

/** Reads an id in any case; the copy is in lower case, as in the records. */
export const uuid: ValueReader<string> = (value, path) =>
  isIdText(value) ? value.toLowerCase() : fail(path, 'must be a UUID');

// The UUID scalar converts ids to lower case, so a stored id in upper case could never be found.
export const lowerCaseUuid: ValueReader<string> = (value, path) =>
  isIdText(value) && value === value.toLowerCase() ? value : fail(path, 'must be a UUID in lower case');

/** Copies through JSON, because the value becomes part of a response. */
export const readJsonObject: ValueReader<Readonly<Record<string, unknown>>> = (value, path) => {
  if (!isJsonObject(value)) return fail(path, 'must be an object');
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return fail(path, 'cannot be written as JSON');
  }
};

/** Reads an object used as a map. */
export function record<T>(item: (key: string) => ValueReader<T>): ValueReader<Readonly<Record<string, T>>> {
  return (value, path, references) => {
    if (!isJsonObject(value)) return fail(path, 'must be an object');
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, member]) => [key, item(key)(member, `${path}[${quotedKey(key)}]`, references)]),
    );
  };
}
