// Checks the `path` in /graphiql?path=/graphql, to which the page sends queries with the user's
// token. Anyone can link to the page, so a path that could lead to another origin is rejected.

/** Segments of plain characters: no empty segment, `..`, query or control character. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;

/** Returns the path relative to the page; null unless it is a plain path on this service. */
export function endpointPath(parameter: string | null): string | null {
  const path = parameter ?? '/graphql';
  return plainPath.test(path) ? path.slice(1) : null;
}
