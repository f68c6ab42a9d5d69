// Validates the variables of a call before sending, and converts them to JSON values: a wrong id
// fails only its own call, and not the calls merged with it. Members of inputs that the contract
// does not show are left to the service. Messages never contain values.

import { isDateTime } from '../core/dates.js';
import { InvalidInputError } from '../core/errors.js';
import type { OperationArgument } from '../core/operation.js';
import { refusedInput } from '../core/refused-input.js';
import { closestNames, printableName } from '../core/suggestions.js';
import { isUuid } from '../core/uuid.js';
import { guessedInputs, inputMap } from '../generated/input-map.js';

export interface Variables {
  readonly [name: string]: unknown;
}

/** Returns the variables of an operation; throws on missing, unknown and mistyped ones. */
export function checkVariables(operation: string, args: readonly OperationArgument[], variables: unknown): Variables {
  const converted = jsonVariables(operation, variables);
  const missing = args.filter(({ name, required }) => required && isAbsent(converted[name]));
  if (missing.length > 0) {
    throw refusedInput(
      `${operation} needs ${missing.map(({ name, type }) => `${name} (${type})`).join(', ')}.`,
      operation,
    );
  }
  const unknown = Object.keys(converted).filter((name) => !args.some((arg) => arg.name === name));
  if (unknown.length > 0) {
    const takes =
      args.length === 0
        ? `It takes none: options come second, as in ${operation}({}, { … }).`
        : `It takes ${args.map(({ name }) => name).join(', ')}.`;
    throw refusedInput(`${operation} has no variable ${unknown.map(printableName).join(', ')}. ${takes}`, operation);
  }
  for (const { name, type } of args) {
    const mismatch = isAbsent(converted[name]) ? null : mismatchOf(name, type, converted[name]);
    if (mismatch === null) continue;
    throw refusedInput(`${mismatch.path} of ${operation} must be ${mismatch.expected}.`, operation);
  }
  const { from, to } = converted;
  if (
    args.some(({ name, type }) => name === 'from' && type === 'DateTime!') &&
    Date.parse(String(from)) > Date.parse(String(to))
  )
    throw refusedInput(`from of ${operation} is after to.`, operation);
  return converted;
}

/** Returns JSON values: Dates as RFC 3339 text. Values that JSON turns into null are refused. */
export function jsonVariables(operation: string, variables: unknown): Variables {
  if (variables === undefined || variables === null) return {};
  if (typeof variables !== 'object' || Array.isArray(variables)) {
    throw new InvalidInputError(`The variables of ${operation} must be one object, by variable name.`, { operation });
  }
  const convert = (value: unknown, path: string, ancestors: readonly object[]): unknown => {
    const refuse = (what: string): never => {
      throw refusedInput(`${path} of ${operation} is ${what}.`, operation);
    };
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? refuse('an invalid Date') : value.toISOString();
    if (typeof value === 'number') return Number.isFinite(value) ? value : refuse('not a finite number');
    if (typeof value === 'bigint') return refuse('a BigInt, which JSON does not have: use a number or a string');
    if (typeof value === 'function' || typeof value === 'symbol') return refuse('not a value that can be sent');
    if (typeof value !== 'object' || value === null) return value;
    if (ancestors.includes(value)) return refuse('an object that contains itself');
    const nested = [...ancestors, value];
    if (Array.isArray(value)) return value.map((item: unknown, index) => convert(item, `${path}[${index}]`, nested));
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      let json: unknown;
      try {
        json = value.toJSON();
      } catch {
        // The message of the error may hold the value.
        return refuse('an object whose toJSON failed');
      }
      return convert(json, path, nested);
    }
    if (hasInheritedMembers(value)) {
      return refuse('an object whose members JSON leaves out, such as a Map: use a plain object or an array');
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, convert(item, `${path}.${printableName(key)}`, nested)]),
    );
  };
  const converted: Record<string, unknown> = {};
  for (const name of Object.keys(variables)) {
    const value: unknown = Reflect.get(variables, name);
    // Most variables are ids: they need neither a path nor a list of ancestors.
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || value === undefined;
    const result = isPlain ? value : convert(value, printableName(name), []);
    if (name === '__proto__') Object.defineProperty(converted, name, { value: result, enumerable: true });
    else converted[name] = result;
  }
  return converted;
}

