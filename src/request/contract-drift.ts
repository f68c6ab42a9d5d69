// Errors that a service with another contract gives: it refuses fields or arguments that ours has.
import { classificationOf, type GraphQLErrorEntry } from '../core/errors.js';

/** What the common GraphQL servers say when a document does not fit their schema. */
const DRIFT =
  /cannot query field|unknown (argument|type|field)|field .*undefined|not defined by type|is not a valid|must not have a selection|must have a selection|expected type|variable .* used in position/i;

/** A value of the caller, which no contract explains. */
const INVALID_VALUE = /^variable .*invalid value/i;

/** Whether another contract explains the errors. */
export function isContractDrift(errors: readonly GraphQLErrorEntry[]): boolean {
  return errors.some((error) => {
    if (INVALID_VALUE.test(error.message)) return false;
    if (classificationOf(error) === 'ValidationError' || DRIFT.test(error.message)) return true;
    return error.extensions?.code === 'GRAPHQL_VALIDATION_FAILED';
  });
}
