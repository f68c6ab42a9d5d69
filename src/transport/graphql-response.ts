// Reads the text of a response as a GraphQL answer. It is lenient where services deviate: a member that is null counts as absent, and
// errors may have a form of their own. A strict reader would take a mutation that succeeded for one that failed.

import type { GraphQLErrorEntry } from '../core/errors.js';
import { isObject, parseExactly } from '../core/json.js';

export interface GraphQLAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
}

const NO_ERRORS: readonly GraphQLErrorEntry[] = [];

/** Null when the text is no GraphQL answer: not a JSON object, without data and errors, or with data that is not an object. */
export function readAnswer(text: string): GraphQLAnswer | null {
  try {
    return answerOf(parseExactly(text));
  } catch {
    return null;
  }
}

/** The same for a text that has been parsed. */
export function answerOf(answer: unknown): GraphQLAnswer | null {
  if (!isObject(answer)) return null;
  const data = answer.data ?? null;
  if (data !== null && !isObject(data)) return null;
  const errors = errorEntries(answer.errors);
  return data === null && errors.length === 0 ? null : { data, errors };
}

/** One entry for each error, whatever form the service gives it. */
function errorEntries(errors: unknown): readonly GraphQLErrorEntry[] {
  if (errors === undefined || errors === null) return NO_ERRORS;
  return (Array.isArray(errors) ? errors : [errors]).map((entry: unknown) => {
    // The entry keeps its other members.
    if (isObject(entry)) return { ...entry, message: messageOf(entry.message) };
    return { message: messageOf(entry) };
  });
}

function messageOf(message: unknown): string {
  return typeof message === 'string' && message !== '' ? message : 'The service gave no message.';
}
