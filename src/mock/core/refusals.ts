// The errors with which the service refuses a request. graphql-java names the kind of an error its classification.
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

/** An error whose message reaches the caller unchanged. */
export function refusal(classification: Classification, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { classification } });
}

export const badRequest = (message: string): GraphQLError => refusal('BAD_REQUEST', message);
export const forbidden = (message: string): GraphQLError => refusal('FORBIDDEN', message);

/** The same message for a record that does not exist and for one that the user may not see: a caller cannot tell which. */
export const notFound = (kind: string, id: string): GraphQLError => refusal('NOT_FOUND', `No ${kind} with id ${id}.`);
