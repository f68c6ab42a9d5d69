// Reads a response as a GraphQL answer, or as a failure. It is lenient: a member that is null
// counts as absent, and errors may have another form. A strict reader would report a failure for a
// mutation that succeeded.

import type { GraphQLErrorEntry } from '../core/errors.js';
import { isEmptyData, isObject, parseExactly } from '../core/json.js';
import { findJsonProblem } from '../core/json-syntax.js';
import { isTokenError, refusesToken } from '../core/token-refusal.js';
import { LONG_CHARACTERS, parseLongAnswer } from '../rows/long-answer.js';
import type { HttpResponse } from '../transport/http-transport.js';
import { retryAfterOf } from '../transport/response-headers.js';
import type { Failure, TransportOutcome } from './failure.js';

export interface GraphQLAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
}

/**
 * Reads the response. Rejects when the rest of the response does not arrive.
 * @param result The member of `data` that the answer to a mutation must have. Without it and
 * without an error, the outcome of the mutation is unknown.
 */
export async function readResponse(
  response: HttpResponse,
  result?: string | undefined,
): Promise<TransportOutcome<GraphQLAnswer>> {
  const text = await response.text();
  const bytes = response.bytes ?? Buffer.byteLength(text);
  let answer: GraphQLAnswer | null;
  try {
    answer = answerOf(text.length > LONG_CHARACTERS ? await parseLongAnswer(text) : parseExactly(text));
  } catch {
    answer = null;
  }
  if (answer === null || !response.ok) return { failure: failureIn(response, text, answer), response, bytes };
  if (answer.errors.length > 0 && refusesTokenOnly(answer)) {
    return { failure: refusal(answer), response, bytes };
  }
  if (result !== undefined && answer.errors.length === 0 && !(isObject(answer.data) && result in answer.data)) {
    return { failure: { kind: 'malformed', status: response.status }, response, bytes };
  }
  return { value: answer, response, bytes };
}

const NO_ERRORS: readonly GraphQLErrorEntry[] = [];

/** Returns null for a value that is not a GraphQL answer. */
function answerOf(answer: unknown): GraphQLAnswer | null {
  if (!isObject(answer)) return null;
  const data = answer.data ?? null;
  if (data !== null && !isObject(data)) return null;
  const errors = (answer.errors ?? null) === null ? NO_ERRORS : errorEntries(answer.errors);
  return data === null && errors.length === 0 ? null : { data, errors };
}

function errorEntries(errors: unknown): readonly GraphQLErrorEntry[] {
  return (Array.isArray(errors) ? errors : [errors]).map((entry: unknown) => {
    if (isObject(entry)) return { ...entry, message: messageOf(entry.message) };
    return { message: messageOf(entry) };
  });
}

function messageOf(message: unknown): string {
  return typeof message === 'string' && message !== '' ? message : 'The service gave no message.';
}

/** Some services refuse a token with a GraphQL error. With data, only a field was refused. */
function refusesTokenOnly({ data, errors }: GraphQLAnswer): boolean {
  return isEmptyData(data) && errors.some(refusesToken);
}

/**
 * Returns the failure. No field was resolved only if every error refuses the token at a root field.
 */
function refusal({ data, errors }: GraphQLAnswer): Failure {
  const isProof = errors.every((error) => refusesToken(error) && (error.path?.length ?? 0) <= 1);
  return { kind: 'unauthorized', data, errors, mayHaveRun: !isProof };
}

function failureIn(response: HttpResponse, text: string, answer: GraphQLAnswer | null): Failure {
  const { ok, status, headers } = response;
  if (ok) return isTruncated(text) ? { kind: 'truncated' } : { kind: 'malformed', status };
  const errors = answer?.errors ?? NO_ERRORS;
  return status === 403 && isTokenError(headers.get('www-authenticate'), text)
    ? refusal({ errors, data: null })
    : { kind: 'status', status, retryAfter: retryAfterOf(response), errors };
}

function isTruncated(text: string): boolean {
  return /^\s*[{[]/.test(text) && findJsonProblem(text)?.isCut === true;
}
