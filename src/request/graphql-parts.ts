// The parts of graphql that read documents. Loading takes longer than for the rest of this package,
// so the first document loads them. Each part is imported by its path, because all of graphql has a
// hundred files. Only import() is used: in a one-file bundle without graphql, an import statement
// would fail at the start.

export let GraphQLError: typeof import('graphql/error/GraphQLError.js').GraphQLError;
export let OperationTypeNode: typeof import('graphql/language/ast.js').OperationTypeNode;
export let Kind: typeof import('graphql/language/kinds.js').Kind;
export let parse: typeof import('graphql/language/parser.js').parse;
export let print: typeof import('graphql/language/printer.js').print;

export let isGraphqlLoaded = false;
/** Calls made meanwhile wait too, to stay behind an earlier mutation. Never rejects. */
export let graphqlLoading: Promise<void> | null = null;

/** Starts to load graphql; returns null when it is loaded already. */
export function loadGraphql(): Promise<void> | null {
  if (isGraphqlLoaded || graphqlLoading) return graphqlLoading;
  const loading = loadParts().catch(() => undefined);
  graphqlLoading = loading;
  // Registered before all callers, so that they continue right after it, in their order.
  void loading.then(() => {
    graphqlLoading = null;
  });
  return loading;
}

async function loadParts(): Promise<void> {
  [{ GraphQLError }, { OperationTypeNode }, { Kind }, { parse }, { print }] = await Promise.all([
    import('graphql/error/GraphQLError.js'),
    import('graphql/language/ast.js'),
    import('graphql/language/kinds.js'),
    import('graphql/language/parser.js'),
    import('graphql/language/printer.js'),
  ]);
  isGraphqlLoaded = true;
}
