// Validates the variables of a call before sending, and converts them to JSON values. Messages
// never contain values.
import { InvalidInputError } from '../core/errors.js';
import type { OperationArgument } from '../core/operation.js';
import { refusedInput } from '../core/refused-input.js';
import { printableName } from '../core/suggestions.js';
import { mismatchOf } from './variable-types.js';

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
