let GraphQLError;
let OperationTypeNode;
let Kind;
let parse;
let print;
let isGraphqlLoaded = false;
let graphqlLoading = null;
function loadGraphql() {
  if (isGraphqlLoaded || graphqlLoading) return graphqlLoading;
  const loading = loadParts().catch(() => void 0);
  graphqlLoading = loading;
  void loading.then(() => {
    graphqlLoading = null;
  });
  return loading;
}
async function loadParts() {
  [{ GraphQLError }, { OperationTypeNode }, { Kind }, { parse }, { print }] = await Promise.all([
    import("graphql/error/GraphQLError.js"),
    import("graphql/language/ast.js"),
    import("graphql/language/kinds.js"),
    import("graphql/language/parser.js"),
    import("graphql/language/printer.js")
  ]);
  isGraphqlLoaded = true;
}
export {
  GraphQLError,
  Kind,
  OperationTypeNode,
  graphqlLoading,
  isGraphqlLoaded,
  loadGraphql,
  parse,
  print
};
