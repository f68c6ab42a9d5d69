// Turns snapshots into JSON text by a selection that was read once. A year of one vehicle is more than a million rows of a
// hundred fields: walking the selection again for every row, or holding the rows as objects, would take minutes and gigabytes.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** JSON text of one value. */
export type Write = (value: unknown) => string;

type Source = Readonly<Record<string, unknown>>;

export interface Selection {
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variableValues: Readonly<Record<string, unknown>>;
  /** A writer that takes the place of the usual one for a field, or null. */
  readonly override: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => Write | null;
}

/** How to write an object of this type with what these nodes select of it. */
export function objectWriter(type: GraphQLObjectType, nodes: readonly FieldNode[], selection: Selection): Write {
  const members = new Map<string, FieldNode[]>();
  for (const { selectionSet } of nodes) {
    if (selectionSet !== undefined) collect(selectionSet, selection, members, new Set());
  }
  const names: string[] = [];
  const keys: string[] = [];
  const writers: Write[] = [];
  for (const [key, [first, ...rest]] of members) {
    if (first === undefined) continue;
    keys.push(`${keys.length === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    names.push(first.name.value);
    writers.push(memberWriter(type, [first, ...rest], selection));
  }
  return (value) => {
    if (value === null || value === undefined) return 'null';
    // Groups of a snapshot are plain objects; which members they have is what the schema says.
    const source = value as Source;
    let text = keys.length === 0 ? '{' : '';
    for (let i = 0; i < keys.length; i += 1) text += keys[i] + (writers[i]?.(source[names[i] ?? '']) ?? 'null');
    return `${text}}`;
  };
}

function collect(
  set: SelectionSetNode,
  selection: Selection,
  members: Map<string, FieldNode[]>,
  seen: Set<string>,
): void {
  for (const node of set.selections) {
    const { variableValues } = selection;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) continue;
    if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false) continue;
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      members.set(key, [...(members.get(key) ?? []), node]);
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      // The schema has object types only, so a fragment that passed validation always applies.
      collect(node.selectionSet, selection, members, seen);
    } else if (!seen.has(node.name.value)) {
      seen.add(node.name.value);
      const fragment = selection.fragments[node.name.value];
      if (fragment !== undefined) collect(fragment.selectionSet, selection, members, seen);
    }
  }
}

function memberWriter(
  type: GraphQLObjectType,
  nodes: readonly [FieldNode, ...FieldNode[]],
  selection: Selection,
): Write {
  const name = nodes[0].name.value;
  if (name === '__typename') return () => JSON.stringify(type.name);
  const override = selection.override(type, nodes);
  if (override !== null) return override;
  const field = type.getFields()[name];
  // Validation has made sure that the field exists.
  return field === undefined ? () => 'null' : valueWriter(field.type, nodes, selection);
}

function valueWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], selection: Selection): Write {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = valueWriter(nullable.ofType, nodes, selection);
    return (value) => (Array.isArray(value) ? `[${value.map(item).join(',')}]` : 'null');
  }
  if (isObjectType(nullable)) return objectWriter(nullable, nodes, selection);
  return getNamedType(type).name === 'DateTime' ? writeTime : writeLeaf;
}

const writeTime: Write = (value) => (typeof value === 'number' ? `"${new Date(value).toISOString()}"` : 'null');

const writeLeaf: Write = (value) => {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'string':
      return JSON.stringify(value);
    default:
      return 'null';
  }
};
