// The errors of refused requests. graphql-java calls the kind of an error its classification.
import { GraphQLError } from 'graphql';

export type Classification =
  | 'BAD_REQUEST'
  | 'DataFetchingException'
  | 'FORBIDDEN'
  | 'InvalidSyntax'
  | 'NOT_FOUND'
  | 'OperationNotSupported'
  | 'TOO_MANY_REQUESTS'
  | 'UNAUTHORIZED'
  | 'ValidationError';

export function serviceError(classification: Classification, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { classification } });
}

export const badRequest = (message: string): GraphQLError => serviceError('BAD_REQUEST', message);
export const forbidden = (message: string): GraphQLError => serviceError('FORBIDDEN', message);

/** Returns the same error for missing and for invisible records: callers cannot tell them apart. */
export const notFoundError = (kind: string, id: string): GraphQLError =>
  serviceError('NOT_FOUND', `No ${kind} with id ${id}.`);
