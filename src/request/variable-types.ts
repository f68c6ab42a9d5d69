// Compares the variables of a call with the types of the contract before sending: a wrong id fails
// only its own call, and not the calls merged with it. Members of inputs that the contract does not
// show are left to the service.
import { isDateTime } from '../core/dates.js';
import { isUuid } from '../core/uuid.js';
import { guessedInputs, inputMap } from '../generated/input-map.js';

export interface TypeMismatch {
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
