// A selection as an object, in the form of `select`: reads it from the text of a default selection, joins two selections, and picks the
// selected fields from a row that holds more.

import type { Operation } from '../../core/operation.js';
import { fragments } from '../../generated/operation-table.js';

/** True at a plain value, a tree at what holds records. */
export interface SelectionTree {
  readonly [field: string]: true | SelectionTree;
}

/** What an operation returns when nothing is selected. Empty for one that returns plain values. */
export function defaultTree(operation: Pick<Operation, 'selection'>): SelectionTree {
  return readBraces(tokensOf(operation.selection));
}

/** Both selections in one. */
export function joinTrees(one: SelectionTree, other: SelectionTree): SelectionTree {
  const joined: Record<string, true | SelectionTree> = { ...one };
  for (const [field, value] of Object.entries(other)) {
    const known = joined[field];
    joined[field] = typeof known === 'object' && typeof value === 'object' ? joinTrees(known, value) : value;
  }
  return joined;
}

/** The tree of dotted paths. */
export function treeOf(paths: Iterable<string>): SelectionTree {
  let tree: SelectionTree = {};
  for (const path of paths) {
    const branch = path.split('.').reduceRight<true | SelectionTree>((below, name) => ({ [name]: below }), true);
    if (branch !== true) tree = joinTrees(tree, branch);
  }
  return tree;
}

/** Whether a dotted path is in the tree, as a plain value or as a record. */
export function hasPath(tree: SelectionTree, path: string): boolean {
  let at: true | SelectionTree | undefined = tree;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || !Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return at !== undefined;
}

/** Only what the tree names, in the order of the tree; of lists, that of every member. */
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

/** `tokens` are in reverse, so that the next one is the last. */
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
