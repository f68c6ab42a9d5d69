// Checks the `path` in /graphiql?path=/graphql, to which the page sends queries with the user's token. Anybody can make a link to the
// page, so a path that could lead to another origin is rejected.

/** Segments of plain characters: no empty segment, no `..`, no query, no control character. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;

/** The path relative to the page; null if it is not a plain path on this service. */
export function endpointPath(parameter: string | null): string | null {
  const path = parameter ?? '/graphql';
  return plainPath.test(path) ? path.slice(1) : null;
}
