// The parts of graphql that read documents of programs. Most programs have none, so the first
// document loads them: graphql takes longer to load than the rest of this package. Each is imported
// by its path, because graphql as a whole has a hundred files. Only import() is used: in a bundle
// of one file, which may leave graphql out, an import statement of any module is carried out at the
// start.

export let GraphQLError: typeof import('graphql/error/GraphQLError.js').GraphQLError;
export let OperationTypeNode: typeof import('graphql/language/ast.js').OperationTypeNode;
export let Kind: typeof import('graphql/language/kinds.js').Kind;
export let parse: typeof import('graphql/language/parser.js').parse;
export let print: typeof import('graphql/language/printer.js').print;

export let isGraphqlLoaded = false;
/** Calls that are made meanwhile wait too, to stay behind an earlier mutation. Never rejects. */
export let graphqlLoading: Promise<void> | null = null;

/** Starts to load graphql; null when it is loaded already. */
export function loadGraphql(): Promise<void> | null {
  if (isGraphqlLoaded || graphqlLoading) return graphqlLoading;
  const loading = loadParts().catch(() => undefined);
  graphqlLoading = loading;
  // Registered before all callers: they go on directly after it, in their order.
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
