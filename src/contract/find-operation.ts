// Looks up operations by a name that may be any value in programs without types.

import { InvalidInputError } from '../core/errors.js';
import type { Operation } from '../core/operation.js';
import { refusedInput } from '../core/refused-input.js';
import { didYouMean } from '../core/suggestions.js';
import { type OperationName, operations } from '../generated/operation-table.js';
import type { ListQuery } from './selection/types.js';

const all: Readonly<Record<string, Operation>> = operations;

export function findOperation(name: unknown): Operation | undefined {
  return typeof name === 'string' && Object.hasOwn(all, name) ? all[name] : undefined;
}

/** @throws {InvalidInputError} that suggests names, when there is no operation of this name */
export function operationOf<Name extends OperationName>(name: Name): Operation<Name> {
  const match = findOperation(name);
  if (match) return match as Operation<Name>;
  throw refusedInput(`call needs the name of an operation, such as 'getVehicles'.${hintFor(name, Object.values(all))}`);
}

/**
 * Returns the list query of this name, which may be any value in programs without types.
 * @throws {InvalidInputError} when there is no such operation, or it returns no list
 */
export function listQueryOf(name: unknown): Operation<ListQuery> {
  const match = findOperation(name);
  if (match && isListQuery(match)) return match;
  if (match) {
    throw new InvalidInputError(
      `stream reads lists, and ${match.name} does not return one. Call fleet.${match.name}(...).`,
      { operation: match.name },
    );
  }
  const lists = Object.values(all).filter(isListQuery);
  throw new InvalidInputError(
    `stream needs the name of a query that returns a list, such as 'getVehicles'.${hintFor(name, lists)}`,
  );
}

function hintFor(name: unknown, candidates: readonly Operation[]): string {
  if (typeof name !== 'string') return '';
  const hint = didYouMean(
    name,
    candidates.map((one) => one.name),
  );
  return hint === undefined ? '' : ` ${hint}`;
}

function isListQuery(operation: Operation): operation is Operation<ListQuery> {
  return operation.kind === 'query' && operation.returns.list && !operation.returns.leaf;
}
