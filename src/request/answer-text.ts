// The JSON of a GraphQL answer, read so that graphql-request's strict parser takes every answer that can be understood: it refuses
// members that are null, and errors in a form of their own, and a mutation that succeeded would then look as if it had not.
import type { GraphQLErrorEntry } from '../errors.js';

/** JSON for graphql-request; what it parses is an answer in the usual form. */
export const answerJson = {
  stringify: (value: unknown): string => JSON.stringify(value),
  parse(text: string): unknown {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? usualForm(value) : value;
  },
};

/** Null members are as good as none; whatever else stands in `errors` is an error. */
function usualForm(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (answer.errors === undefined && answer.extensions === undefined) return answer;
  const { errors, extensions, ...others } = answer;
  return {
    ...others,
    ...(errors === undefined || errors === null ? {} : { errors: errorEntries(errors) }),
    ...(isRecord(extensions) ? { extensions } : {}),
  };
}

/** An entry for everything in `errors`, however the service put it. */
export function errorEntries(errors: unknown): GraphQLErrorEntry[] {
  if (errors === undefined || errors === null) return [];
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
