// The `path` in /graphiql?path=/graphql: where the page sends its queries, and with them the user's token. An address can
// come from anybody, so nothing is accepted that could lead to another origin.

/** Segments of plain characters: no second slash, no way up, no query, no control character. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;

/** The path relative to the page, as the login endpoints are; null when it is not a plain path on this service. */
export function endpointPath(parameter: string | null): string | null {
  const path = parameter ?? '/graphql';
  return plainPath.test(path) ? path.slice(1) : null;
}
