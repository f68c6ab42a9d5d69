// Looks up operations by a name that may be any value in programs without types.
import type { Operation } from '../core/operation.js';
import { refusedInput } from '../core/refused-input.js';
import { didYouMean } from '../core/suggestions.js';
import type { OperationName } from '../generated/operation-table.js';
import { operations } from '../generated/operation-table.js';

const all: Readonly<Record<string, Operation>> = operations;

export function findOperation(name: unknown): Operation | undefined {
  return typeof name === 'string' && Object.hasOwn(all, name) ? all[name] : undefined;
}

/** @throws {InvalidInputError} that suggests names, when there is no operation of this name */
export function operationOf<Name extends OperationName>(name: Name): Operation<Name> {
  const match = findOperation(name);
  if (match) return match as Operation<Name>;
  const hint = typeof name === 'string' ? didYouMean(name, Object.keys(all)) : undefined;
  throw refusedInput(`call needs the name of an operation, such as 'getVehicles'.${hint ? ` ${hint}` : ''}`);
}
