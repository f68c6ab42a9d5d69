// Serializes snapshots as JSON with a compiled selection. Walking the selection for each of a
// year's million rows would take minutes.
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
import { type ValueForm, valueFormOf } from '../variants/values.js';

export type JsonWriter = (value: unknown) => string;

type Source = Readonly<Record<string, unknown>>;

export interface WriterOptions {
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variableValues: Readonly<Record<string, unknown>>;
  /** Returns a replacement for a field's writer, or null. */
  readonly override: (type: GraphQLObjectType, nodes: readonly FieldNode[]) => JsonWriter | null;
}

export function objectWriter(type: GraphQLObjectType, nodes: readonly FieldNode[], options: WriterOptions): JsonWriter {
  const fieldsByKey = new Map<string, FieldNode[]>();
  for (const { selectionSet } of nodes) {
    if (selectionSet !== undefined) collectFields(selectionSet, options, fieldsByKey, new Set());
  }
  const names: string[] = [];
  const keys: string[] = [];
  const writers: JsonWriter[] = [];
  for (const [key, [first, ...rest]] of fieldsByKey) {
    if (first === undefined) continue;
    keys.push(`${keys.length === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    names.push(first.name.value);
    writers.push(fieldWriter(type, [first, ...rest], options));
  }
  return (value) => {
    if (value === null || value === undefined) return 'null';
    // Snapshots and their groups are plain objects with the members of the schema's type.
    const source = value as Source;
    let text = keys.length === 0 ? '{' : '';
    for (let i = 0; i < keys.length; i += 1) text += keys[i] + (writers[i]?.(source[names[i] ?? '']) ?? 'null');
    return `${text}}`;
  };
}

function collectFields(
  selectionSet: SelectionSetNode,
  options: WriterOptions,
  fieldsByKey: Map<string, FieldNode[]>,
  visitedFragments: Set<string>,
): void {
  for (const node of selectionSet.selections) {
    const { variableValues } = options;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) continue;
    if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false) continue;
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      fieldsByKey.set(key, [...(fieldsByKey.get(key) ?? []), node]);
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      // The schema has no interfaces or unions, so a valid fragment always applies.
      collectFields(node.selectionSet, options, fieldsByKey, visitedFragments);
    } else if (!visitedFragments.has(node.name.value)) {
      visitedFragments.add(node.name.value);
      const fragment = options.fragments[node.name.value];
      if (fragment !== undefined) collectFields(fragment.selectionSet, options, fieldsByKey, visitedFragments);
    }
  }
}

function fieldWriter(
  type: GraphQLObjectType,
  nodes: readonly [FieldNode, ...FieldNode[]],
  options: WriterOptions,
): JsonWriter {
  const name = nodes[0].name.value;
  if (name === '__typename') return () => JSON.stringify(type.name);
  const override = options.override(type, nodes);
  if (override !== null) return override;
  const field = type.getFields()[name];
  // Validation guarantees that the field exists.
  if (field === undefined) return () => 'null';
  const form = valueFormOf(field);
  return form === null ? valueWriter(field.type, nodes, options) : formWriter(form);
}

function valueWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], options: WriterOptions): JsonWriter {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = valueWriter(nullable.ofType, nodes, options);
    return (value) => (Array.isArray(value) ? `[${value.map(item).join(',')}]` : 'null');
  }
  if (isObjectType(nullable)) return objectWriter(nullable, nodes, options);
  const leaf = getNamedType(type);
  const form = valueFormOf(leaf);
  if (form !== null) return formWriter(form);
  return leaf.name === 'DateTime' ? writeTime : writeLeaf;
}

function formWriter(form: ValueForm): JsonWriter {
  return (value) => (value === null || value === undefined ? 'null' : writeLeaf(form(value)));
}

const writeTime: JsonWriter = (value) => (typeof value === 'number' ? `"${new Date(value).toISOString()}"` : 'null');

const writeLeaf: JsonWriter = (value) => {
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
