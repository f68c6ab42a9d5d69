// Errors as graphql-java sends them: a message for people and `extensions.classification` for programs.
import { GraphQLError } from 'graphql';
import { json, type ServiceResponse } from '../http/messages.js';

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

export interface WireError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly classification: string };
}

/** The error a resolver throws to refuse: its message reaches the caller as it is. */
export function refusal(classification: Classification, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { classification } });
}

export const badRequest = (message: string): GraphQLError => refusal('BAD_REQUEST', message);
export const forbidden = (message: string): GraphQLError => refusal('FORBIDDEN', message);

/** One message for an id that does not exist and one that the user may not see: a refusal must not tell them apart. */
export const notFound = (kind: string, id: string): GraphQLError => refusal('NOT_FOUND', `No ${kind} with id ${id}.`);

// A caller's own text can come back inside graphql-js's messages; an answer never grows with it.
const longestMessage = 400;

function shorten(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;
}

/** One error as it goes over the wire. Whatever was not thrown on purpose is told as little as possible. */
export function wireError(error: GraphQLError, fallback: Classification): WireError {
  const planned = error.originalError === undefined || error.originalError instanceof GraphQLError;
  const given = error.extensions.classification;
  return {
    message: planned ? shorten(error.message) : 'Exception while fetching data.',
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    ...(error.path === undefined ? {} : { path: error.path }),
    extensions: { classification: typeof given === 'string' ? given : fallback },
  };
}

/** A whole answer that is nothing but one error. */
export function errorResponse(
  status: number,
  classification: Classification,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return json(status, { errors: [{ message, extensions: { classification } }] }, headers);
}
