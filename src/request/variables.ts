// What a caller gives as variables, checked before anything is sent and made fit for JSON. Messages name variables, never
// their values.
import { InvalidInputError } from '../core/errors.js';
import type { OperationArgument } from '../core/operation.js';

export interface Variables {
  readonly [name: string]: unknown;
}

/** The variables of an operation of the contract: all that are required, none that it does not have. */
export function checkVariables(operation: string, args: readonly OperationArgument[], variables: unknown): Variables {
  const given = jsonVariables(operation, variables);
  const missing = args.filter(({ name, required }) => required && isAbsent(given[name]));
  if (missing.length > 0) {
    throw new InvalidInputError(
      `${operation} needs ${missing.map(({ name, type }) => `${name} (${type})`).join(', ')}. Nothing was sent.`,
      { operation },
    );
  }
  const unknown = Object.keys(given).filter((name) => !args.some((arg) => arg.name === name));
  if (unknown.length > 0) {
    const takes = args.length === 0 ? 'It takes none.' : `It takes ${args.map(({ name }) => name).join(', ')}.`;
    throw new InvalidInputError(
      `${operation} has no variable ${unknown.map(printableName).join(', ')}. ${takes} Nothing was sent.`,
      { operation },
    );
  }
  return given;
}

/** Variables as they go into JSON: Dates as RFC 3339 text; what JSON would silently turn into null is refused. */
export function jsonVariables(operation: string, variables: unknown): Variables {
  if (variables === undefined || variables === null) return {};
  if (typeof variables !== 'object' || Array.isArray(variables)) {
    throw new InvalidInputError(`The variables of ${operation} must be one object, by variable name.`, { operation });
  }
  const walk = (value: unknown, path: string, above: readonly object[]): unknown => {
    const refuse = (what: string): never => {
      throw new InvalidInputError(`${path} of ${operation} is ${what}. Nothing was sent.`, { operation });
    };
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? refuse('an invalid Date') : value.toISOString();
    if (typeof value === 'number') return Number.isFinite(value) ? value : refuse('not a finite number');
    if (typeof value === 'bigint') return refuse('a BigInt, which JSON does not have: give a number or a string');
    if (typeof value === 'function' || typeof value === 'symbol') return refuse('not a value that can be sent');
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) return refuse('an object that contains itself');
    const inside = [...above, value];
    if (Array.isArray(value)) return value.map((item: unknown, index) => walk(item, `${path}[${index}]`, inside));
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      let json: unknown;
      try {
        json = value.toJSON();
      } catch {
        // Its own words may hold its value.
        return refuse('an object whose toJSON failed');
      }
      return walk(json, path, inside);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, walk(item, `${path}.${printableName(key)}`, inside)]),
    );
  };
  const sendable: Record<string, unknown> = {};
  for (const name of Object.keys(variables)) {
    const value: unknown = Reflect.get(variables, name);
    // Most variables are ids: no path and no list of what is above needs to be made for them.
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || value === undefined;
    const checked = isPlain ? value : walk(value, printableName(name), []);
    if (name === '__proto__') Object.defineProperty(sendable, name, { value: checked, enumerable: true });
    else sendable[name] = checked;
  }
  return sendable;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A key may be anything in JavaScript; only what looks like a name is repeated. */
export function printableName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : '(a key that is no name)';
}
