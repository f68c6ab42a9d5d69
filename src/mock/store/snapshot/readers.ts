// The small readers that the shapes of a snapshot are made of. A reader checks a value and returns a copy of it, so what was
// read shares nothing with what was given. Messages name the place and never repeat a value: it may be a secret.
import { instantRange, isInstant } from '../../control/instants.js';
import type { FleetData } from '../records.js';

/** The lists of a fleet whose rows have an id. */
export type RowTable = {
  [T in keyof FleetData]: FleetData[T][number] extends { readonly id: string } ? T : never;
}[keyof FleetData];

/** A member that names a row by its id: whether there is one can be told when the whole fleet has been read. */
export interface Link {
  readonly where: string;
  readonly to: RowTable | 'fleet';
  readonly id: string;
}

/** Reads a T, notes the links in it, and throws a TypeError that begins with `where` when the value is none. */
export type Read<T> = (value: unknown, where: string, links: Link[]) => T;

export type Shape<T> = { readonly [K in keyof T]-?: Read<T[K]> };

export function refuse(where: string, problem: string): never {
  throw new TypeError(`${where} ${problem}`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key somebody else chose, fit for a message. */
export const quoted = (key: string): string => JSON.stringify(key.slice(0, 80));

/** An object with exactly these members. */
export function record<T extends object>(shape: Shape<T>): Read<T> {
  const members = Object.entries<Read<unknown>>(shape);
  return (value, where, links) => {
    if (!isObject(value)) return refuse(where, 'must be an object');
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(shape, key)) refuse(where, `has an unknown member ${quoted(key)}`);
    }
    const made: Record<string, unknown> = {};
    for (const [name, read] of members) {
      if (!Object.hasOwn(value, name)) refuse(where, `lacks ${name}`);
      made[name] = read(value[name], `${where}.${name}`, links);
    }
    // Every member of the shape, and so every member of T, has just been read by its own reader.
    return made as unknown as T;
  };
}

export function list<T>(item: Read<T>): Read<readonly T[]> {
  return (value, where, links) => {
    if (!Array.isArray(value)) return refuse(where, 'must be a list');
    // Unlike map, this does not skip the holes of a list.
    return Array.from(value, (part: unknown, place) => item(part, `${where}[${place}]`, links));
  };
}

export function orNull<T>(read: Read<T>): Read<T | null> {
  return (value, where, links) => (value === null ? null : read(value, where, links));
}

export const text: Read<string> = (value, where) =>
  typeof value === 'string' ? value : refuse(where, 'must be a string');

export const flag: Read<boolean> = (value, where) =>
  typeof value === 'boolean' ? value : refuse(where, 'must be true or false');

export function whole(least: number, most: number): Read<number> {
  return (value, where) => {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
    return fits ? value : refuse(where, `must be a whole number from ${least} to ${most}`);
  };
}

/** What the contract's Int can carry. */
export const int: Read<number> = whole(-2_147_483_648, 2_147_483_647);

export const instant: Read<number> = (value, where) =>
  isInstant(value) && Number.isInteger(value)
    ? value
    : refuse(where, `must be a time in whole epoch milliseconds, ${instantRange}`);

export function oneOf<T extends string>(choices: readonly T[]): Read<T> {
  return (value, where) =>
    choices.find((choice) => choice === value) ?? refuse(where, `must be one of ${choices.join(', ')}`);
}

// Ids are looked up as the UUID scalar hands them on: in lower case. Another spelling could never be found.
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const uuid: Read<string> = (value, where) =>
  typeof value === 'string' && uuidForm.test(value) ? value : refuse(where, 'must be a UUID in lower case');

/** The id of a row of this list, or of the fleet itself. */
export function idOf(to: Link['to']): Read<string> {
  return (value, where, links) => {
    const id = uuid(value, where, links);
    links.push({ where, to, id });
    return id;
  };
}
