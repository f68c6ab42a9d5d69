// Selections as trees, in the form of `select`: parses, merges and applies them.

import type { Operation } from '../../core/operation.js';
import { fragments } from '../../generated/operation-table.js';

/** True for a plain value, a tree for records. */
export interface SelectionTree {
  readonly [field: string]: true | SelectionTree;
}

/** Returns the default selection of an operation; empty for one that returns plain values. */
export function defaultTree(operation: Pick<Operation, 'selection'>): SelectionTree {
  return readBraces(tokensOf(operation.selection));
}

export function joinTrees(one: SelectionTree, other: SelectionTree): SelectionTree {
  const joined: Record<string, true | SelectionTree> = { ...one };
  for (const [field, value] of Object.entries(other)) {
    const current = joined[field];
    joined[field] = typeof current === 'object' && typeof value === 'object' ? joinTrees(current, value) : value;
  }
  return joined;
}

export function treeOf(paths: Iterable<string>): SelectionTree {
  let tree: SelectionTree = {};
  for (const path of paths) {
    const branch = path.split('.').reduceRight<true | SelectionTree>((below, name) => ({ [name]: below }), true);
    if (branch !== true) tree = joinTrees(tree, branch);
  }
  return tree;
}

/** True when a dotted path is in the tree, as a plain value or as a record. */
export function hasPath(tree: SelectionTree, path: string): boolean {
  let at: true | SelectionTree | undefined = tree;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || !Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return at !== undefined;
}

/** Returns only the fields in the tree, in its order; lists are mapped. */
export function pick(value: unknown, tree: true | SelectionTree): unknown {
  if (tree === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => pick(member, tree));
  const picked: Record<string, unknown> = {};
  for (const [field, below] of Object.entries(tree)) {
    if (Object.hasOwn(value, field)) picked[field] = pick(Reflect.get(value, field), below);
  }
  return picked;
}

function tokensOf(selection: string): string[] {
  return (selection.match(/\.\.\.\w+|\w+|[{}]/g) ?? []).reverse();
}

/** `tokens` are reversed, so that the next one is the last. */
function readBraces(tokens: string[]): SelectionTree {
  let tree: SelectionTree = {};
  if (tokens.pop() !== '{') return tree;
  for (let token = tokens.pop(); token !== undefined && token !== '}'; token = tokens.pop()) {
    if (token.startsWith('...')) tree = joinTrees(tree, fragmentTree(token.slice(3)));
    else tree = joinTrees(tree, { [token]: tokens.at(-1) === '{' ? readBraces(tokens) : true });
  }
  return tree;
}

function fragmentTree(name: string): SelectionTree {
  const text = new Map<string, string>(Object.entries(fragments)).get(name) ?? '';
  return readBraces(tokensOf(text.slice(text.indexOf('{'))));
}