/** True for a Map, a Set, and an object of a class with getters. */
function hasInheritedMembers(value: object): boolean {
  let prototype: object | null = Object.getPrototypeOf(value);
  while (prototype !== null) {
    const next: object | null = Object.getPrototypeOf(prototype);
    if (next === null) return false;
    const members = Object.values(Object.getOwnPropertyDescriptors(prototype));
    if (members.some(({ enumerable, get }) => enumerable === true || get !== undefined)) return true;
    prototype = next;
  }
  return false;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

interface TypeMismatch {
  /** Its path, such as `vehicleIds[3]`. */
  readonly path: string;
  readonly expected: string;
}

interface Scalar {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
}

/** Unlisted scalars accept any value. */
const scalars: { readonly [type: string]: Scalar } = {
  UUID: {
    accepts: isUuid,
    expected: 'a UUID, such as 123e4567-e89b-12d3-a456-426614174000',
  },
  String: { accepts: (value) => typeof value === 'string', expected: 'a string' },
  Boolean: { accepts: (value) => typeof value === 'boolean', expected: 'a boolean' },
  Float: { accepts: (value) => typeof value === 'number', expected: 'a number' },
  Int: { accepts: Number.isInteger, expected: 'an integer' },
  // Text too: a JavaScript number cannot hold every Long.
  Long: {
    accepts: (value) => Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value)),
    expected: 'an integer',
  },
  DateTime: {
    accepts: (value) => typeof value === 'string' && isDateTime(value),
    expected: 'a Date or RFC 3339 text with an offset, such as 2026-03-01T12:00:00Z',
  },
};

/** Returns the first part of the value that does not match the contract type; null without one. */
export function mismatchOf(path: string, type: string, value: unknown): TypeMismatch | null {
  const isRequired = type.endsWith('!');
  const plain = isRequired ? type.slice(0, -1) : type;
  if (value === undefined || value === null) return isRequired ? { path, expected: `set (${type})` } : null;
  if (plain.startsWith('[')) {
    const item = plain.slice(1, -1);
    // GraphQL reads a single value as a list of one.
    return Array.isArray(value)
      ? firstMismatch(value, (each, at) => mismatchOf(`${path}[${at}]`, item, each))
      : mismatchOf(path, item, value);
  }
  const scalar = scalars[plain];
  if (scalar) return scalar.accepts(value) ? null : { path, expected: scalar.expected };
  const members = inputMap[plain];
  if (members === undefined) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return { path, expected: `an object (${plain})` };
  if (guessedInputs.includes(plain)) return null;
  return firstMismatch(members.split(' '), (member) => {
    const [name = '', memberType = ''] = member.split(':');
    return mismatchOf(`${path}.${name}`, memberType, Reflect.get(value, name));
  });
}

function firstMismatch<Item>(
  items: readonly Item[],
  check: (item: Item, at: number) => TypeMismatch | null,
): TypeMismatch | null {
  for (const [at, item] of items.entries()) {
    const mismatch = check(item, at);
    if (mismatch) return mismatch;
  }
  return null;
}

/** A member that is not in the contract, but whose name is close to one that is. */
export interface InputTypo {
  /** Such as `vehicleInput.licensPlate`. */
  readonly path: string;
  readonly similarNames: readonly string[];
}

/**
 * Returns the likely typing errors in a variable of this GraphQL type; names only, no values.
 * TypeScript cannot find them: where the contract does not show the members of an input, the type
 * accepts any name, because a live service may have others.
 */
export function findInputTypos(path: string, type: string, value: unknown): readonly InputTypo[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = membersOf(type);
  if (members.size === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => findInputTypos(`${path}[${at}]`, type, item));
  return Object.entries(value).flatMap(([name, below]) => {
    const at = `${path}.${printableName(name)}`;
    const memberType = members.get(name);
    if (memberType !== undefined) return findInputTypos(at, memberType, below);
    // A name that is present itself was not misspelt.
    const similarNames = closestNames(name, members.keys()).filter((candidate) => !Object.hasOwn(value, candidate));
    return similarNames.length > 0 ? [{ path: at, similarNames }] : [];
  });
}

function membersOf(type: string): ReadonlyMap<string, string> {
  const name = type.replace(/[[\]!]/g, '');
  const text = Object.hasOwn(inputMap, name) ? inputMap[name] : undefined;
  return new Map(
    (text?.split(' ') ?? []).map((member) => {
      const [key = '', memberType = ''] = member.split(':');
      return [key, memberType];
    }),
  );
}
