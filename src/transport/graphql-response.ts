// The text of an answer, read as what GraphQL says an answer is; lenient where services are: members that are null are as good as
// none, and errors may come in a form of their own. Read strictly, a mutation that succeeded would look as if it had not.
import type { GraphQLErrorEntry } from '../core/errors.js';

export interface GraphQLAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
}

const NO_ERRORS: readonly GraphQLErrorEntry[] = [];

/** Null when the text is no GraphQL answer: no JSON object, with neither data nor errors in it, or with data of another kind. */
export function readAnswer(text: string): GraphQLAnswer | null {
  const answer = parsed(text);
  if (!isRecord(answer)) return null;
  const data = answer.data ?? null;
  if (data !== null && !isRecord(data)) return null;
  const errors = errorEntries(answer.errors);
  return data === null && errors.length === 0 ? null : { data, errors };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An entry for everything in `errors`, however the service put it. */
function errorEntries(errors: unknown): readonly GraphQLErrorEntry[] {
  if (errors === undefined || errors === null) return NO_ERRORS;
  return (Array.isArray(errors) ? errors : [errors]).map((entry: unknown) => {
    // The entry keeps whatever else the service put into it.
    if (isRecord(entry)) return { ...entry, message: messageOf(entry.message) };
    return { message: messageOf(entry) };
  });
}

function messageOf(said: unknown): string {
  return typeof said === 'string' && said !== '' ? said : 'The service gave no message.';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
