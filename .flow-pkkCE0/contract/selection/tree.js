import { fragments } from "../../generated/operation-table.js";
function defaultTree(operation) {
  return readBraces(tokensOf(operation.selection));
}
function joinTrees(one, other) {
  const joined = { ...one };
  for (const [field, value] of Object.entries(other)) {
    const known = joined[field];
    joined[field] = typeof known === "object" && typeof value === "object" ? joinTrees(known, value) : value;
  }
  return joined;
}
function treeOf(paths) {
  let tree = {};
  for (const path of paths) {
    const branch = path.split(".").reduceRight((below, name) => ({ [name]: below }), true);
    if (branch !== true) tree = joinTrees(tree, branch);
  }
  return tree;
}
function hasPath(tree, path) {
  let at = tree;
  for (const name of path.split(".")) {
    if (typeof at !== "object" || !Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return at !== void 0;
}
function pick(value, tree) {
  if (tree === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => pick(member, tree));
  const picked = {};
  for (const [field, below] of Object.entries(tree)) {
    if (Object.hasOwn(value, field)) picked[field] = pick(Reflect.get(value, field), below);
  }
  return picked;
}
function tokensOf(selection) {
  return (selection.match(/\.\.\.\w+|\w+|[{}]/g) ?? []).reverse();
}
function readBraces(tokens) {
  let tree = {};
  if (tokens.pop() !== "{") return tree;
  for (let token = tokens.pop(); token !== void 0 && token !== "}"; token = tokens.pop()) {
    if (token.startsWith("...")) tree = joinTrees(tree, fragmentTree(token.slice(3)));
    else tree = joinTrees(tree, { [token]: tokens.at(-1) === "{" ? readBraces(tokens) : true });
  }
  return tree;
}
function fragmentTree(name) {
  const text = new Map(Object.entries(fragments)).get(name) ?? "";
  return readBraces(tokensOf(text.slice(text.indexOf("{"))));
}
export {
  defaultTree,
  hasPath,
  joinTrees,
  pick,
  treeOf
};
