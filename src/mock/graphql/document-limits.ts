// How much one document may ask for. Without bounds a few kilobytes can keep the process busy for minutes.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

const deepest = 20;
// Fragments and inline fragments nest without adding depth; the walk itself must not run out of stack.
const deepestWalk = 200;
const mostFields = 30_000;
const mostRootFields = 200;
// Checking that fields of one response name agree takes the square of their number.
const mostSameName = 200;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

interface Size {
  readonly fields: number;
  readonly depth: number;
}

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  return fragments;
}

/** Why the document asks for too much; null when it does not. */
export function limitProblem(document: DocumentNode): string | null {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Size>();
  // A fragment that contains itself is refused by validation; here it only must not be followed for ever.
  const open = new Set<string>();
  let sameName: string | null = null;

  const sizeOf = (set: SelectionSetNode | undefined, level: number): Size => {
    if (set === undefined) return { fields: 0, depth: 0 };
    if (level > deepestWalk) return { fields: 0, depth: Number.POSITIVE_INFINITY };
    let fields = 0;
    let depth = 0;
    const names = new Map<string, number>();
    for (const selection of set.selections) {
      let size: Size;
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const count = (names.get(name) ?? 0) + 1;
        names.set(name, count);
        if (count > mostSameName) sameName = `A selection names the same field more than ${mostSameName} times.`;
        // The shape of introspection is the specification's: a tool cannot ask for less.
        const below = name.startsWith('__') ? { fields: 1, depth: 0 } : sizeOf(selection.selectionSet, level + 1);
        size = { fields: 1 + below.fields, depth: 1 + below.depth };
      } else if (selection.kind === Kind.INLINE_FRAGMENT) size = sizeOf(selection.selectionSet, level + 1);
      else size = fragmentSize(selection.name.value, level);
      fields += size.fields;
      depth = Math.max(depth, size.depth);
    }
    return { fields, depth };
  };
  const fragmentSize = (name: string, level: number): Size => {
    const done = known.get(name);
    if (done !== undefined) return done;
    const fragment = fragments.get(name);
    if (fragment === undefined || open.has(name)) return { fields: 0, depth: 0 };
    open.add(name);
    const size = sizeOf(fragment.selectionSet, level + 1);
    open.delete(name);
    known.set(name, size);
    return size;
  };

  let fields = 0;
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragmentSize(node.name.value, 0);
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = sizeOf(node.selectionSet, 0);
    if (size.depth > deepest) return `The document is nested deeper than ${deepest} levels.`;
    fields += size.fields;
    if (countRootFields(fragments, node) > mostRootFields)
      return `An operation has more than ${mostRootFields} root fields.`;
  }
  if (fields > mostFields) return `The document selects more than ${mostFields} fields.`;
  return sameName;
}

function* rootSelections(fragments: Fragments, set: SelectionSetNode, seen: Set<string>): Generator<string> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection.name.value;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* rootSelections(fragments, selection.selectionSet, seen);
    else {
      const fragment = fragments.get(selection.name.value);
      if (fragment === undefined || seen.has(selection.name.value)) continue;
      seen.add(selection.name.value);
      yield* rootSelections(fragments, fragment.selectionSet, seen);
    }
  }
}

function countRootFields(fragments: Fragments, node: OperationDefinitionNode): number {
  let count = 0;
  for (const _ of rootSelections(fragments, node.selectionSet, new Set())) count += 1;
  return count;
}

/** Names of the fields at the top of an operation, each once. */
export function rootFieldsOf(document: DocumentNode, node: OperationDefinitionNode): readonly string[] {
  return [...new Set(rootSelections(fragmentsOf(document), node.selectionSet, new Set()))];
}
