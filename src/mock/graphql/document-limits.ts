// Size limits of documents: a few kilobytes could otherwise block the process for minutes.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

const maxDepth = 20;
// Nested fragments add no depth, but the walk must not overflow the stack.
const maxWalkDepth = 200;
const maxFields = 30_000;
const maxRootFields = 200;
// Validation compares all fields of one response name pairwise, in quadratic time.
const maxRepeatedField = 200;

type FragmentMap = ReadonlyMap<string, FragmentDefinitionNode>;

interface Size {
  readonly fields: number;
  readonly depth: number;
}

function fragmentsOf(document: DocumentNode): FragmentMap {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  return fragments;
}

/** Returns the exceeded limit; null when the document is within all limits. */
export function documentLimitProblem(document: DocumentNode): string | null {
  const fragments = fragmentsOf(document);
  const sizes = new Map<string, Size>();
  // Only ends the walk: validation refuses a fragment that contains itself.
  const visiting = new Set<string>();
  let repeatedFieldProblem: string | null = null;

  const sizeOf = (set: SelectionSetNode | undefined, level: number): Size => {
    if (set === undefined) return { fields: 0, depth: 0 };
    if (level > maxWalkDepth) return { fields: 0, depth: Number.POSITIVE_INFINITY };
    let fields = 0;
    let depth = 0;
    const responseNames = new Map<string, number>();
    for (const selection of set.selections) {
      let size: Size;
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const count = (responseNames.get(name) ?? 0) + 1;
        responseNames.set(name, count);
        if (count > maxRepeatedField)
          repeatedFieldProblem = `A selection names the same field more than ${maxRepeatedField} times.`;
        // Tools cannot send a smaller introspection query, so it counts as one field.
        const below = selection.name.value.startsWith('__')
          ? { fields: 1, depth: 0 }
          : sizeOf(selection.selectionSet, level + 1);
        size = { fields: 1 + below.fields, depth: 1 + below.depth };
      } else if (selection.kind === Kind.INLINE_FRAGMENT) size = sizeOf(selection.selectionSet, level + 1);
      else size = fragmentSize(selection.name.value, level);
      fields += size.fields;
      depth = Math.max(depth, size.depth);
    }
    return { fields, depth };
  };
  const fragmentSize = (name: string, level: number): Size => {
    const cached = sizes.get(name);
    if (cached !== undefined) return cached;
    const fragment = fragments.get(name);
    if (fragment === undefined || visiting.has(name)) return { fields: 0, depth: 0 };
    visiting.add(name);
    const size = sizeOf(fragment.selectionSet, level + 1);
    visiting.delete(name);
    sizes.set(name, size);
    return size;
  };

  let fields = 0;
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragmentSize(node.name.value, 0);
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = sizeOf(node.selectionSet, 0);
    if (size.depth > maxDepth) return `The document is nested deeper than ${maxDepth} levels.`;
    fields += size.fields;
    if (countRootFields(fragments, node) > maxRootFields)
      return `An operation has more than ${maxRootFields} root fields.`;
  }
  if (fields > maxFields) return `The document selects more than ${maxFields} fields.`;
  return repeatedFieldProblem;
}

function* walkRootFields(fragments: FragmentMap, set: SelectionSetNode, visited: Set<string>): Generator<string> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection.name.value;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* walkRootFields(fragments, selection.selectionSet, visited);
    else {
      const fragment = fragments.get(selection.name.value);
      if (fragment === undefined || visited.has(selection.name.value)) continue;
      visited.add(selection.name.value);
      yield* walkRootFields(fragments, fragment.selectionSet, visited);
    }
  }
}

function countRootFields(fragments: FragmentMap, node: OperationDefinitionNode): number {
  let count = 0;
  for (const _ of walkRootFields(fragments, node.selectionSet, new Set())) count += 1;
  return count;
}

export function rootFieldNames(document: DocumentNode, node: OperationDefinitionNode): readonly string[] {
  return [...new Set(walkRootFields(fragmentsOf(document), node.selectionSet, new Set()))];
}
