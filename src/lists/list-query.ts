import { findOperation } from '../contract/find-operation.js';
import type { ListQuery } from '../contract/selection/types.js';
import { InvalidInputError } from '../core/errors.js';
import type { Operation } from '../core/operation.js';
import { didYouMean } from '../core/suggestions.js';
import { operations } from '../generated/operation-table.js';

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
  const lists = Object.values<Operation>(operations).filter(isListQuery);
  const hint =
    typeof name === 'string'
      ? didYouMean(
          name,
          lists.map((one) => one.name),
        )
      : undefined;
  throw new InvalidInputError(
    `stream needs the name of a query that returns a list, such as 'getVehicles'.${hint ? ` ${hint}` : ''}`,
  );
}

function isListQuery(operation: Operation): operation is Operation<ListQuery> {
  return operation.kind === 'query' && operation.returns.list && !operation.returns.leaf;
}
