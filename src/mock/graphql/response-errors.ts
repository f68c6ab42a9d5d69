// Converts errors to graphql-java's shape: a message and `extensions.classification`.
import { GraphQLError } from 'graphql';
import type { Classification } from '../core/refusals.js';

export interface ResponseError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly classification: string };
}

export const maxErrors = 20;

// Messages of graphql-js can repeat the caller's text, so they are shortened.
const maxMessageLength = 400;

function shorten(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}…`;
}

/** Hides the message of an unexpected exception. */
export function toResponseError(error: GraphQLError, fallback: Classification): ResponseError {
  const isExpected = error.originalError === undefined || error.originalError instanceof GraphQLError;
  const classification = error.extensions.classification;
  return {
    message: isExpected ? shorten(error.message) : 'Exception while fetching data.',
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    ...(error.path === undefined ? {} : { path: error.path }),
    extensions: { classification: typeof classification === 'string' ? classification : fallback },
  };
}
