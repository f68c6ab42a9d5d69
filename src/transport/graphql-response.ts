// Reads the text of a response as a GraphQL answer. It is lenient where services deviate: a member that is null counts as absent, and
// errors may have a form of their own. A strict reader would take a mutation that succeeded for one that failed.

import type { GraphQLErrorEntry } from '../core/errors.js';
import { isObject } from '../core/json.js';
import { parseInPieces } from './json-in-pieces.js';

export interface GraphQLAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
}

/**
 * JSON.parse holds up the event loop for about 10 ms per mebibyte of rows, and up to seven times as long where objects are tiny. Pieces take
 * at least twice the time, so answers of ordinary size are parsed at once.
 */
const LONG_CHARACTERS = 1024 * 1024;

const NO_ERRORS: readonly GraphQLErrorEntry[] = [];

/** Null when the text is no GraphQL answer: not a JSON object, without data and errors, or with data that is not an object. */
export function readAnswer(text: string): GraphQLAnswer | null {
  try {
    return answerOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether the text is better read by `readLongAnswer`. */
export function isLong(text: string): boolean {
  return text.length > LONG_CHARACTERS;
}

/** As `readAnswer`, in pieces between which the event loop gets its turn. */
export function readLongAnswer(text: string): Promise<GraphQLAnswer | null> {
  return parseInPieces(text).then(answerOf, () => null);
}

function answerOf(answer: unknown): GraphQLAnswer | null {
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
